//! `predict` of code that computes something else than its author means: instructions too close to each other.

use serde_json::Value;

use super::predicted::{LOOP, of_text};
use super::run;

fn hazards(code: &str, gpu: &str) -> Vec<(String, u64, u64)> {
    let said = of_text(code, &["--gpu", gpu, "--json"]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{code}");
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    let found = answer["predictions"][0]["hazards"].as_array().unwrap();
    let of = |it: &Value| {
        let [first, second] = ["first_address", "second_address"].map(|name| it[name].as_u64().unwrap());
        (it["rule"].as_str().unwrap().to_owned(), first, second)
    };
    found.iter().map(of).collect()
}

#[test]
fn hazards_are_named_with_the_missing_wait_states() {
    let code = "loop:\nglobal_store_dwordx4 v2, v[8:11], s[4:5]\ns_or_b64 exec, exec, s[6:7]\n\
        v_pk_mul_f32 v[8:9], v[20:21], v[22:23]\nv_mfma_f32_16x16x32_f16 v[40:43], v[24:27], v[28:31], v[40:43]\n\
        v_mfma_f32_16x16x16_f16 v[40:43], v[24:25], v[28:29], v[40:43]\nv_add_f32 v50, v40, v41\ns_cbranch_scc1 loop\n";
    let rules: Vec<String> = hazards(code, "mi355x").into_iter().map(|(rule, ..)| rule).collect();
    for rule in ["store-data-overwritten", "other-matrix-accumulator", "xdl-vgpr-valu"] {
        assert!(rules.iter().any(|found| found == rule), "{rule}: {rules:?}");
    }
    let text = of_text(code, &["--gpu", "mi355x"]).out;
    assert!(text.contains("HAZARD ") && text.contains("global_store_dwordx4") && text.contains("LLVM"), "{text}");
    let denied = of_text(code, &["--gpu", "mi355x", "--deny-hazards"]);
    assert_eq!(denied.code, Some(3));
    assert!(denied.error.contains("store-data-overwritten: global_store_dwordx4"), "{}", denied.error);
}

#[test]
fn rules_that_became_known_later_are_checked_too() {
    let code = "loop:\nv_add_f32_dpp v1, v0, v2 row_shr:1 row_mask:0xf bank_mask:0xf\n\
        v_dual_mul_f32 v4, v1, v5 :: v_dual_add_f32 v7, v3, v6\ns_cbranch_scc1 loop\n";
    assert_eq!(hazards(code, "strix-halo"), [("pair-same-parity".to_owned(), 8, 8)], "gfx1151 has no rule for DPP");
    let odd = code.replace("v3, v6", "v2, v6");
    assert_eq!(hazards(&odd, "rx7900xtx"), []);
}

#[test]
fn the_end_of_a_loop_is_before_its_start() {
    let code = "loop:\nv_readlane_b32 s4, v1, s5\ns_nop 7\nv_readfirstlane_b32 s5, v2\ns_cbranch_scc1 loop\n";
    let found = hazards(code, "mi300x");
    assert!(found.contains(&("valu-sgpr-lane-select".to_owned(), 12, 0)), "{found:?}");
    assert_eq!(hazards(&code.replace("v2\n", "v2\ns_nop 3\n"), "mi300x"), []);
}

#[test]
fn correct_code_is_not_denied() {
    let said = run(&["predict", LOOP, "--gpu", "fiji", "--deny-hazards"]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{}", said.out);
    // The code after a jump that is always taken is not on its way.
    let jump =
        "buffer_load_dword v1, v0, s[8:11], 0 offen\ns_branch wait\nv_add_f32 v2, v1, v1\nwait:\ns_waitcnt vmcnt(0)\n";
    assert_eq!(of_text(jump, &["--gpu", "fiji", "--deny-hazards"]).code, Some(0));
    let early = "buffer_load_dword v1, v0, s[8:11], 0 offen\nv_add_f32 v2, v1, v1\n";
    assert_eq!(hazards(early, "fiji"), [("not-waited-for".to_owned(), 0, 8)]);
    // Before gfx9 compilers read global memory by FLAT, and wait for vmcnt alone.
    let flat = |wait: &str| hazards(&format!("flat_load_dword v1, v[2:3]\n{wait}v_add_f32 v4, v1, v1\n"), "fiji").len();
    let waits = ["s_waitcnt vmcnt(0)\n", "s_waitcnt vmcnt(0) lgkmcnt(0)\n", "s_waitcnt lgkmcnt(0)\n", ""];
    assert_eq!(waits.map(flat), [0, 0, 1, 1]);
}

#[test]
fn lds_fills_the_halves_of_a_register_in_order() {
    let are_hazards = |first: &str, second: &str| {
        let code = format!("{first}\n{second}\ns_waitcnt vmcnt(0) lgkmcnt(0)\n");
        hazards(&code, "rx7900xtx").iter().any(|(rule, ..)| rule == "not-waited-for")
    };
    assert!(!are_hazards("ds_load_u16 v1, v0", "ds_load_u16_d16_hi v1, v0 offset:2"));
    assert!(are_hazards("ds_load_u16 v1, v0", "ds_load_u16_d16_hi v1, v1"), "the address is a value");
    assert!(are_hazards("ds_load_u16 v1, v0", "ds_store_b32 v0, v1"), "so is data");
    let of_memory = "buffer_load_u16 v1, v0, s[8:11], 0 offen";
    assert!(are_hazards(of_memory, "ds_load_u16_d16_hi v1, v0"), "memory has another order");
}

#[test]
fn no_prediction_undercuts_its_bounds() {
    let all = run(&["predict", LOOP, "--gpu", "fiji", "--waves", "all", "--json"]).out;
    let answer: Value = serde_json::from_str(&all).unwrap();
    let predictions = answer["predictions"].as_array().unwrap();
    assert_eq!(predictions.len(), 9);
    for prediction in predictions {
        assert_eq!(prediction["is_steady"], true);
        for bound in prediction["bounds"].as_array().unwrap() {
            assert!(bound["share"].as_f64().unwrap() < 1.0 + 1e-9, "{}: {bound}", prediction["question"]);
        }
    }
}
