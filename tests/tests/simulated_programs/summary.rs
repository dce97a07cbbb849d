//! The summary of `gcn-timings run`, and the exit codes.

use gcn_tests::{Rocm, ended, text};
use serde_json::Value;

use super::run_on;

#[test]
fn the_exit_code_is_the_programs() {
    let Some(rocm) = Rocm::find() else { return };
    for (script, code) in [("exit 7", 7), ("kill -TERM $$", 143)] {
        let mut command = run_on(rocm, "fiji");
        command.args(["--", "sh", "-c", script]);
        let summary = text(&ended(command, code).stderr);
        assert!(summary.contains("no card took part") && summary.contains("0, of 0 kernels"), "{summary}");
    }
    let mut command = run_on(rocm, "fiji");
    command.args(["--", "no-such-program"]);
    assert!(text(&ended(command, 1).stderr).contains("no-such-program"));
}

#[test]
fn what_a_measurement_through_hip_launches_is_counted() {
    let Some(rocm) = Rocm::find() else { return };
    let folder = tempfile::tempdir().unwrap();
    let summary = folder.path().join("summary.json");
    let mut command = run_on(rocm, "vega10");
    command.arg(format!("--json={}", summary.display())).args(["--profile", "--"]);
    command.arg(rocm.program().get_program());
    command.args([
        "measure",
        "--device",
        "hip:0",
        "--only",
        "V_ADD_F32",
        "--waves",
        "1",
        "--launch-timeout",
        "1h",
        "--out",
    ]);
    command.arg(folder.path().join("run"));
    ended(command, 0);
    let summary: Value = serde_json::from_slice(&std::fs::read(summary).unwrap()).unwrap();
    assert_eq!((&summary["simulated"], &summary["exit_code"]), (&true.into(), &0.into()));
    let total = |key: &str| summary[key].as_u64().unwrap();
    let sum = |key: &str| {
        summary["kernels"].as_array().unwrap().iter().map(|kernel| kernel[key].as_u64().unwrap()).sum::<u64>()
    };
    assert!(total("dispatches") > 0 && total("cycles") > 0 && total("wave_cycles") > 0, "{summary}");
    assert_eq!([total("dispatches"), total("cycles"), total("waves")], ["dispatches", "cycles", "waves"].map(sum));
    assert!(
        summary["wave_instructions"]["vector"].as_u64() > summary["wave_instructions"]["branch"].as_u64(),
        "{summary}"
    );
}
