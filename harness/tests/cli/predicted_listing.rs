//! The listing of `predict` is its author's text: labels, names in immediates, lines of the source.

use std::process::Command;

use serde_json::Value;

use super::predicted::of_text;
use super::{run, temporary, text};

/// Of each line of a region its labels, its text and its place in the source.
fn listing(code: &str, gpu: &str) -> Vec<(String, String, String)> {
    let said = of_text(code, &["--gpu", gpu, "--json"]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{code}");
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let labels =
        |line: &Value| line["labels"].as_array().into_iter().flatten().map(words).collect::<Vec<_>>().join(" ");
    let lines = answer["predictions"][0]["instructions"].as_array().unwrap();
    lines.iter().map(|line| (labels(line), words(&line["text"]), words(&line["place"]))).collect()
}

#[test]
fn immediates_have_the_names_that_the_assembler_takes() {
    for (gpu, written) in [
        ("fiji", &["s_waitcnt vmcnt(2) lgkmcnt(0)", "s_getreg_b32 s4, hwreg(HW_REG_HW_ID, 8, 4)"][..]),
        ("mi300x", &["s_waitcnt vmcnt(3)", "s_getreg_b32 s4, hwreg(HW_REG_XCC_ID)"]),
        ("rx6800", &["s_waitcnt lgkmcnt(2)", "s_getreg_b32 s5, hwreg(HW_REG_SHADER_CYCLES, 0, 20)"]),
        (
            "rx7900xtx",
            &[
                "s_delay_alu instid0(TRANS32_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)",
                "s_waitcnt_depctr depctr_sa_sdst(0) depctr_va_vdst(0)",
                "s_getreg_b32 s4, hwreg(HW_REG_HW_ID1, 2, 7)",
                "s_waitcnt lgkmcnt(2)",
                "s_waitcnt vmcnt(0) lgkmcnt(1)",
            ],
        ),
        (
            "rx9070xt",
            &["s_wait_alu depctr_va_vdst(0)", "s_getreg_b32 s4, hwreg(HW_REG_WAVE_STATUS)", "s_wait_dscnt 0x1"],
        ),
    ] {
        let code = format!("v_nop\n{}\n", written.join("\n"));
        let texts: Vec<String> = listing(&code, gpu).into_iter().map(|(_, text, _)| text).skip(1).collect();
        assert_eq!(texts, written, "{gpu}");
    }
}

#[test]
fn labels_are_listed_and_jumps_name_them() {
    let code = "kernel:\n.Lagain:\nv_nop\ns_cbranch_vccz skip\nv_nop\nskip:\ns_cbranch_scc1 .Lagain\ns_endpgm\n";
    let lines = listing(code, "rx7900xtx");
    let told: Vec<(&str, &str)> = lines.iter().map(|(labels, text, _)| (labels.as_str(), text.as_str())).collect();
    let jump = [("", "s_cbranch_vccz skip"), ("", "v_nop"), ("skip", "s_cbranch_scc1 .Lagain")];
    assert_eq!(told, [[("kernel .Lagain", "v_nop")].as_slice(), &jump].concat());
    let listed = of_text(code, &["--gpu", "rx7900xtx"]).out;
    assert!(listed.contains("  .Lagain:\n  0x000000 ") && listed.contains("  s_cbranch_scc1 .Lagain  (to"), "{listed}");
}

#[test]
fn lines_of_the_source_are_those_of_the_line_table() {
    let code = ".file 1 \"own.cl\"\nk:\n.loc 1 4\nv_nop\nv_nop\n.loc 1 7\ns_cbranch_scc1 k\n.loc 1 9\ns_endpgm\n";
    let places: Vec<String> = listing(code, "mi300x").into_iter().map(|(.., place)| place).collect();
    assert_eq!(places, ["own.cl:4", "own.cl:4", "own.cl:7"]);
    assert!(listing("v_nop\n", "mi300x").iter().all(|(.., place)| place.is_empty()));
}

#[test]
fn a_compilers_object_has_the_lines_of_its_source() {
    let folder = temporary();
    let [source, object] = ["sum.cl", "sum.o"].map(|name| folder.path().join(name));
    let lines = "kernel void sum(global float *a, float b) {\n  float s = 0;\n  for (int k = 0; k < 64; k++)\n\
                 s += a[__builtin_amdgcn_workitem_id_x() + k * 64] * b;\n  a[0] = s;\n}\n";
    std::fs::write(&source, lines).unwrap();
    let target = ["-x", "cl", "-target", "amdgcn-amd-amdhsa", "-mcpu=gfx1030", "-nogpulib", "-O1", "-g", "-c"];
    let compiled = Command::new("clang-22").args(target).args([text(&source), "-o", text(&object)]).status();
    if !compiled.is_ok_and(|status| status.success()) {
        println!("SKIPPED: clang-22 is not installed");
        return;
    }
    let listed = run(&["predict", text(&object), "--kernel", "sum", "--gpu", "rx6800"]).out;
    assert!(listed.contains("sum.cl:4\n") && listed.contains("sum.cl:3\n"), "{listed}");
}
