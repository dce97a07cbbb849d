//! Completions, in the shell that they are for.

use std::env;
use std::fs;
use std::process::Command;

use gcn_tests::{Rocm, ended, text};

use crate::archive::packed::here;

/// Bash takes them, and completes a command's name and an option with them.
#[test]
fn bash_completes_with_them() {
    let Some(rocm) = Rocm::find() else { return };
    let mut printed = here(rocm);
    printed.args(["completions", "bash"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("gcn-timings");
    fs::write(&file, ended(printed, 0).stdout).unwrap();
    let completed = |words: &str| {
        let script = format!(
            "source \"$1\"\nspec=$(complete -p gcn-timings)\nfunction=$(sed 's/.*-F \\([^ ]*\\).*/\\1/' <<<\"$spec\")\n\
             COMP_WORDS=({words})\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n\
             \"$function\" gcn-timings \"${{COMP_WORDS[COMP_CWORD]}}\" \"${{COMP_WORDS[COMP_CWORD-1]}}\"\nprintf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let mut bash = Command::new("bash");
        bash.args(["--norc", "--noprofile", "-c", &script, "bash"])
            .arg(&file)
            .env("PATH", env::var_os("PATH").unwrap());
        text(&ended(bash, 0).stdout)
    };
    assert_eq!(completed("gcn-timings mea").trim(), "measure");
    assert_eq!(completed("gcn-timings measure --qui").split_whitespace().collect::<Vec<_>>(), ["--quick", "--quiet"]);
}
