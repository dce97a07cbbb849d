//! The rules of alignment and scheduling: found where the GPU has them, as the CLRX table states them, and nowhere else; other
//! rules of a GPU file that the harness cannot know are found too.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use gcn_analysis::{PenaltyRow, Verdict};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_tests::{MeasuredRun, measure, part_of};

fn options(suite: Suite) -> MeasureOptions {
    MeasureOptions { suites: vec![suite], samples: 8, sweeps: 1, ..MeasureOptions::default() }
}

fn gpu(base: &str, lines: &str) -> Gpu {
    let text = format!("base = \"{base}\"\n{lines}");
    Gpu::from_toml(&text, "rules.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn alignment(base: &str, lines: &str) -> MeasuredRun {
    measure(&gpu(base, lines), &options(Suite::Alignment))
}

/// Tahiti as it ships.
fn tahiti() -> &'static MeasuredRun {
    static RUN: OnceLock<MeasuredRun> = OnceLock::new();
    RUN.get_or_init(|| alignment("tahiti", ""))
}

/// Penalties on one wave by rule, case and dword.
type Cases = BTreeMap<(String, String, Option<u32>), f64>;

fn cases(run: &MeasuredRun) -> Cases {
    let rows = run.analysis.penalties.iter().filter(|row| row.waves_per_simd == 1);
    let key = |row: &PenaltyRow| (row.experiment.clone(), row.case.clone(), row.offset_dwords);
    rows.filter_map(|row| Some((key(row), row.penalty?.value.0))).collect()
}

/// The penalties of a case at all dwords of a line.
fn line(run: &MeasuredRun, rule: &str, case: &str) -> Vec<f64> {
    let cases = cases(run);
    let at = |dword| cases.get(&(rule.to_owned(), case.to_owned(), Some(dword))).copied();
    (0..16).map(|dword| at(dword).unwrap_or_else(|| panic!("{rule} {case} at dword {dword} is missing"))).collect()
}

/// A pattern of a block, in units of a penalty, over a line.
fn repeated(block: &[u32], penalty: f64) -> Vec<f64> {
    block.iter().cycle().take(16).map(|count| f64::from(*count) * penalty).collect()
}

fn assert_line(run: &MeasuredRun, rule: &str, case: &str, expected: &[f64]) {
    let found = line(run, rule, case);
    let differs = found.iter().zip(expected).any(|(found, expected)| (found - expected).abs() > 1e-6);
    assert!(!differs, "{rule} {case}: {found:?} instead of {expected:?}");
}

/// No row of a rule contradicts the CLRX table, and all but those whose flags the simulator does not know have a number.
fn assert_as_published(run: &MeasuredRun, rules: &[&str]) {
    let rows: Vec<_> = run.analysis.penalties.iter().filter(|row| rules.contains(&row.experiment.as_str())).collect();
    assert!(rows.len() > 100, "{} rows", rows.len());
    for row in rows {
        assert_ne!(row.verdict, Verdict::Mismatch, "{row:?}");
        assert!(row.waves_per_simd > 1 || row.verdict == Verdict::Match, "{row:?}");
    }
}

const PLACES: [&str; 4] = ["alignment", "jump-forward", "jump-backward", "jump-not-taken"];

