//! In a root with the C library and nothing else.

use std::fs;
use std::path::Path;

use gcn_tests::{Rocm, ended, text};

use crate::archive::packed::{GPU, PROGRAM, TARGET, here, unpack};
use crate::archive::root::Root;

/// A run's statements about its code, and its timings.
fn record(run: &Path) -> (serde_json::Value, String) {
    let text = fs::read_to_string(run.join("run.json")).unwrap();
    (serde_json::from_str(&text).unwrap(), fs::read_to_string(run.join("timings.csv")).unwrap())
}

/// Without LLVM, ROCm and Rust, the simulator measures the same as here: the same code objects, assembled by the same LLVM,
/// and the same timings.
#[test]
fn the_simulator_is_measured_by_kept_kernels() {
    let Some(rocm) = Rocm::find() else { return };
    let Some(root) = Root::new() else { return };
    unpack(rocm, root.path());
    root.copy_libraries_of(&root.path().join(PROGRAM.trim_start_matches('/')));
    assert!(root.tools().is_empty(), "{:?}", root.tools());

    let device = format!("sim:{GPU}");
    let mut command = root.command(PROGRAM);
    command.args(["measure", "--quick", "--device", &device, "--out", "/runs/run"]);
    ended(command, 0);
    let made = tempfile::tempdir().unwrap();
    let mut command = here(rocm);
    command.args(["measure", "--quick", "--device", &device, "--out"]).arg(made.path().join("run"));
    ended(command, 0);
    let (kept, kept_timings) = record(&root.path().join("runs/run"));
    let (made, made_timings) = record(&made.path().join("run"));
    assert!(kept["code_objects"].as_array().is_some_and(|objects| !objects.is_empty()), "{kept}");
    assert_eq!((&kept["code_objects"], &kept["assembler"]), (&made["code_objects"], &made["assembler"]));
    assert!(kept_timings.contains("V_ADD_F32,") || kept_timings.contains("V_ADD_F64,"), "{kept_timings}");
    assert_eq!(kept_timings, made_timings);

    let mut command = root.command(PROGRAM);
    command.args(["dpfactor", "--device", &device]);
    let mut on_this = here(rocm);
    on_this.args(["dpfactor", "--device", &device]);
    let said = text(&ended(command, 0).stdout);
    assert!(said.contains("DPFACTOR "), "{said}");
    assert_eq!(said, text(&ended(on_this, 0).stdout));
}

/// Commands that need LLVM report that it is missing; `devices` and `doctor` report what exists.
#[test]
fn missing_kernels_are_reported() {
    let Some(rocm) = Rocm::find() else { return };
    let Some(root) = Root::new() else { return };
    unpack(rocm, root.path());
    root.copy_libraries_of(&root.path().join(PROGRAM.trim_start_matches('/')));

    let mut command = root.command(PROGRAM);
    command.args(["measure", "--device", &format!("sim:{GPU}"), "--only", "V_ADD_F32", "--out", "/runs/run"]);
    let error = text(&ended(command, 1).stderr);
    assert!(error.contains("not among the kept ones") && error.contains("LLVM not found"), "{error}");
    assert!(!root.path().join("runs/run/run.json").exists(), "no run was begun");
    let mut command = root.command(PROGRAM);
    command.args(["measure", "--quick", "--device", "sim:fiji", "--out", "/runs/run"]);
    let error = text(&ended(command, 1).stderr);
    assert!(error.contains("LLVM"), "only the kernels of {TARGET} are packed: {error}");

    let mut command = root.command(PROGRAM);
    command.args(["devices", "--json"]);
    // No card can be measured, as the exit code says.
    let listed = ended(command, 1);
    let rows: serde_json::Value = serde_json::from_slice(&listed.stdout).unwrap();
    let devices: Vec<&str> = rows.as_array().unwrap().iter().filter_map(|row| row["device"].as_str()).collect();
    assert!(devices.contains(&"sim:vega10") && devices.iter().all(|device| device.starts_with("sim:")), "{devices:?}");
    let error = text(&listed.stderr);
    assert!(error.contains("libamdhip64") && error.contains("libOpenCL"), "{error}");

    let mut command = root.command(PROGRAM);
    command.args(["doctor", "--json"]);
    let findings: serde_json::Value = serde_json::from_slice(&ended(command, 1).stdout).unwrap();
    let llvm = findings.as_array().unwrap().iter().find(|finding| finding["subject"] == "LLVM").unwrap();
    assert!(llvm["says"].as_str().unwrap().contains("the kernels next to the program are used"), "{llvm}");
}
