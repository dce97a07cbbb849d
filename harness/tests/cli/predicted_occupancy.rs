//! What `predict` says of room for waves, and of the card's memory.

use serde_json::Value;

use super::predicted::of_text;

/// A kernel with a descriptor, which allocates more registers than it names, and LDS.
pub(super) const KERNEL: &str = "k:\nv_mov_b32 v0, v1\ns_endpgm\n.size k, .-k\n.type k,@function\n.amdhsa_kernel k\n\
    .amdhsa_next_free_vgpr 29\n.amdhsa_next_free_sgpr 8\n.amdhsa_group_segment_fixed_size 16384\n.end_amdhsa_kernel\n";

fn occupancy(arguments: &[&str]) -> (Value, String) {
    let of = |format: &str| of_text(KERNEL, &[&["--gpu", "fiji", "--format", format], arguments].concat());
    let (json, text) = (of("json"), of("text"));
    assert_eq!((json.code, json.error.as_str(), text.code), (Some(0), "", Some(0)));
    let answer: Value = serde_json::from_str(&json.out).unwrap();
    (answer["predictions"][0].clone(), text.out)
}

#[test]
fn occupancy_follows_the_descriptor() {
    let (prediction, text) = occupancy(&["--waves", "auto", "--group-waves", "4"]);
    let room = &prediction["occupancy"];
    assert_eq!((&room["vgprs"], &room["is_allocated"], &room["limiter"]), (&32.into(), &true.into(), &"lds".into()));
    assert_eq!((&room["waves_per_simd"], &prediction["question"]["waves_per_simd"]), (&4.into(), &4.into()));
    assert_eq!((&room["lds"]["groups"], &room["lds"]["bytes_for_one_more"]), (&4.into(), &12800.into()));
    assert!(text.contains("4 waves fit; 5 need ≤ 12800 bytes of LDS a group"), "{text}");
}

#[test]
fn groups_of_unknown_size_are_reported() {
    let (prediction, text) = occupancy(&["--waves", "auto"]);
    assert_eq!(prediction["question"]["waves_per_simd"], 8, "by its registers");
    assert_eq!(prediction["occupancy"]["lds"]["waves_per_simd"], Value::Null);
    assert!(text.contains("4 groups on a compute unit (--group-waves sets the waves of a group)"), "{text}");
}

#[test]
fn memory_traffic_is_reported_and_limits_nothing() {
    let code = "buffer_load_dwordx4 v[4:7], v0, s[8:11], 0 offen\nbuffer_store_byte v0, v0, s[8:11], 0 offen\n\
        s_load_dwordx2 s[4:5], s[0:1], 0x0\nds_read_b32 v2, v0\n";
    let of = |code: &str, arguments: &[&str]| -> Value {
        let answer: Value = serde_json::from_str(&of_text(code, &[&["--json"], arguments].concat()).out).unwrap();
        answer["predictions"][0].clone()
    };
    let prediction = of(code, &["--gpu", "fiji", "--waves", "2", "--simds", "1"]);
    let traffic = &prediction["memory_traffic"];
    let bytes = 64 * 16 + 64 + 8;
    assert_eq!((&traffic["bytes"], &traffic["uncounted"]), (&bytes.into(), &0.into()));
    // 512 GB/s at 1,050 MHz, for 64 compute units with 2 waves each.
    let cycles = f64::from(bytes * 2 * 64) / (512e3 / 1050.0);
    assert!((traffic["cycles"].as_f64().unwrap() - cycles).abs() < 1e-9, "{traffic}");
    let share = cycles / prediction["cycles_per_iteration"].as_f64().unwrap();
    assert!(share > 1.0 && (traffic["share"].as_f64().unwrap() - share).abs() < 1e-9, "{traffic}");
    for bound in prediction["bounds"].as_array().unwrap() {
        assert!(bound["share"].as_f64().unwrap() <= 1.01, "{bound}");
    }
    let text = of_text(code, &["--gpu", "fiji", "--waves", "2"]).out;
    assert!(text.contains("if every byte came from memory: 1096 bytes of each wave"), "{text}");

    let by_descriptor = of("buffer_load_format_x v1, v0, s[8:11], 0 idxen\n", &["--gpu", "fiji"]);
    assert_eq!(by_descriptor["memory_traffic"]["uncounted"], 1);
    assert_eq!(of("v_nop\n", &["--gpu", "fiji"])["memory_traffic"], Value::Null);
    assert_eq!(of(code, &["--gpu", "vega10"])["memory_traffic"], Value::Null, "its file has no bandwidth");
}
