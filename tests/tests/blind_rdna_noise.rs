//! RDNA cards in noise: how often the intervals of 95 % hold the truth.

use std::collections::BTreeMap;

use gcn_harness::experiment::MeasureOptions;
use gcn_tests::{Intervals, ROUNDING, blind_gpu, cycles, latencies, measure, only};

const SOME: [&str; 12] = ["V_ADD_F*", "V_MUL_*", "V_LSHL*", "V_EXP_F32", "V_RCP_F32", "V_FMA_F*", "V_MIN_*", "V_XOR_*", "V_CVT_F32_*", "S_ADD_*", "S_AND_*", "S_LSHL*"];

fn options() -> MeasureOptions {
    MeasureOptions { sweeps: 2, ..only(&SOME, &[]) }
}

#[test]
fn look() {
    let mut all: BTreeMap<(String, &str), [usize; 2]> = BTreeMap::new();
    for base in ["rx6800", "rx7900xtx"] {
        let quiet = measure(&blind_gpu(base, ""), &options());
        let truths = [cycles(&quiet), latencies(&quiet)];
        for (level, noise) in [("L1", "jitter_cycles = 3\noutlier_rate = 0.005\noutlier_cycles = 400\n"), ("L2", "jitter_cycles = 8\noutlier_rate = 0.02\noutlier_cycles = 4000\npreemption_rate = 0.002\npreemption_cycles = 10000\neviction_rate = 0.005\n"), ("L3", "jitter_cycles = 16\noutlier_rate = 0.04\noutlier_cycles = 4000\npreemption_rate = 0.005\npreemption_cycles = 10000\neviction_rate = 0.02\n")] {
            for seed in 1..3 {
                let start = std::time::Instant::now();
                let run = measure(&blind_gpu(base, &format!("[noise]\nseed = {seed}\n{noise}")), &options());
                for (what, truth, found) in [("cycles", &truths[0], cycles(&run)), ("latency", &truths[1], latencies(&run))] {
                    let (held, of) = score(truth, &found, &format!("{base} {level} {seed} {what}"));
                    let counts = all.entry((format!("{level} {base}"), what)).or_default();
                    *counts = [counts[0] + held, counts[1] + of];
                }
                println!("{base} {level} {seed}: {:?}", start.elapsed());
            }
        }
    }
    for (key, [held, of]) in all { println!("{key:?}: {held} of {of}: {:.1} %", 100.0 * held as f64 / of as f64); }
    panic!();
}

fn score(truth: &Intervals, found: &Intervals, what: &str) -> (usize, usize) {
    let mut held = 0;
    println!("{what}: {} truths, {} found", truth.len(), found.len());
    for (name, [value, low, high]) in found {
        let Some([truth, ..]) = truth.get(name) else { continue };
        let holds = low - ROUNDING <= *truth && *truth <= high + ROUNDING;
        held += usize::from(holds);
        if !holds { println!("   {name}: {value} [{low}, {high}] truth {truth}"); }
    }
    (held, found.len())
}
