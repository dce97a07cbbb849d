//! The HIP device on the real ROCm libraries where there is no AMD GPU: a clear message and exit code 1.

use std::path::Path;
use std::process::{Command, Output};

use gcn_tests::Rocm;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The program's failure with its one message.
fn failure(command: &mut Command) -> (String, String) {
    let Output { status, stdout, stderr } = command.output().unwrap();
    let (out, error) = (text(&stdout), text(&stderr));
    assert_eq!(status.code(), Some(1), "{out}{error}");
    assert!(error.starts_with("gcn-timings: ") && !error.contains("panicked"), "{error}");
    (out, error)
}

fn has_card() -> bool {
    let is_there = Path::new("/dev/kfd").exists();
    if is_there {
        println!("SKIPPED: this machine has an AMD GPU");
    }
    is_there
}

#[test]
fn a_missing_card_is_named() {
    let Some(rocm) = Rocm::find() else { return };
    if has_card() {
        return;
    }
    let (out, error) = failure(rocm.program().arg("devices"));
    assert!(out.contains("sim:tahiti"), "the simulator is there all the same: {out}");
    assert!(error.contains("HIP sees no AMD GPU") && error.contains("/dev/kfd"), "{error}");
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    let (out, error) = failure(rocm.program().args(["measure", "--device", "hip:0", "--out"]).arg(&run));
    assert!(error.contains("HIP sees no AMD GPU"), "{error}");
    assert!(out.is_empty() && !run.exists(), "nothing was written");
}

#[test]
fn a_missing_library_is_named() {
    let Some(rocm) = Rocm::find() else { return };
    // The program itself needs no library of ROCm to start, and works without.
    let output = Command::new("readelf").arg("-d").arg(rocm.program().get_program()).output();
    if let Ok(output) = output {
        assert!(!text(&output.stdout).contains("amdhip64"), "{}", text(&output.stdout));
    }
    let output = rocm.program().args(["list", "--gpu", "fiji"]).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}
