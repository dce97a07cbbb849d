//! Questions to finished results: one instruction, some of the published values, some instructions of a list.

use std::path::Path;

use super::{CommandOutput, failure, run, text};

fn published(gpu: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference").join(gpu);
    text(&folder).to_owned()
}

#[test]
fn show_has_all_that_a_run_knows_of_an_instruction() {
    let CommandOutput { code, out, error } = run(&["show", "s_branch", &published("tahiti")]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    insta::assert_snapshot!("show S_BRANCH", out);
    let found: serde_json::Value =
        serde_json::from_str(&run(&["show", "V_ADD_F64", &published("tahiti"), "--json"]).out).unwrap();
    assert_eq!(found["simulated"], true);
    assert_eq!(found["timings"][0]["cycles"], 8.0);
    assert_eq!(found["throughput"].as_array().map(Vec::len), Some(5));
    let scheduling = found["penalties"].as_array().unwrap().iter().filter(|row| row["experiment"] == "scheduling");
    assert_eq!(scheduling.count(), 9);
}

#[test]
fn show_names_similar_instructions() {
    let error = failure(&["show", "V_ADD_F63", &published("tahiti")]);
    assert!(error.contains("did you mean V_ADD_F64"), "{error}");
}

#[test]
fn validate_takes_sources_and_instructions() {
    let folder = super::temporary();
    let path = super::small_run(&folder);
    let found = run(&["validate", text(&path), "--source", "clrx", "--only", "V_ADD_F64", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&found.out).unwrap();
    let rows = found["rows"].as_array().unwrap();
    assert!(!rows.is_empty() && rows.iter().all(|row| row["source"] == "clrx" && row["instruction"] == "V_ADD_F64"));
    assert_eq!((&found["simulated"], &found["sources"]["clrx"]["mismatch"]), (&true.into(), &0.into()));
    let CommandOutput { out, .. } = run(&["validate", text(&path), "--source", "clrx", "--all"]);
    assert!(out.contains("\nSimulated: ") && out.contains(" as simulated") && !out.contains("match"), "{out}");
    let error = failure(&["validate", text(&path), "--source", "clxr"]);
    assert!(error.contains("no source of that name") && error.contains("clrx"), "{error}");
}

#[test]
fn results_that_ship_are_validated_without_a_folder() {
    let CommandOutput { code, out, error } = run(&["validate", "shipped:hawaii", "--source", "llvm"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    let rows = out.lines().filter(|line| line.ends_with("  not as simulated")).count();
    assert!(rows > 100 && out.contains(&format!(" {rows} not as simulated, 0 open questions, ")), "{out}");
    let CommandOutput { code, out, error } = run(&["dpfactor", "shipped:hawaii"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(out.contains("\nDPFACTOR is 4 (double precision at 1/8 of single precision), a factor of the"), "{out}");
}

#[test]
fn list_takes_encodings_and_names() {
    let CommandOutput { out, .. } =
        run(&["list", "--gpu", "vega10", "--encoding", "vop3p", "--only", "V_PK_*_F16", "--json"]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&out).unwrap();
    assert!(rows.len() > 3 && rows.iter().all(|row| row["encoding"] == "VOP3P"), "{out}");
    let CommandOutput { out, .. } = run(&["list", "--unmeasured", "--only", "S_ENDPGM"]);
    assert!(out.contains("no: ends the wave") && out.contains("1 of 815 instructions, 0 of them measured"), "{out}");
    let error = failure(&["list", "--gpu", "fiji", "--encoding", "VOP3P"]);
    assert!(error.contains("--encoding VOP3P: fiji has DS, EXP"), "{error}");
}

#[test]
fn a_device_without_its_prefix_is_suggested_with_it() {
    let CommandOutput { code, error, .. } = run(&["measure", "--device", "tahiti"]);
    assert!(code == Some(2) && error.contains("did you mean sim:tahiti?"), "{error}");
}

#[test]
fn doctor_reports_missing_parts_and_launches_nothing() {
    let found = run(&["doctor", "--json"]);
    let findings: Vec<serde_json::Value> = serde_json::from_str(&found.out).unwrap();
    let of = |subject: &str| findings.iter().find(|finding| finding["subject"] == subject);
    assert!(of("kernel's driver").is_some() && of("LLVM").is_some(), "{}", found.out);
    let is_bad = findings.iter().any(|finding| finding["health"] == "bad");
    assert_eq!(found.code, Some(i32::from(is_bad)));
    assert!(findings.iter().all(|finding| finding["health"] == "good" || finding["next"] != ""));
}

#[test]
fn colours_and_remarks_are_as_the_user_wants_them() {
    let folder = super::temporary();
    let path = folder.path().join("run");
    let measure = ["measure", "--only", "V_MOV_B32", "--waves", "1", "-q", "--color", "always", "--out", text(&path)];
    let CommandOutput { code, out, error } = run(&measure);
    assert_eq!((code, error.as_str()), (Some(0), ""), "quiet");
    assert!(out.contains('\u{1b}'), "{out}");
    let CommandOutput { out, .. } = run(&["analyze", text(&path), "--color", "never"]);
    assert!(!out.contains('\u{1b}'), "{out}");
}

#[test]
fn a_time_without_a_unit_is_refused_with_the_way_to_write_it() {
    let CommandOutput { code, error, .. } = run(&["measure", "--budget", "5"]);
    assert!(code == Some(2) && error.contains("5 of what? Write 5s"), "{error}");
    let help = run(&["dpfactor", "--help"]).out;
    assert!(["--suite", "--waves", "--dangerous"].into_iter().all(|option| !help.contains(option)), "{help}");
}

#[test]
fn shells_and_readers_get_their_files() {
    for shell in ["bash", "zsh", "fish"] {
        let CommandOutput { code, out, .. } = run(&["completions", shell]);
        assert!(code == Some(0) && out.contains("predict") && out.contains("gcn-timings"), "{shell}");
    }
    let folder = super::temporary();
    let pages = folder.path().join("man1");
    assert_eq!(run(&["manual", "--out", text(&pages)]).code, Some(0));
    let page = std::fs::read_to_string(pages.join("gcn-timings-measure.1")).unwrap();
    assert!(page.contains("\\-\\-suite") && page.contains("gcn\\-timings measure"), "{page}");
    assert!(!pages.join("gcn-timings-device-child.1").exists(), "a hidden command has no page");
}
