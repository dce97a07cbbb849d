//! The advice of `predict` gains as promised: each change is applied by hand, and predicted again.

use std::path::PathBuf;

use serde_json::Value;

use super::predicted::of_text;
use super::{run, text};

/// A prediction as JSON.
fn prediction(said: &super::CommandOutput) -> Value {
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{}", said.out);
    serde_json::from_str::<Value>(&said.out).unwrap()["predictions"][0].clone()
}

fn cycles(prediction: &Value) -> f64 {
    prediction["cycles_per_iteration"].as_f64().unwrap()
}

fn advice(prediction: &Value) -> &Vec<Value> {
    prediction["advice"].as_array().unwrap()
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/advice")).join(name)
}

/// The kind of a piece of advice, and the iterations that its changed code does.
fn kind(advice: &Value) -> (&str, f64) {
    let is_unrolled = advice["words"].as_str().unwrap().ends_with("unroll twice");
    (advice["kind"].as_str().unwrap(), if is_unrolled { 2.0 } else { 1.0 })
}

#[test]
fn each_piece_of_advice_gains_by_hand_what_was_promised() {
    for (name, gpu) in [("product", "rx7900xtx"), ("matrix", "mi300x"), ("sum", "rx6800")] {
        let today = prediction(&run(&["predict", text(&file(&format!("{name}.s"))), "--gpu", gpu, "--json"]));
        assert_eq!((advice(&today).len(), kind(&advice(&today)[0]).0), (3, "more-waves"), "{name}");
        for advice in advice(&today) {
            let (kind, iterations) = kind(advice);
            let waves = advice["waves_per_simd"].as_u64().unwrap();
            let by_hand = match (kind, iterations) {
                ("more-waves", _) => format!("{name}.s"),
                (kind, 1.0) => format!("{name}-{kind}.s"),
                (kind, _) => format!("{name}-{kind}-unrolled.s"),
            };
            let changed = file(&by_hand);
            let applied = run(&["predict", text(&changed), "--gpu", gpu, "--json", "--waves", &waves.to_string()]);
            let of_simd = cycles(&prediction(&applied)) / iterations / waves as f64;
            let gain = (1.0 - of_simd / cycles(&today)) * 100.0;
            let promised = advice["gain_percent"].as_f64().unwrap();
            assert!((gain - promised).abs() < 3.0, "{by_hand}: {gain}, promised {promised}");
        }
    }
}

/// Loops with something to gain each, and the kinds of advice that have to be among those for them.
const LOOPS: [(&str, &str, &str); 6] = [
    (
        "dual-issue",
        "rx7900xtx",
        "v_mul_f32 v0, v4, v8\nv_mul_f32 v1, v5, v9\nv_add_f32 v2, v6, v10\nv_add_f32 v3, v7, v11\ns_add_i32 s4, s4, -1\ns_cmp_lg_u32 s4, 0\n",
    ),
    (
        "dual-issue",
        "rx9070xt",
        "v_mul_f32 v0, v4, v8\nv_max_num_f32 v1, v5, v9\nv_mul_f32 v2, v6, v10\nv_mul_f32 v3, v7, v11\n",
    ),
    (
        "matrix-interleaved",
        "mi300x",
        "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]\nv_mfma_f32_32x32x8_f16 a[16:31], v[0:1], v[2:3], a[16:31]\n\
         v_rcp_f32 v8, v9\nv_mul_f32 v10, v8, v8\nv_rcp_f32 v11, v9\nv_mul_f32 v12, v11, v11\n",
    ),
    (
        "interleaved",
        "rx6800",
        "v_mul_f32 v0, v1, v2\nv_mul_f32 v3, v0, v0\nv_mul_f32 v4, v5, v6\nv_mul_f32 v7, v4, v4\n",
    ),
    (
        "loads-ahead",
        "vega10",
        "buffer_load_dword v1, v0, s[8:11], 0 offen\nv_add_u32_e32 v0, 4, v0\ns_waitcnt vmcnt(0)\nv_add_f32 v2, v2, v1\n",
    ),
    (
        "alignment",
        "tahiti",
        "v_mul_f32 v1, 0x3fc00000, v0\nv_mul_f32 v2, 0x3fc00000, v0\nv_mul_f32 v3, 0x3fc00000, v0\n",
    ),
];

#[test]
fn the_code_of_advice_has_the_predicted_cycles() {
    for (wanted, gpu, body) in LOOPS {
        let before = if wanted == "alignment" { "s_nop 0\n" } else { "" };
        let code = format!("{before}top:\n{body}s_cbranch_scc1 top\n");
        let today = prediction(&of_text(&code, &["--gpu", gpu, "--json"]));
        let kinds: Vec<&str> = advice(&today).iter().map(|advice| kind(advice).0).collect();
        assert!(kinds.contains(&wanted), "{gpu}: {wanted} is not one of {kinds:?}");
        for advice in advice(&today).iter().filter(|advice| advice["code"].is_array()) {
            let lines: Vec<&str> =
                advice["code"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
            let again = prediction(&of_text(&format!("{}\n", lines.join("\n")), &["--gpu", gpu, "--json"]));
            let promised = advice["cycles"].as_f64().unwrap();
            assert_eq!(cycles(&again) / kind(advice).1, promised, "{gpu} {advice}");
        }
    }
}

#[test]
fn useless_or_reordering_changes_are_not_advised() {
    // A unit binds, and nothing waits.
    let bound = prediction(&of_text(
        &format!("top:\n{}s_cbranch_scc1 top\n", "v_rcp_f32 v1, v0\n".repeat(40)),
        &["--gpu", "fiji", "--json"],
    ));
    assert!(advice(&bound).is_empty(), "{bound}");
    // The store's memory may be that of the load, and the value of the LDS is another one after the barrier.
    for body in [
        "buffer_load_dword v1, v0, s[8:11], 0 offen\ns_waitcnt vmcnt(0)\nbuffer_store_dword v1, v0, s[8:11], 0 offen\n",
        "ds_read_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\nv_add_f32 v2, v2, v1\n",
    ] {
        let code = format!("top:\n{body}s_cbranch_scc1 top\n");
        let told = prediction(&of_text(&code, &["--gpu", "vega10", "--json"]));
        assert!(advice(&told).iter().all(|advice| kind(advice).0 == "more-waves"), "{body}: {told}");
    }
}
