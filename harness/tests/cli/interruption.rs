//! Runs and readers that stop early.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{CommandOutput, program, run, said, temporary, text};

/// Waits until a file has that many bytes.
fn wait_for(path: &Path, bytes: u64, child: &mut Child) {
    let start = Instant::now();
    while fs::metadata(path).map_or(0, |file| file.len()) < bytes {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it could be interrupted");
        assert!(start.elapsed() < Duration::from_secs(3600), "{} does not grow", path.display());
        sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_stays_usable() {
    let folder = temporary();
    let path = folder.path().join("run");
    let mut command = program();
    command.args(["measure", "--threads", "1", "--out", text(&path)]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    wait_for(&path.join("readings.csv"), 4096, &mut child);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let CommandOutput { code, out, error } = said(child.wait_with_output().unwrap());
    assert_eq!(code, Some(130), "{out}{error}");
    assert!(error.contains("interrupted") && error.contains(text(&path)), "{error}");
    assert!(out.contains("Incomplete run"), "{out}");
    // Every row that is there has all its readings.
    let CommandOutput { code, out, .. } = run(&["analyze", text(&path)]);
    assert_eq!(code, Some(0));
    assert!(out.contains("Incomplete run") && out.contains(" measured"), "{out}");
    let timings = fs::read_to_string(path.join("timings.csv")).unwrap();
    assert!(timings.lines().count() > 2 && !timings.contains(",failed,"), "{timings}");
    let record: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join("run.json")).unwrap()).unwrap();
    assert!(record["end"].is_null());
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    // The list is longer than a pipe holds.
    let mut command = program();
    command.args(["list", "--gpu", "vega10", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let CommandOutput { code, error, .. } = said(child.wait_with_output().unwrap());
    assert_eq!((code, error.as_str()), (Some(0), ""));
}
