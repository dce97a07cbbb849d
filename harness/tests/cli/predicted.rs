//! `predict`.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use serde_json::Value;

use super::{failure, program, run, said, temporary, text};

pub(super) const LOOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/sgemm-loop.s");

pub(super) fn of_text(code: &str, arguments: &[&str]) -> super::Said {
    let mut child = program()
        .args(["predict", "-"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(code.as_bytes()).unwrap();
    said(child.wait_with_output().unwrap())
}

#[test]
fn a_loop_is_predicted_line_by_line_and_for_each_number_of_waves() {
    let of = |waves: &str| {
        let said = run(&["predict", LOOP, "--gpu", "fiji", "--waves", waves]);
        assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
        said.out
    };
    insta::assert_snapshot!("predicted_loop", of("3"));
    insta::assert_snapshot!("predicted_waves", of("all"));
}

#[test]
fn json_says_that_it_is_simulated_and_where_each_timing_comes_from() {
    let said = of_text("v_rcp_f32 v1, v0\nv_mul_f32 v2, v0, v0\ns_endpgm\n", &["--gpu", "fiji", "--json"]);
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(answer["schema"], "gcn-timings-predict-1");
    assert_eq!(answer["simulated"], true);
    let prediction = &answer["predictions"][0];
    assert_eq!(prediction["cycles_per_iteration"], 20.0);
    assert_eq!(prediction["region"]["kind"], "straight");
    let [rcp, mul] = [0, 1].map(|line| &prediction["instructions"][line]);
    assert_eq!((&rcp["text"], &rcp["issue"]), (&"v_rcp_f32 v1, v0".into(), &16.0.into()));
    assert_eq!((&rcp["basis"], &mul["basis"]), (&"published".into(), &"rule".into()));
    assert!(rcp["source"].as_str().unwrap().contains("clrx"), "{rcp}");
}

#[test]
fn markers_choose_a_part_and_loops_are_found() {
    let code = "v_nop\n// LLVM-MCA-BEGIN hot part\nv_rcp_f32 v1, v0\n// LLVM-MCA-END\nv_nop\n";
    let said = of_text(code, &["--gpu", "tahiti"]);
    assert!(
        said.out.contains("\nhot part  tahiti (gfx600)") && said.out.contains("16 for an iteration"),
        "{}",
        said.out
    );
    let inner = "a:\nv_nop\nb:\nv_rcp_f32 v1, v0\ns_cbranch_scc1 b\ns_cbranch_scc1 a\nc:\nv_nop\ns_cbranch_vccz c\n";
    let said = of_text(inner, &[]);
    let regions: Vec<&str> = said.out.lines().filter(|line| line.starts_with("loop at")).collect();
    assert_eq!(regions.len(), 2, "{}", said.out);
    assert!(regions[0].starts_with("loop at 0x4 ") && regions[1].starts_with("loop at 0x10 "), "{regions:?}");
}

#[test]
fn what_cannot_be_predicted_is_said_with_its_line_or_instruction() {
    let error = |code: &str| {
        let said = of_text(code, &[]);
        assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{code}");
        said.error
    };
    assert_eq!(error("v_nop\nv_mull v1, v2\n"), "gcn-timings: -: 2:1: invalid instruction\n");
    assert!(error("").contains("no code") || error("").contains("no instructions"), "{}", error(""));
    assert!(error("s_setpc_b64 s[0:1]\n").contains("where it goes to is not known in a block"));
    assert!(error("; GCN-BEGIN a\nv_nop\n").contains("line 1: the region that begins here has no end"));
    let many = error(&"v_mull v1, v2\n".repeat(30));
    assert!(many.lines().count() == 11 && many.ends_with("and 20 more\n"), "{many}");
    assert!(failure(&["predict", "nosuch.s"]).contains("nosuch.s: No such file"));
    assert!(failure(&["predict", LOOP, "--gpu", "fiji", "--waves", "11"]).contains("1 to 10"));

    let folder = temporary();
    let file = folder.path().join("host.o");
    fs::write(&file, fs::read("/proc/self/exe").unwrap()).unwrap();
    assert!(failure(&["predict", text(&file)]).contains("not for AMDGPU"));
    fs::write(&file, b"\x7fELF\x02").unwrap();
    assert!(failure(&["predict", text(&file)]).contains("host.o: the ELF file is damaged"));
    fs::write(&file, b"__CLANG_OFFLOAD_BUNDLE__").unwrap();
    assert!(failure(&["predict", text(&file)]).contains("clang-offload-bundler"));
}
