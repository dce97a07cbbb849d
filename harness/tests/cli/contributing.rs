//! `docs/contributing-results.md`: its commands, on a simulated card.

use std::fs;
use std::path::Path;

use super::{CommandOutput, names, program, said, temporary};

/// Where the page stands, and the card in it.
const PAGE: &str = "../docs/contributing-results.md";
const CARD: &str = "hip:0";

#[test]
fn the_commands_of_contributing_results_work() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE)).unwrap();
    let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("    gcn-timings ")).collect();
    assert_eq!(commands.len(), 5, "{commands:?}");
    let folder = temporary();
    for line in commands {
        let line = line.replace(CARD, "sim:polaris10");
        let mut command = program();
        let CommandOutput { code, out, error } =
            said(command.current_dir(folder.path()).args(line.split_whitespace()).output().unwrap());
        assert_eq!(code, Some(0), "{line}: {out}{error}");
    }
    assert_eq!(names(folder.path()), ["my-card", "my-card.tar.zst", "unpacked"]);
    // The log stays where the run was made.
    let mut of_run = names(&folder.path().join("my-card"));
    of_run.retain(|name| name != "log.txt");
    assert_eq!(names(&folder.path().join("unpacked")), of_run);
}
