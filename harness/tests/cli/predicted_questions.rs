//! `predict --max-estimated`, `--align` and `--memory`.

use serde_json::Value;

use super::predicted::{LOOP, of_text};
use super::{failure, run, wrong_use};

/// Of the 4 instructions only S_WAITCNT rests on an estimate.
const ESTIMATED: &str = "a:\nv_rcp_f32 v1, v0\ns_waitcnt lgkmcnt(0)\nv_mul_f32 v2, v0, v0\ns_branch a\n";
/// 2-dword instructions, and a jump back.
const LONG: &str =
    "a:\nv_mul_f32 v1, 0x3fc00000, v0\nv_mul_f32 v2, 0x3fc00000, v0\nv_mul_f32 v3, 0x3fc00000, v0\ns_branch a\n";
/// A loop that waits for memory.
const MEMORY: &str = "a:\nbuffer_load_dword v1, v0, s[8:11], 0 offen\ns_waitcnt vmcnt(0)\ns_branch a\n";

fn json(output: &str) -> Value {
    serde_json::from_str(output).unwrap()
}

#[test]
fn more_estimates_than_are_allowed_end_with_exit_code_3() {
    let of = |percent: &str| of_text(ESTIMATED, &["--gpu", "fiji", "--max-estimated", percent]);
    let refused = of("5");
    assert_eq!(refused.code, Some(3), "{}", refused.error);
    assert!(
        refused.error.starts_with("gcn-timings: -: loop at 0x0: ")
            && refused.error.ends_with(" of issue cycles are estimates; the limit is 5 %: S_WAITCNT\n"),
        "{}",
        refused.error
    );
    // The prediction is there all the same.
    insta::assert_snapshot!("measure_first", refused.out);
    let allowed = of("100");
    assert_eq!((allowed.code, allowed.error.as_str()), (Some(0), ""));
    assert_eq!(allowed.out, refused.out);

    let answer = json(&of_text(ESTIMATED, &["--gpu", "fiji", "--max-estimated", "5", "--json"]).out);
    let prediction = &answer["predictions"][0];
    let first = &prediction["measure_first"];
    assert_eq!(first.as_array().unwrap().len(), 1, "{first}");
    assert_eq!(
        (&first[0]["instruction"], &first[0]["share"]),
        (&"S_WAITCNT".into(), &prediction["basis"]["estimated"])
    );
    let sure = of_text("v_rcp_f32 v1, v0\n", &["--gpu", "fiji", "--max-estimated", "0"]);
    assert_eq!(sure.code, Some(0), "{}", sure.error);
    assert!(sure.out.ends_with("estimates: no instruction uses one\n"), "{}", sure.out);
}

#[test]
fn every_place_of_a_loop_is_predicted_where_places_cost_something() {
    let all = of_text(LONG, &["--gpu", "tahiti", "--align", "all"]);
    assert_eq!((all.code, all.error.as_str()), (Some(0), ""));
    insta::assert_snapshot!("placements", all.out);
    let placements = json(&of_text(LONG, &["--gpu", "tahiti", "--align", "all", "--json"]).out);
    let placements = &placements["predictions"][0]["placements"];
    assert_eq!(placements["places"].as_array().unwrap().len(), 16);
    // The text there states it by itself.
    for place in placements["places"].as_array().unwrap() {
        let before = "s_nop 0\n".repeat(place["offset"].as_u64().unwrap() as usize / 4);
        let there = json(&of_text(&format!("{before}{LONG}"), &["--gpu", "tahiti", "--json"]).out);
        assert_eq!(there["predictions"][0]["cycles_per_iteration"], place["cycles"], "{place}");
    }
    let one = json(&of_text(LONG, &["--gpu", "tahiti", "--align", "20", "--json"]).out);
    assert_eq!(one["predictions"][0]["placements"]["places"].as_array().unwrap().len(), 2);

    let fiji = of_text(LONG, &["--gpu", "fiji", "--align", "all"]).out;
    assert!(
        fiji.contains("fiji charges nothing for the place of an instruction\n  all 16 offsets take the same"),
        "{fiji}"
    );
}

