//! The forecast of a run, and the run of the essentials.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gcn_model::gpu::Gpu;
use serde_json::Value;

use super::{CommandOutput, names, program, run, said, temporary, text};

/// The plan of a run, as JSON.
fn plan(arguments: &[&str]) -> Value {
    let folder = temporary();
    let mut command = program();
    command.current_dir(folder.path()).args(["measure", "--dry-run", "--json"]).args(arguments);
    let CommandOutput { code, out, error } = said(command.output().unwrap());
    assert_eq!((code, error.as_str()), (Some(0), ""), "{arguments:?}");
    assert!(names(folder.path()).is_empty(), "nothing is written");
    serde_json::from_str(&out).unwrap()
}

fn seconds(plan: &Value) -> f64 {
    plan["gpu_seconds"].as_f64().unwrap()
}

#[test]
fn the_plan_is_shown_and_nothing_is_launched() {
    let folder = temporary();
    let mut command = program();
    command.current_dir(folder.path()).args(["measure", "--device", "sim:fiji", "--dry-run", "--only", "V_ADD_F64"]);
    let CommandOutput { code, out, error } = said(command.output().unwrap());
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(names(folder.path()).is_empty(), "nothing is written");
    insta::assert_snapshot!("dry run", out);
}

#[test]
fn a_dry_run_predicts_launches_and_time() {
    for (gpu, only, suite) in [
        ("tahiti", "V_*_F64", "instructions"),
        ("vega20", "*_LOAD_DWORD", "instructions"),
        ("fiji", "DS_READ*", "instructions"),
        ("hawaii", "S_SLEEP", "occupancy"),
    ] {
        let device = format!("sim:{gpu}");
        let choice = ["--device", &device, "--only", only, "--suite", suite];
        let expected = plan(&choice);
        let folder = temporary();
        let out = folder.path().join("run");
        let CommandOutput { code, out, error } =
            run(&[&["measure", "--json", "--out", text(&out)][..], &choice].concat());
        assert_eq!(code, Some(0), "{error}");
        let summary: Value = serde_json::from_str(&out).unwrap();
        let launches = |of: &Value| of["launches"].as_u64().unwrap();
        // Without noise nothing is measured again.
        assert_eq!(launches(&summary), launches(&expected), "{gpu} {only}");
        let (spent, said) = (seconds(&summary), seconds(&expected));
        assert!((spent / 2.0..spent * 2.0).contains(&said), "{gpu} {only}: {said} s expected, {spent} s spent");
        let told = error.lines().next().unwrap();
        assert!(told.starts_with(&format!("{} launches, about ", launches(&expected))), "{told}");
    }
}

#[test]
fn the_essentials_take_less_than_a_minute_of_a_gpu_of_each_generation() {
    let mut seen = BTreeSet::new();
    for name in Gpu::shipped().filter(|name| seen.insert(Gpu::named(name).unwrap().generation.name())) {
        let quick = plan(&["--device", &format!("sim:{name}"), "--quick"]);
        assert!(seconds(&quick) > 0.0 && seconds(&quick) < 60.0, "{name}: {} s", seconds(&quick));
        assert_eq!(quick["timings_of"], name);
        let whole = plan(&["--device", &format!("sim:{name}")]);
        assert!(2.0 * seconds(&quick) < seconds(&whole), "{name}: {} of {} s", seconds(&quick), seconds(&whole));
        // An LDS load has another name from RDNA 3 on.
        let planned = |id: &str| {
            let renamed = id.replace("_READ_", "_LOAD_");
            let rows = quick["plan"].as_array().unwrap();
            let is_it = |row: &Value| row["experiment"] == id || row["experiment"] == renamed.as_str();
            rows.iter().any(|row| is_it(row) && row["suite"] == "quick" && row["launches"] != 0)
        };
        for id in ["V_ADD_F64/cycles", "V_BFE_U32/alignment/V_BFE_U32+5", "DS_READ_B32/rate:stride-32@2"] {
            assert!(planned(id), "{name}: {id}");
        }
    }
}

#[test]
fn the_essentials_find_dpfactor_and_the_front_end() {
    let folder = temporary();
    let out = folder.path().join("run");
    let CommandOutput { code, out: said, error } =
        run(&["measure", "--device", "sim:hawaii", "--quick", "--out", text(&out)]);
    assert_eq!(code, Some(0), "{error}");
    assert!(said.contains("DPFACTOR      4 (known)"), "{said}");
    assert!(said.contains("front end     blocks of 32 bytes"), "{said}");
    let record = record(&out);
    assert_eq!(record["options"]["suites"], serde_json::json!(["quick"]));
    // The chosen options are in the folder.
    let CommandOutput { code, error, .. } = run(&["measure", "--resume", "--out", text(&out)]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
}

fn record(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("run.json")).unwrap()).unwrap()
}