#[test]
fn gcn_1_0_and_1_1_have_the_published_rules() {
    // V_MUL_LO_U32 has 16 cycles on tahiti and 8 on hawaii, where more dwords are charged.
    for (name, long) in [("tahiti", [0, 0, 0, 1, 0, 0, 0, 0]), ("hawaii", [0, 0, 0, 1, 1, 1, 0, 0])] {
        let other;
        let run = match name {
            "tahiti" => tahiti(),
            _ => {
                other = alignment(name, "");
                &other
            }
        };
        assert_as_published(run, &PLACES);
        // The sentences, written out once more: dwords count from 0, a penalty is 4 cycles.
        let short = repeated(&[0, 0, 0, 1, 1, 1, 1, 1], 4.0);
        assert_line(run, "alignment", "V_BFE_U32", &short);
        assert_line(run, "alignment", "V_MUL_LO_U32", &repeated(&long, 4.0));
        assert_line(run, "jump-forward", "S_BRANCH", &repeated(&[0, 0, 0, 0, 0, 1, 2, 3], 4.0));
        assert_line(run, "jump-backward", "S_BRANCH", &[0.0; 16]);
        assert_line(run, "jump-not-taken", "S_CBRANCH_SCC0", &repeated(&[0, 0, 0, 0, 1, 2, 3, 4], 4.0));
        let front_end = run.analysis.front_end.as_ref().unwrap();
        assert_eq!((front_end.block.map(|bytes| bytes.0), front_end.free_dwords), (Some(32), 3), "{name}");
        assert!((front_end.penalty.0 - 4.0).abs() < 1e-6, "{name}: {front_end}");
    }
}

#[test]
fn gcn_1_2_and_1_4_have_none() {
    for name in ["fiji", "vega10"] {
        let run = alignment(name, "");
        assert_as_published(&run, &PLACES);
        let front_end = run.analysis.front_end.as_ref().unwrap();
        assert_eq!((front_end.block, front_end.penalty.0), (None, 0.0), "{name}");
        assert!(front_end.to_string().starts_with("no alignment penalty"), "{front_end}");
    }
}

#[test]
fn other_blocks_are_inferred() {
    let blocks = [(16, 1, 8), (64, 5, 12), (8, 1, 1), (128, 12, 4)];
    for &(block, free, penalty) in part_of(&blocks, 2, "two more blocks") {
        let lines = format!(
            "[front_end]\nblock_bytes = {block}\nfree_dwords = {free}\npenalty_cycles = {penalty}\n[instruction_cache]\nline_bytes = 128\n"
        );
        let run = alignment("tahiti", &lines);
        let found = run.analysis.front_end.as_ref().unwrap();
        assert_eq!(found.block.map(|bytes| bytes.0), Some(block), "{lines}{found}");
        assert_eq!(found.free_dwords, free, "{lines}{found}");
        assert!((found.penalty.0 - f64::from(penalty)).abs() < 1e-6, "{lines}{found}");
    }
}

#[test]
fn a_window_that_long_instructions_pay_to_cross_is_found() {
    // What LLVM's changes 203934, 181999 and 183064 say of gfx9: an 8-byte instruction across the edge of a 32-byte window costs.
    let run = alignment(
        "vega10",
        "[front_end]\nalignment_penalties = true\nblock_bytes = 32\nfree_dwords = 7\nlong_instruction_cycles_per_free_dword = 0\n\
         covering_cycles = 0\npenalty_cycles = 4\n",
    );
    assert_line(&run, "alignment", "V_MUL_LO_U32", &repeated(&[0, 0, 0, 0, 0, 0, 0, 1], 4.0));
    let found = run.analysis.front_end.as_ref().unwrap();
    assert_eq!((found.block.map(|bytes| bytes.0), found.free_dwords, found.penalty.0), (Some(32), 7, 4.0), "{found}");
}

#[test]
fn a_charge_at_every_dword_is_not_taken_for_none() {
    // Nothing is free, and long instructions have no free dwords at the end: no dword differs from another.
    let lines = "[front_end]\nfree_dwords = 0\nlong_instruction_cycles_per_free_dword = 0\n";
    let run = alignment("tahiti", lines);
    let found = run.analysis.front_end.as_ref().unwrap().to_string();
    assert!(found.starts_with("no dword differs from another, 4 cycles or more are charged at each"), "{found}");
    assert_eq!(line(&run, "alignment", "V_ADD_F32 in two dwords"), [4.0; 16]);
    assert_eq!(line(&run, "alignment", "V_BFE_U32"), [0.0; 16]);
}

