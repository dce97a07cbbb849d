//! `gcn-timings completions`.

use std::io::stdout;

use clap::{Args, Command};
use clap_complete::{Shell, generate};

/// Print what makes a shell complete commands and options.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  gcn-timings completions bash > ~/.local/share/bash-completion/completions/gcn-timings\n  \
                  gcn-timings completions fish > ~/.config/fish/completions/gcn-timings.fish"
)]
pub struct Completions {
    /// The shell
    shell: Shell,
}

#[expect(clippy::unnecessary_wraps, reason = "every command may fail")]
pub(super) fn run(arguments: &Completions, program: &mut Command) -> anyhow::Result<()> {
    generate(arguments.shell, program, "gcn-timings", &mut stdout().lock());
    Ok(())
}
