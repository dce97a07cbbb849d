//! `predict --compare`.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use super::predicted_schema::{Schema, changed};
use super::{CommandOutput, failure, run, temporary, text, wrong_use};

/// A reciprocal and a product, and the same with another product after a further instruction.
const BEFORE: &str = "a:\nv_rcp_f32 v1, v0\nv_mul_f32 v2, v0, v0\ns_branch a\n";
const AFTER: &str = "v_nop\nb:\nv_rcp_f32 v1, v0\nv_mul_f32 v3, v0, v0\nv_mul_f32 v2, v0, v0\ns_branch b\n";
/// The cycles of the waits are an estimate.
const WAITS: &str = "a:\ns_waitcnt lgkmcnt(0)\ns_waitcnt lgkmcnt(0)\ns_branch a\n";
const PRODUCTS: &str = "a:\nv_mul_f32 v2, v0, v0\nv_mul_f32 v2, v0, v0\nv_mul_f32 v2, v0, v0\ns_branch a\n";

struct Files {
    folder: TempDir,
}

impl Files {
    fn new() -> Self {
        Self { folder: temporary() }
    }

    fn put(&self, name: &str, code: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        fs::write(&path, code).unwrap();
        path
    }

    fn compare(&self, codes: [&str; 2], arguments: &[&str]) -> CommandOutput {
        let [before, after] = [("before.s", codes[0]), ("after.s", codes[1])].map(|(name, code)| self.put(name, code));
        run(&[&["predict", text(&before), "--gpu", "fiji", "--compare", text(&after)], arguments].concat())
    }

    fn json(&self, codes: [&str; 2], arguments: &[&str]) -> Value {
        let said = self.compare(codes, &[arguments, &["--json"]].concat());
        assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
        serde_json::from_str(&said.out).unwrap()
    }
}

#[test]
fn two_files_are_shown_side_by_side() {
    let files = Files::new();
    let said = files.compare([BEFORE, AFTER], &[]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    insta::assert_snapshot!("compared", said.out.replace(text(files.folder.path()), "FOLDER"));

    let comparison = &files.json([BEFORE, AFTER], &["--waves", "3"])["comparisons"][0];
    for side in ["before", "after"] {
        let lines = comparison["lines"].as_array().unwrap();
        let sum: f64 = lines.iter().map(|line| line[side].as_f64().unwrap()).sum();
        let cycles = comparison[side]["cycles_per_iteration"].as_f64().unwrap();
        assert!((sum - cycles).abs() <= 1e-9 * cycles, "{side}: {sum} of {cycles}");
    }
    let same = &files.json([BEFORE, BEFORE], &[])["comparisons"][0]["change"];
    assert_eq!((&same["verdict"], &same["percent"]), (&"same".into(), &0.0.into()));
}

#[test]
fn a_slowdown_above_the_limit_ends_with_exit_code_3() {
    let files = Files::new();
    // 4 cycles more than 16 + 4 + 20.
    let refused = files.compare([BEFORE, AFTER], &["--fail-above", "9.9"]);
    assert_eq!(refused.code, Some(3), "{}", refused.error);
    let [before, after] = ["before.s", "after.s"].map(|name| files.folder.path().join(name));
    let told = format!("{}: loop at 0x4: 10.0 % slower than in {}; the limit is 9.9 %\n", text(&after), text(&before));
    assert_eq!(refused.error, format!("gcn-timings: {told}"));
    let allowed = files.compare([BEFORE, AFTER], &["--fail-above", "10.1"]);
    assert_eq!((allowed.code, allowed.error.as_str()), (Some(0), ""));
    assert_eq!(allowed.out, refused.out);
    assert_eq!(files.compare([AFTER, BEFORE], &["--fail-above", "0"]).code, Some(0));
}

#[test]
fn comparisons_that_depend_on_an_estimate_are_undecided() {
    let files = Files::new();
    let verdict = |codes| files.json(codes, &[])["comparisons"][0]["change"]["verdict"].clone();
    assert_eq!(verdict([WAITS, PRODUCTS]), "undecided");
    let said = files.compare([WAITS, PRODUCTS], &[]);
    assert!(said.out.contains("\n  not decided: the second is "), "{}", said.out);
    // The same estimate is in both: one of them is the longer one, whatever the waits take.
    let more = WAITS.replace("s_branch", "v_nop\ns_branch");
    let comparison = &files.json([WAITS, &more], &[])["comparisons"][0];
    let end = |side: &str, end: &str| comparison[side]["envelope"][end].as_f64().unwrap();
    assert!(end("before", "high") > end("after", "low"), "the envelopes overlap");
    assert_eq!(comparison["change"]["verdict"], "longer");
}

#[test]
fn json_of_a_comparison_follows_its_schema() {
    let schema = Schema::of_comparisons();
    let files = Files::new();
    let mut tried = 0;
    for answer in [files.json([BEFORE, AFTER], &[]), files.json([WAITS, PRODUCTS], &["--waves", "auto"])] {
        assert_eq!(schema.refuses(&answer), None);
        // A code may take less long than another.
        for (what, document) in changed(&answer).into_iter().filter(|(what, _)| !what.ends_with("percent: below zero"))
        {
            assert!(schema.refuses(&document).is_some(), "{what} is not refused");
            tried += 1;
        }
    }
    assert!(tried > 100, "{tried}");
}

#[test]
fn comparisons_that_cannot_be_made_are_refused_in_words() {
    let files = Files::new();
    let [one, two] = [("one.s", BEFORE), ("two.s", "a:\nv_nop\ns_branch a\nb:\nv_nop\ns_branch b\n")]
        .map(|(name, code)| files.put(name, code));
    let of = |arguments: &[&str]| failure(&[&["predict", text(&one), "--compare", text(&two)], arguments].concat());
    let refusal = of(&[]);
    assert!(
        refusal.contains("one.s has 1 (loop at 0x0), and ")
            && refusal.contains("two.s has 2 (loop at 0x0, loop at 0x8): choose one region of each with --region"),
        "{refusal}"
    );
    assert!(of(&["--waves", "all"]).contains("not --waves all"));
    assert!(of(&["--format", "csv"]).contains("a comparison is printed as text or JSON"));
    let said = run(&["predict", text(&one), "--compare", text(&two), "--region", "loop at 0x0"]);
    assert_eq!((said.code, said.error.as_str()), (Some(0), ""));
    assert!(failure(&["predict", "-", "--compare", "-"]).contains("standard input can be one of the two files"));
    assert!(wrong_use(&["predict", text(&one), "--fail-above", "1"]).contains("--compare"));
    assert!(wrong_use(&["predict", "a", "--compare", "b", "--trip", "1"]).contains("cannot be used with"));
    assert!(wrong_use(&["predict", "a", "--compare", "b", "--fail-above=-1"]).contains("a number from 0 on"));
}