#[test]
fn a_slow_or_throttled_probe_hides_no_charge() {
    for lines in
        ["[throughput]\nV_BFE_U32 = \"1/4\"\nV_ADD_F32 = \"1/4\"\n", "[cycles]\nV_BFE_U32 = 20\nV_AND_B32 = 12\n"]
    {
        let found = alignment("tahiti", lines);
        let found = found.analysis.front_end.as_ref().unwrap();
        assert_eq!(
            (found.block.map(|bytes| bytes.0), found.free_dwords, found.penalty.0),
            (Some(32), 3, 4.0),
            "{found}"
        );
    }
}

#[test]
fn a_rule_switched_off_changes_its_own_rows_alone() {
    let base = cases(tahiti());
    for (line, rule) in [
        ("jump_penalties = false", "jump-forward"),
        ("untaken_penalties = false", "jump-not-taken"),
        ("alignment_penalties = false", "alignment"),
    ] {
        let without = cases(&alignment("tahiti", &format!("[front_end]\n{line}\n")));
        assert_eq!(base.len(), without.len());
        let mut changed = 0;
        for (key, penalty) in &without {
            if key.0 == rule {
                changed += usize::from((penalty - base[key]).abs() > 1e-6);
                assert!(penalty.abs() < 1e-6, "{line}: {key:?} still costs {penalty}");
            } else {
                assert!((penalty - base[key]).abs() < 1e-6, "{line}: {key:?} changed from {} to {penalty}", base[key]);
            }
        }
        assert!(changed > 0, "{line} changed nothing");
    }
}

#[test]
fn pairs_wait_as_in_the_clrx_table_and_others_as_in_the_gpu_file() {
    let published = measure(&gpu("tahiti", ""), &options(Suite::Scheduling));
    let pairs = |run: &MeasuredRun| -> BTreeMap<String, f64> {
        cases(run).into_iter().filter(|(key, _)| key.0 == "scheduling").map(|(key, penalty)| (key.1, penalty)).collect()
    };
    let found = pairs(&published);
    for (pair, cycles) in [
        ("V_ADD_I32 > S_ADD_U32", 16.0),
        ("V_READFIRSTLANE_B32 > S_MOV_B32", 16.0),
        ("V_ADD_F32 > S_ADD_U32", 0.0),
        ("S_CMP_EQ_U32 > S_CBRANCH_SCC1", 4.0),
        ("S_AND_SAVEEXEC_B64 > S_CBRANCH_EXECZ", 4.0),
        ("V_ADD_I32 > V_ADD_F32", 0.0),
        ("V_READLANE_B32 > S_ADD_U32, dependent", 16.0),
        ("V_ADD_I32 > V_ADD_F32, dependent", 0.0),
    ] {
        assert!((found[pair] - cycles).abs() < 1e-6, "{pair}: {} instead of {cycles}", found[pair]);
    }
    let single = published.analysis.penalties.iter().filter(|row| row.waves_per_simd == 1);
    assert!(single.clone().all(|row| row.verdict != Verdict::Mismatch));
    let other = "[scheduling]\nvector_to_scalar_producers = [\"V_AND_B32\"]\nvector_to_scalar_delay_cycles = 8\n\
                 flag_branch_penalty_cycles = 12\n";
    let other = pairs(&measure(&gpu("tahiti", other), &options(Suite::Scheduling)));
    for (pair, cycles) in [
        ("V_ADD_I32 > S_ADD_U32", 0.0),
        ("V_AND_B32 > S_ADD_U32", 8.0),
        ("S_CMP_EQ_U32 > S_CBRANCH_SCC1", 12.0),
        ("V_AND_B32 > V_MOV_B32", 0.0),
    ] {
        assert!((other[pair] - cycles).abs() < 1e-6, "{pair}: {} instead of {cycles}", other[pair]);
    }
}
