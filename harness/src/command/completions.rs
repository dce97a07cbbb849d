//! `gcn-timings completions`.

use std::io::{Write, stdout};

use clap::{Args, Command};
use clap_complete::{Shell, generate};

/// Print completions for a shell.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings completions bash > ~/.local/share/bash-completion/completions/gcn-timings\n  \
                  gcn-timings completions fish > ~/.config/fish/completions/gcn-timings.fish"
)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

/// clap_complete 4.6.11's form of the program's name, which has a hyphen, where bash looks up the options of a command, and the
/// makes of it everywhere else: unless both are the same, bash completes no option.
const TWO_NAMES: [&str; 2] = ["gcn__subcmd__timings", "gcn__timings"];

pub(super) fn run(arguments: &Completions, program: &mut Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    generate(arguments.shell, program, "gcn-timings", &mut script);
    let script = String::from_utf8(script)?.replace(TWO_NAMES[0], TWO_NAMES[1]);
    Ok(stdout().lock().write_all(script.as_bytes())?)
}
