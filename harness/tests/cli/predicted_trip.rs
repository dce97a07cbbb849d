//! `predict --trip` and `--start`.

use serde_json::Value;

use super::predicted::{LOOP, of_text};
use super::{failure, run, wrong_use};

/// A loop that waits for memory.
const MEMORY: &str = "a:\nbuffer_load_dword v1, v0, s[8:11], 0 offen\ns_waitcnt vmcnt(0)\ns_branch a\n";

fn trip(code: &str, arguments: &[&str]) -> Value {
    let said = of_text(code, &[arguments, &["--gpu", "fiji", "--json"]].concat());
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{arguments:?}");
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    answer["predictions"][0]["trip"].clone()
}

#[test]
fn a_number_of_iterations_has_a_total() {
    let said = of_text(MEMORY, &["--gpu", "fiji", "--trip", "1000"]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    insta::assert_snapshot!("trip", said.out);
    let said = run(&["predict", LOOP, "--gpu", "fiji", "--waves", "3", "--trip", "1000000", "--start", "cold=dram"]);
    let trip = said.out.split_once("  trip: 1000000 iterations take ").unwrap().1;
    for told in [
        "extrapolated: 320 iterations were simulated, ",
        "the instruction cache is cold: the first iteration takes ",
        " cycles more for its 2 lines of 64 bytes; a missing line takes 410 cycles, the middle of 400 to 420: ",
    ] {
        assert!(trip.contains(told), "{told}: {trip}");
    }
}

#[test]
fn a_cold_cache_costs_its_lines_and_a_warm_one_nothing() {
    let straight = "v_mul_f32 v1, v0, v0\n".repeat(40);
    let of = |start: &str| trip(&straight, &["--trip", "1", "--simds", "1", "--start", start]);
    let cycles = |trip: &Value, field: &str| trip[field].as_f64().unwrap();
    let (warm, cold, dram) = (of("warm"), of("cold=100"), of("cold=dram"));
    assert_eq!(cycles(&warm, "cycles"), 160.0);
    assert_eq!((cycles(&cold, "cycles"), cycles(&cold, "cold_cycles")), (160.0 + 3.0 * 100.0, 300.0));
    assert_eq!(
        ["low", "cycles", "high"].map(|end| cycles(&dram, end)),
        [400.0, 410.0, 420.0].map(|line| 160.0 + 3.0 * line)
    );
    assert_eq!((&warm["starts_warm"], &cold["lines"]), (&true.into(), &3.into()));
    assert!(dram["cold_line"]["source"].as_str().unwrap().contains("R9 Nano"));
    // The later iterations find the code there.
    let first = trip(MEMORY, &["--trip", "1"]);
    let tenth = trip(MEMORY, &["--trip", "10"]);
    assert_eq!(cycles(&first, "cold_cycles"), cycles(&tenth, "cold_cycles"));
}

#[test]
fn totals_that_have_no_place_are_refused_in_words() {
    let of = |arguments: &[&str]| failure(&[&["predict", LOOP, "--gpu", "fiji"], arguments].concat());
    assert!(of(&["--start", "warm"]).contains("--start says how a run begins: add --trip N, or --launch"));
    assert!(of(&["--trip", "3", "--format", "csv"]).contains("--trip is printed as text or JSON"));
    assert!(of(&["--trip", "3", "--waves", "all"]).contains("--trip does not fit the table of --waves all"));
    let usage = |arguments: &[&str]| wrong_use(&[&["predict", LOOP], arguments].concat());
    assert!(usage(&["--trip", "0"]).contains("0 is not in"));
    assert!(usage(&["--trip", "3", "--start", "hot"]).contains("`warm`, `cold`, or `cold=`"));
    assert!(usage(&["--trip", "3", "--launch", "x.toml"]).contains("cannot be used with"));
}
