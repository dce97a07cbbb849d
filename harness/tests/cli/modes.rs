//! The compute units of a work-group's waves: requested, kept, resumed, refused.

use std::fs;

use super::{failure, run, temporary, text, wrong_use};

#[test]
fn a_mode_is_stored_and_resumed() {
    let folder = temporary();
    let path = folder.path().join("run");
    let measure =
        ["measure", "--device", "sim:rx6800", "--suite", "instructions", "--only", "V_ADD_F32", "--sweeps", "1"];
    let said = run(&[&measure[..], &["--mode", "wgp", "--out", text(&path)]].concat());
    assert_eq!(said.code, Some(0), "{}", said.error);
    let record: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join("run.json")).unwrap()).unwrap();
    assert_eq!(record["device"]["mode"], "wgp");
    // A SIMD of this card has slots for sixteen, which are the default.
    assert_eq!(record["options"]["waves"], serde_json::json!([1, 2, 4, 8, 16]));
    let page = fs::read_to_string(path.join("TIMINGS.md")).unwrap();
    assert!(page.contains("both compute units of a work-group processor (WGP mode)"), "{page}");
    // Without the option it is the run's; another one is another device.
    assert_eq!(run(&["measure", "--resume", "--out", text(&path)]).code, Some(0));
    let error = failure(&["measure", "--resume", "--mode", "cu", "--out", text(&path)]);
    assert!(error.contains("wgp") || error.contains("device"), "{error}");
}

#[test]
fn a_mode_is_refused_where_there_is_none() {
    for device in ["sim:tahiti", "sim:mi300x"] {
        let error = failure(&["measure", "--device", device, "--mode", "wgp", "--dry-run"]);
        assert!(error.contains("has no work-group processors") && error.contains("leave --mode out"), "{error}");
    }
    assert!(wrong_use(&["measure", "--mode", "both"]).contains("there are cu and wgp"));
}
