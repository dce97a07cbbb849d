//! The HIP device on the real ROCm libraries, with the reference model behind the kernel driver's interface.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use gcn_tests::Rocm;
use tempfile::TempDir;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The program on a simulated card, with a fault if there is to be one.
fn on_card(rocm: &Rocm, gpu: &str, fault: &str) -> Command {
    let mut command = rocm.program();
    command.env("LD_PRELOAD", rocm.driver()).env("GCN_TIMINGS_GPU", gpu).env_remove("GCN_TIMINGS_FAULT_COUNTS");
    match fault {
        "" => command.env_remove("GCN_TIMINGS_FAULT"),
        fault => command.env("GCN_TIMINGS_FAULT", fault),
    };
    command
}

/// A folder that does not exist yet, in one that goes with the test.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    (folder, run)
}

fn ended(mut command: Command, code: i32) -> Output {
    let output = command.output().unwrap();
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{command:?}\n{out}\n{error}");
    output
}

#[test]
fn the_card_is_listed_with_what_it_says() {
    let Some(rocm) = Rocm::find() else { return };
    for (gpu, target, generation) in [("fiji", "gfx803", "1.2"), ("vega10", "gfx900:xnack-", "1.4")] {
        let mut command = on_card(rocm, gpu, "");
        command.args(["devices", "--json"]);
        let rows: serde_json::Value = serde_json::from_slice(&ended(command, 0).stdout).unwrap();
        let card = rows.as_array().unwrap().iter().find(|row| row["device"] == "hip:0").expect("hip:0").clone();
        assert_eq!(card["target"], target, "{card}");
        assert_eq!(card["generation"], generation);
        assert_eq!(card["facts_from"], gpu);
        assert_eq!(card["compute_units"], 2, "what the reference model simulates");
        assert!(card["clock_mhz"].as_f64().is_some_and(|clock| clock > 100.0), "{card}");
    }
    let mut command = on_card(rocm, "fiji", "absent");
    command.arg("devices");
    assert!(text(&ended(command, 1).stderr).contains("HIP sees no AMD GPU"));
    let mut command = on_card(rocm, "fiji", "");
    command.args(["measure", "--device", "hip:1"]);
    assert!(text(&ended(command, 1).stderr).contains("there is no hip:1: HIP sees 1 AMD GPU(s)"));
}

#[test]
fn memory_that_is_refused_is_said() {
    let Some(rocm) = Rocm::find() else { return };
    let (_kept, run) = folder();
    let mut command = on_card(rocm, "fiji", "out-of-memory@allocation=1..");
    command.args(["measure", "--device", "hip:0", "--only", "V_ADD_F32", "--out"]).arg(&run);
    let error = text(&ended(command, 1).stderr);
    assert!(error.starts_with("gcn-timings: ") || error.contains("\ngcn-timings: "), "{error}");
    assert!(!run.exists() || fs::read_dir(&run).unwrap().count() == 0, "nothing was stored");
}