#[test]
fn the_latency_of_memory_is_chosen_and_swept() {
    let of = |memory: &str| {
        let said = of_text(MEMORY, &["--gpu", "fiji", "--memory", memory, "--json"]);
        assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
        json(&said.out)["predictions"][0].clone()
    };
    let cycles = |prediction: &Value| prediction["cycles_per_iteration"].as_f64().unwrap();
    let (l1, dram) = (of("l1"), of("dram"));
    // The loop waits for each access: its cost is the latency and the rest.
    assert_eq!(cycles(&dram) - cycles(&l1), 461.0 - 158.0);
    assert_eq!(
        [&l1["memory"]["low"], &l1["memory"]["high"]],
        [&of("vmem=157")["cycles_per_iteration"], &of("vmem=160")["cycles_per_iteration"]]
    );
    assert_eq!(dram["memory"]["low"], dram["memory"]["high"]);
    assert!(dram["memory"]["latencies"][0]["source"].as_str().unwrap().contains("R9 Nano"));
    // No scalar memory is in it.
    assert_eq!(cycles(&of("dram,smem=1..9")), cycles(&dram));
    insta::assert_snapshot!("memory_swept", of_text(MEMORY, &["--gpu", "fiji", "--memory", "l1"]).out);
}

#[test]
fn without_questions_nothing_is_answered() {
    let prediction = &json(&run(&["predict", LOOP, "--gpu", "fiji", "--json"]).out)["predictions"][0];
    for field in ["memory", "placements", "measure_first"] {
        assert!(prediction.get(field).is_none(), "{field}");
    }
}

/// 16 waves of 64 lanes load 48 bytes of each lane in an iteration.
#[test]
fn loads_from_a_level_come_back_no_faster_than_measured() {
    const LOADS: &str = "a:\nglobal_load_dwordx4 v[0:3], v20, s[2:3]\nglobal_load_dwordx4 v[4:7], v20, s[2:3]\n\
                         global_load_dwordx4 v[8:11], v20, s[2:3]\ns_waitcnt vmcnt(0)\ns_branch a\n";
    let of = |level: &str| json(&of_text(LOADS, &["--gpu", "mi210", "--waves", "4", "--memory", level, "--json"]).out);
    for (level, bound, unit_bytes) in [("l2", "loads from L2", 28.8), ("dram", "loads from DRAM", 7.6)] {
        let prediction = &of(level)["predictions"][0];
        let cycles = 16.0 * 64.0 * 48.0 / unit_bytes;
        let found = prediction["cycles_per_iteration"].as_f64().unwrap();
        assert!((found / cycles - 1.0).abs() < 0.01, "{level}: {found} for {cycles}");
        assert_eq!(prediction["bounds"][0]["of"], bound);
        assert_eq!(prediction["memory"]["latencies"][0]["unit_bytes"], unit_bytes);
    }
}

#[test]
fn questions_that_do_not_go_together_are_refused_in_words() {
    let of = |arguments: &[&str]| failure(&[&["predict", LOOP, "--gpu", "fiji"], arguments].concat());
    assert!(of(&["--align", "all", "--format", "csv"]).contains("--align is printed as text or JSON"));
    assert!(of(&["--memory", "l1", "--format", "html"]).contains("--memory is printed as text or JSON"));
    assert!(of(&["--align", "all", "--waves", "all"]).contains("--align does not fit the table of --waves all"));
    assert!(of(&["--memory", "l1", "--waves", "all"]).contains("a range of --memory does not fit the table"));
    let unknown = of(&["--memory", "l2"]);
    assert!(unknown.contains("--memory: no latency of l2 is known on fiji, of l1, dram; give cycles"), "{unknown}");
    assert!(of(&["--align", "64"]).contains("a line of fiji has 64 bytes, so 60 is the last place in it"));
    let usage = |arguments: &[&str]| wrong_use(&[&["predict", LOOP], arguments].concat());
    assert!(usage(&["--align", "3"]).contains("bytes in multiples of 4"));
    assert!(usage(&["--max-estimated", "101"]).contains("a number from 0 to 100"));
    assert!(usage(&["--memory", "l9"]).contains("is not one of l0, l1, l2, mall, dram"));
    for question in [["--align", "all"], ["--memory", "l1"], ["--max-estimated", "5"]] {
        assert!(usage(&[&question[..], &["--launch", "x.toml"]].concat()).contains("cannot be used with"));
    }
}
