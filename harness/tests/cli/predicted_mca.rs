//! `predict --against-mca`.

#[cfg(unix)]
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use gcn_harness::mca::LlvmMca;
use serde_json::{Value, json};

use super::predicted::{LOOP, of_text};
use super::predicted_schema::Schema;
use super::{CommandOutput, failure, program, said};

/// The comparison of a loop with a program that is named.
fn with(mca: &Path) -> CommandOutput {
    let mut command = program();
    command.args(["predict", LOOP, "--gpu", "fiji", "--against-mca"]).env("GCN_TIMINGS_LLVM_MCA", mca);
    said(command.output().unwrap())
}

/// A program that says that it is llvm-mca, and then runs a script.
#[cfg(unix)]
fn pretending(folder: &Path, script: &str) -> std::path::PathBuf {
    let path = folder.join("llvm-mca");
    let version = "echo 'LLVM version 22.0.0'; echo '    amdgcn     - AMD GCN GPUs'; exit 0";
    std::fs::write(&path, format!("#!/bin/sh\nif [ \"$1\" = --version ]; then {version}; fi\n{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

#[test]
fn a_missing_program_is_named_with_a_remedy() {
    let said = with(Path::new("nowhere/llvm-mca"));
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
    assert!(
        said.error.contains("nowhere/llvm-mca") && said.error.contains("GCN_TIMINGS_LLVM_MCA=PATH"),
        "{}",
        said.error
    );
}

#[cfg(unix)]
#[test]
fn instructions_that_it_refuses_are_named() {
    let folder = super::temporary();
    let refuses = "echo 'block.s:1:1: error: invalid instruction' >&2; exit 1";
    let said = with(&pretending(folder.path(), refuses));
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
    assert!(said.error.contains("refuses, for gfx803: ds_read_b64 v[2:3], v0 (invalid instruction)"), "{}", said.error);
}

#[cfg(unix)]
#[test]
fn a_report_of_another_shape_is_refused() {
    let folder = super::temporary();
    let said = with(&pretending(folder.path(), "echo '{}'"));
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
    assert!(said.error.contains("printed an unknown format: missing field `CodeRegions`"), "{}", said.error);
}

#[test]
fn it_knows_one_wave_and_no_pictures() {
    for (arguments, message) in [
        (["--waves", "2"], "omit --waves with --against-mca"),
        (["--waves", "all"], "omit --waves with --against-mca"),
        (["--format", "csv"], "omit --format, or use --json"),
    ] {
        let error = failure(&[&["predict", LOOP, "--gpu", "fiji", "--against-mca"], &arguments[..]].concat());
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn causes_add_up_and_follow_the_schema() {
    if LlvmMca::find().is_err() {
        assert!(
            std::env::var_os("GCN_TIMINGS_NEED_MCA").is_none(),
            "GCN_TIMINGS_NEED_MCA is set, and llvm-mca is not there"
        );
        println!("SKIPPED: llvm-mca is not there (GCN_TIMINGS_NEED_MCA=1 makes this a failure)");
        return;
    }
    let code = "v_rcp_f32 v1, v0\nv_mul_f32 v2, v1, v1\ns_nop 7\n";
    let answer = of_text(code, &["--gpu", "fiji", "--json", "--against-mca"]);
    let answer: Value = serde_json::from_str(&answer.out).unwrap_or_else(|_| panic!("{}", answer.error));
    assert_eq!(Schema::read().refuses(&answer), None);
    let mca = &answer["predictions"][0]["mca"];
    // A multiplication that waits until turn 4, and S_NOP: 6 turns. On GCN 16 + 4 + 8 · 4 cycles.
    assert_eq!((&mca["cycles_per_iteration"], &mca["difference"]), (&json!(24.0), &json!(28.0)));
    assert_eq!(mca["causes"], json!({ "vector_rate": 12.0, "nop_states": 28.0, "dependency": -12.0 }));
    assert_eq!(mca["unexplained"], 0.0);
    assert_eq!(mca["instructions"][1], json!({ "address": 4, "cycles": 16.0, "latency": 4.0 }));

    let text = of_text(code, &["--gpu", "fiji", "--against-mca"]).out;
    assert!(text.contains(": 24 cycles for an iteration, +28 to 52\n         +28  wait states of S_NOP\n"), "{text}");
    assert!(text.ends_with("           0  unexplained\n"), "{text}");
}
