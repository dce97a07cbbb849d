//! A folder that nothing can be written into.

use std::fs;

use crate::plan::{Plan, program, under};

#[test]
fn the_numbers_of_a_folder_that_is_for_reading_alone_are_shown() {
    let plan = Plan::new(&("one instruction", &["--suite", "instructions", "--only", "V_ADD_F32"], 1));
    let kept = tempfile::tempdir().unwrap();
    let run = kept.path().join("run");
    assert!(program(&run, plan.options, &[]).status().unwrap().success());
    let before = fs::read(run.join("timings.csv")).unwrap();
    for command in ["analyze", "validate"] {
        let mut sound = std::process::Command::new(program(&run, &[], &[]).get_program());
        let sound = sound.arg(command).arg(&run).output().unwrap();
        let mut refused = std::process::Command::new(program(&run, &[], &[]).get_program());
        refused.arg(command).arg(&run);
        let refused = under(&mut refused, &run).env("GCN_DISK_FAULT", "read-only@1").output().unwrap();
        let error = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(0), "{command}: {error}");
        assert!(refused.stdout == sound.stdout && !sound.stdout.is_empty(), "{command}: the numbers are shown");
        assert!(error.contains("not written: Read-only file system"), "{command}: {error}");
        assert_eq!(fs::read(run.join("timings.csv")).unwrap(), before);
    }
}
