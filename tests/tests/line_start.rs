//! GPUs whose front end charges the start of a line or block too, where the instructions suite measures 2-dword instructions and jumps. The
//! charged is taken off where twins in one dword show it, and else said to be unknown; no row has it in its number.

use std::collections::BTreeMap;

use gcn_analysis::{Measured, Quantity, Status, TimingRow, Verdict};
use gcn_harness::experiment::MeasureOptions;
use gcn_model::quantity::Cycles;
use gcn_tests::{MeasuredRun, blind_gpu, measure, only};

/// 2-dword instructions of all units, short and long ones, and jumps.
const INSTRUCTIONS: [&str; 11] = [
    "V_BFE_U32",
    "V_FMA_F32",
    "V_MUL_LO_U32",
    "V_ADD_F64",
    "V_MAD_F32",
    "DS_READ_B32",
    "BUFFER_LOAD_DWORD",
    "BUFFER_ATOMIC_ADD",
    "S_BRANCH",
    "S_CBRANCH_SCC1",
    "V_ADD_F32",
];

fn run(front_end: &str) -> MeasuredRun {
    // Of the twins, those of double precision are longer than all others then.
    run_of(8, front_end)
}

fn run_of(dp_factor: u32, front_end: &str) -> MeasuredRun {
    let gpu = blind_gpu("tahiti", &format!("dp_factor = {dp_factor}\n{front_end}"));
    measure(&gpu, &only(&INSTRUCTIONS, &[1, 2, 4]))
}

fn rows(run: &MeasuredRun) -> BTreeMap<&str, &TimingRow> {
    run.analysis.timings.iter().map(|row| (row.instruction.as_str(), row)).collect()
}

/// Compares a run with that of a card that charges nothing there; returns the instructions whose cycles are unknown.
fn untold<'a>(truth: &'a MeasuredRun, found: &MeasuredRun) -> Vec<&'a str> {
    let (truth, found) = (rows(truth), rows(found));
    let mut untold = Vec::new();
    for (name, truth) in truth {
        let row = found[name];
        for (truth, found) in [(truth.cycles, row.cycles), (truth.latency, row.latency), (truth.taken, row.taken)] {
            let Some(truth) = truth else { continue };
            match found {
                Some(found) => assert!((found.value.0 - truth.value.0).abs() < 0.05, "{name}: {row:?}"),
                None => {
                    assert!(row.status == Status::Unstable || row.cycles.is_some(), "{row:?}");
                    assert!(row.detail.contains("start of a line") || row.detail.contains("cycles did not"), "{row:?}");
                    untold.push(name);
                }
            }
        }
    }
    untold.dedup();
    untold
}

/// What sources say that was measured to be otherwise.
fn differing(run: &MeasuredRun) -> Vec<(&str, &str, Quantity)> {
    let differing = run.analysis.validation.iter().filter(|row| row.verdict == Verdict::Mismatch);
    differing.map(|row| (row.source.as_str(), row.instruction.as_str(), row.quantity)).collect()
}

#[test]
fn a_charge_at_all_starts_is_subtracted() {
    let truth = run("");
    assert_eq!(untold(&truth, &truth), [""; 0]);
    let all_long = "long_instruction_cycles_per_free_dword = 0\n";
    for lines in [
        format!("[front_end]\nfree_dwords = 0\n{all_long}"),
        format!("[front_end]\nfree_dwords = 0\npenalty_cycles = 7\n{all_long}"),
        // Half of the lines are in the second half of a block.
        format!("[instruction_cache]\nline_bytes = 128\n[front_end]\nblock_bytes = 128\n{all_long}"),
    ] {
        let found = run(&lines);
        assert_eq!(untold(&truth, &found), [""; 0], "{lines}");
        let of_truth = differing(&truth);
        let false_verdicts: Vec<_> =
            differing(&found).into_iter().filter(|verdict| !of_truth.contains(verdict)).collect();
        assert!(false_verdicts.is_empty(), "{lines}: {false_verdicts:?}");
    }
}

#[test]
fn a_charge_that_no_place_avoids_is_a_part_of_the_jump() {
    let plain = run("");
    let taken = run("[front_end]\njump_free_dwords = 0\n");
    let untaken = run("[front_end]\nuntaken_free_dwords = 0\n");
    let longer = |found: &MeasuredRun, name: &str, of: fn(&TimingRow) -> Option<Measured<Cycles>>| {
        let [found, plain] = [rows(found)[name], rows(&plain)[name]].map(|row| of(row).map(|number| number.value.0));
        (found.unwrap() - plain.unwrap()).round()
    };
    for name in ["S_BRANCH", "S_CBRANCH_SCC1"] {
        assert_eq!((longer(&taken, name, |row| row.taken), longer(&untaken, name, |row| row.taken)), (4.0, 0.0));
    }
    let name = "S_CBRANCH_SCC1";
    assert_eq!((longer(&taken, name, |row| row.cycles), longer(&untaken, name, |row| row.cycles)), (0.0, 4.0));
}

#[test]
fn charges_without_a_long_enough_twin_are_unknown() {
    // A front end may charge no instruction of 20 cycles: these may take 20, or 16 and a charge. Of the vector ones many waves tell, as they hide
    // each other's charges.
    let truth = run_of(2, "");
    let found = run_of(2, "[front_end]\nfree_dwords = 0\n");
    assert_eq!(untold(&truth, &found), ["BUFFER_ATOMIC_ADD"]);
    let rows = rows(&found);
    assert!(rows["BUFFER_ATOMIC_ADD"].detail.contains("16 to 20 cycles"), "{:?}", rows["BUFFER_ATOMIC_ADD"]);
    // From 16 cycles on, all dwords of a block are the last ones, which are free: twins of 8 cycles pay, those of 16 do not.
    let found = run_of(2, "[front_end]\nfree_dwords = 0\nlong_instruction_cycles_per_free_dword = 2\n");
    assert_eq!(untold(&truth, &found), ["BUFFER_ATOMIC_ADD", "BUFFER_LOAD_DWORD"]);
}

/// Where a line of 128 bytes starts, blocks of all sizes do: no twin has to tell what the second half of a block costs.
#[test]
fn blocks_of_a_whole_line_charge_nothing_at_its_start() {
    let truth = run_of(2, "");
    let found = run_of(2, "[instruction_cache]\nline_bytes = 128\n[front_end]\nblock_bytes = 128\nfree_dwords = 1\n");
    assert_eq!(untold(&truth, &found), [""; 0]);
}

/// A counter that moves in steps leaves an error in each line of copies. It must not hide whether the line is charged.
#[test]
fn steps_of_a_counter_hide_no_charge() {
    let names = ["V_BFE_U32", "V_FMA_F32", "V_SAD_U32", "V_MUL_LO_U32"];
    let lines = "[front_end]\nalignment_penalties = true\nblock_bytes = 32\nfree_dwords = 6\npenalty_cycles = 8\n\
                 [noise]\nseed = 7\ncounter_step_cycles = 4\n";
    let options = MeasureOptions { samples: 20, ..only(&names, &[1, 2, 4]) };
    let run = measure(&blind_gpu("rx7900xtx", lines), &options);
    let untold: Vec<_> = run.analysis.timings.iter().filter(|row| row.detail.contains("start of a line")).collect();
    assert!(untold.is_empty(), "{untold:?}");
}
