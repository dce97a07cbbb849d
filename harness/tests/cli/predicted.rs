//! `predict`.

use std::fs;
use std::io::Write;
use std::process::Stdio;

use gcn_harness::llvm::Llvm;
use serde_json::Value;

use super::offload_bundle::offload_bundle;
use super::{failure, program, run, said, temporary, text};

pub(super) const LOOP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/examples/sgemm-loop.s");

pub(super) fn of_text(code: &str, arguments: &[&str]) -> super::CommandOutput {
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
fn a_jump_back_is_a_loop_only_if_its_start_leads_to_it() {
    // `shared` ends the program, whoever jumps back to it.
    let code = "start:\ns_cbranch_vccz tail\nshared:\nv_nop\ns_endpgm\ntail:\nv_rcp_f32 v1, v0\ns_cbranch_vccnz shared\n\
                s_cbranch_scc1 start\ns_endpgm\n";
    let said = of_text(code, &["--gpu", "fiji"]);
    let regions: Vec<&str> = said.out.lines().filter(|line| line.starts_with("loop at")).collect();
    assert!(regions.len() == 1 && regions[0].starts_with("loop at 0x0 "), "{}", said.out);
    for assumption in [
        "1 branches inside the loop are not taken",
        "1 branches inside are taken, since no other path leads back to its start",
        "2 instructions are not reached",
    ] {
        assert!(said.out.contains(assumption), "{assumption}\n{}", said.out);
    }
    // Code that is not reached is not a limit, and takes no time.
    assert!(said.out.contains("bound by     the wave's own instructions"), "{}", said.out);
    let only_end = of_text("; GCN-BEGIN a\nv_nop\ns_branch over\n; GCN-END\nv_nop\nover:\ns_endpgm\n", &[]);
    assert!(only_end.error.contains("it leaves the block"), "{}", only_end.error);
}

#[test]
fn kernels_of_an_offload_bundle_are_listed_and_chosen_by_a_part_of_their_mangled_name() {
    let kernel =
        |name: &str| format!(".type {name},@function\n{name}:\nv_rcp_f32 v1, v0\ns_endpgm\n.size {name}, .-{name}\n");
    let all: String = (0..30).map(|n| kernel(&format!("_Z3addILi{n}EEvPf"))).collect();
    let code = Llvm::find(None).unwrap().assemble("gfx803", &all).unwrap();
    let bundle = offload_bundle(&[("gfx803", &code)]);
    let folder = temporary();
    let file = folder.path().join("kernels.hipfb");
    fs::write(&file, bundle).unwrap();

    let listed = failure(&["predict", text(&file), "--gpu", "fiji"]);
    assert!(listed.contains("has 30 kernels, choose one with --kernel: _Z3addILi0EEvPf, "), "{listed}");
    assert!(listed.ends_with("_Z3addILi19EEvPf and 10 more\n"), "{listed}");
    let near = failure(&["predict", text(&file), "--gpu", "fiji", "--kernel", "7EE"]);
    assert!(
        near.ends_with("has no kernel 7EE; 7EE is a part of _Z3addILi7EEvPf, _Z3addILi17EEvPf, _Z3addILi27EEvPf\n"),
        "{near}"
    );
    for name in ["_Z3addILi29EEvPf", "Li29E"] {
        let said = run(&["predict", text(&file), "--gpu", "fiji", "--kernel", name]);
        assert!(said.out.contains("cycles       16 for an iteration"), "{}{}", said.out, said.error);
    }
    assert!(
        failure(&["predict", text(&file), "--gpu", "vega10"])
            .contains("name a GPU of one of them with --gpu: fiji, polaris10")
    );
}

#[test]
fn unpredictable_code_is_refused_with_line_or_instruction() {
    let error = |code: &str| {
        let said = of_text(code, &[]);
        assert_eq!((said.code, said.out.as_str()), (Some(1), ""), "{code}");
        said.error
    };
    let said = "gcn-timings: -:2:1: invalid instruction\n    v_mull v1, v2\n    ^\n\
        assembled for tahiti (gfx600); --gpu chooses the GPU\n";
    assert_eq!(error("v_nop\nv_mull v1, v2\n"), said);
    assert_eq!(error(""), "gcn-timings: -: there is no code in it\n");
    assert!(error("s_setpc_b64 s[0:1]\n").contains("where it goes to is not known in a block"));
    assert!(error("; GCN-BEGIN a\nv_nop\n").contains("-:1: the region that begins here has no end\n    ; GCN-BEGIN a"));
    let many = error(&"v_mull v1, v2\n".repeat(30));
    assert!(many.lines().count() == 32 && many.contains("\nand 20 more\n"), "{many}");
    assert!(failure(&["predict", "nosuch.s"]).contains("nosuch.s: No such file"));
    assert!(failure(&["predict", LOOP, "--gpu", "fiji", "--waves", "11"]).contains("1 to 10"));

    let folder = temporary();
    let file = folder.path().join("host.o");
    fs::write(&file, fs::read("/proc/self/exe").unwrap()).unwrap();
    assert!(failure(&["predict", text(&file)]).contains("not for AMDGPU"));
    fs::write(&file, b"\x7fELF\x02").unwrap();
    assert!(failure(&["predict", text(&file)]).contains("host.o: the ELF file is damaged"));
    fs::write(&file, b"__CLANG_OFFLOAD_BUNDLE__").unwrap();
    assert!(failure(&["predict", text(&file)]).contains("host.o: the offload bundle at byte 0: it is cut off"));
    fs::write(&file, b"CCOB").unwrap();
    assert!(failure(&["predict", text(&file)]).contains("clang-offload-bundler --unbundle"));
}
