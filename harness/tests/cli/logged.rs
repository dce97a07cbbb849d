//! The log of a run, and what `--verbose` says.

use std::fs;

use super::{CommandOutput, failure, names, run, temporary, text, wrong_use};

#[test]
fn a_run_keeps_a_log_and_verbose_says_more() {
    let folder = temporary();
    let path = folder.path().join("run");
    let options = ["--only", "V_ADD_F64", "--waves", "1", "--suite", "instructions", "--out", text(&path)];
    let CommandOutput { code, error, .. } = run(&[&["measure", "-v"][..], &options].concat());
    assert_eq!(code, Some(0), "{error}");
    let log = fs::read_to_string(path.join("log.txt")).unwrap();
    for said in ["measures sim:tahiti: ", "(gfx600) through simulator", "options {", "sweep 1 of 2", "end: complete, "]
    {
        assert!(log.contains(said) && error.contains(said), "{said}: {log}\n{error}");
    }
    for detail in ["code object 0: ", "V_ADD_F64/cycles, round 0, 1 launches: ok"] {
        assert!(error.contains(detail) && !log.contains(detail), "{detail}: {error}");
    }
    let before = log.lines().count();
    // The log is not part of the run: it is resumed, analysed, and put into a bundle without it.
    fs::remove_file(path.join("timings.csv")).unwrap();
    assert_eq!(run(&["measure", "--resume", "--out", text(&path)]).code, Some(0));
    assert_eq!(run(&["analyze", text(&path)]).code, Some(0));
    let log = fs::read_to_string(path.join("log.txt")).unwrap();
    assert!(log.lines().count() >= before, "nothing of it is lost: {log}");
    let (bundle, unpacked) = (folder.path().join("b.tar.zst"), folder.path().join("unpacked"));
    assert_eq!(run(&["bundle", text(&path), "--out", text(&bundle)]).code, Some(0));
    assert_eq!(run(&["bundle", "--unpack", text(&bundle), "--out", text(&unpacked)]).code, Some(0));
    assert!(!names(&unpacked).contains(&"log.txt".to_owned()), "{:?}", names(&unpacked));
}

#[test]
fn a_run_that_does_not_begin_leaves_no_log() {
    let folder = temporary();
    let path = folder.path().join("run");
    failure(&["measure", "-q", "--only", "V_NO_SUCH", "--out", text(&path)]);
    assert!(!path.join("log.txt").exists());
    let error = wrong_use(&["measure", "-q", "-v", "--out", text(&path)]);
    assert!(error.contains("cannot be used with"), "{error}");
}
