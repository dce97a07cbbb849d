//! The 95 % interval holds the truth in 95 % of all runs: neither too narrow (overconfident) nor too wide (useless).

use crate::lcg::Lcg;
use crate::synthetic::{Noise, SyntheticRun, vop3};
use gcn_analysis::{DelayedRate, Sample, SlopeRules};
use gcn_model::quantity::Cycles;

/// Runs that are simulated for each kind of noise: the share is then known to ±0.5 % (one standard deviation).
const SEEDS: u64 = 2000;

/// Samples of code whose block takes `block` cycles, as one seed's run would give them.
fn samples(seed: u64, noise: Noise, passes: u32, block: u64) -> Vec<Sample> {
    let mut lcg = Lcg::new(seed);
    let mut samples = Vec::new();
    for n in [8, 16, 32] {
        for _ in 0..passes {
            let (begin, end) = noise.readings(&mut lcg, 0, 41 + u64::from(n) * block);
            samples.push(Sample { n, cycles: Cycles(end as f64 - begin as f64) });
        }
    }
    samples
}

/// Share of the seeds whose interval holds the truth, and share that did not settle; the block is all that the bound allows.
fn coverage(noise: Noise, passes: u32) -> (f64, f64) {
    let (block, rules) = (32, SlopeRules { least_block: 32.0, ..SlopeRules::default() });
    let (mut inside, mut unsettled) = (0u32, 0u32);
    for seed in 0..SEEDS {
        match rules.slope(&samples(seed, noise, passes, block)) {
            Ok(slope) => {
                let (low, high) = (slope.estimate.low(), slope.estimate.high());
                inside += u32::from(low <= block as f64 && block as f64 <= high);
            }
            Err(_) => unsettled += 1,
        }
    }
    let settled = SEEDS - u64::from(unsettled);
    (f64::from(inside) / settled as f64, f64::from(unsettled) / SEEDS as f64)
}

fn assert_covers(noise: Noise, passes: u32) {
    let (inside, unsettled) = coverage(noise, passes);
    assert!((0.93..=0.97).contains(&inside), "{:.1} % of the intervals hold the truth", 100.0 * inside);
    // Three of twelve samples are late the same way in one run of a hundred, and look like a mode; that is measured again.
    assert!(unsettled < 0.015, "{:.2} % did not settle", 100.0 * unsettled);
}

#[test]
fn small_discrete_jitter() {
    for jitter in [1, 2, 3, 7] {
        assert_covers(Noise { jitter, ..Noise::default() }, 32);
    }
}

#[test]
fn wide_jitter() {
    assert_covers(Noise { jitter: 200, ..Noise::default() }, 32);
}

#[test]
fn jitter_with_late_readings() {
    for passes in [12, 32, 60] {
        assert_covers(Noise::USUAL, passes);
    }
}

#[test]
fn few_samples_give_honest_intervals() {
    for passes in [2, 3, 4] {
        assert_covers(Noise { jitter: 12, ..Noise::default() }, passes);
    }
}

#[test]
fn without_noise_the_interval_has_no_width() {
    let slope = SlopeRules::default().slope(&samples(1, Noise::default(), 4, 32)).expect("a slope");
    assert!((slope.estimate.value - 32.0).abs() < 1e-9 && slope.estimate.half_width() < 1e-9);
}

#[test]
fn cycles_latency_and_throughput_of_whole_runs() {
    const RUNS: u64 = 400;
    let (mut inside, mut settled) = ([0u32; 3], [0u32; 3]);
    for seed in 0..RUNS {
        let mut run = SyntheticRun::new("gfx600", "1.0", 1000 + seed).with_noise(Noise::USUAL);
        run.filler();
        run.cycles(vop3("V_FMA_F64"), 16);
        run.chain(vop3("V_FMA_F64"), 16, 24);
        // A lone number of waves is doubted.
        run.throughput(vop3("V_FMA_F64"), 1, 16, 4);
        run.throughput(vop3("V_FMA_F64"), 2, 16, 4);
        let analysis = run.analysis_in_memory();
        let row = &analysis.timings[0];
        let found = [
            (row.cycles.map(|found| found.numbers()), 16.0),
            (row.latency.map(|found| found.numbers()), 24.0),
            (row.throughput.map(|found| found.numbers()), 0.25),
        ];
        for (quantity, (numbers, truth)) in found.into_iter().enumerate() {
            if let Some([_, low, high]) = numbers {
                settled[quantity] += 1;
                inside[quantity] += u32::from(low <= truth && truth <= high);
            }
        }
    }
    for (quantity, name) in ["cycles", "latency", "throughput"].into_iter().enumerate() {
        let share = f64::from(inside[quantity]) / f64::from(settled[quantity]);
        // 400 runs tell the share to ±1.1 % (one standard deviation).
        // A throughput's interval touches those of all numbers of waves: it holds more.
        let most = if name == "throughput" { 1.0 } else { 0.98 };
        assert!((0.92..=most).contains(&share), "{name}: {:.1} % hold the truth", 100.0 * share);
        assert!(f64::from(settled[quantity]) > 0.98 * RUNS as f64, "{name}: {} of {RUNS} settled", settled[quantity]);
    }
}

/// Lengths that a counter in steps of 4 shows half a step too short or too long: the worst that it can do.
#[test]
fn the_interval_holds_the_worst_of_a_counter_in_steps() {
    let off = [(16, -2.0), (32, -2.0), (64, 2.0)];
    let samples: Vec<Sample> =
        off.iter().flat_map(|&(n, off)| [Sample { n, cycles: Cycles(f64::from(n) + 100.0 + off) }; 20]).collect();
    let late = DelayedRate { step: 4.0, samples: 1000, ..DelayedRate::default() };
    let rules = SlopeRules { late, least_issue: 1.0, ..SlopeRules::default() };
    let slope = rules.slope(&samples).expect("a slope").estimate;
    assert!(slope.value > 1.05 && slope.low() < 1.0, "{slope:?}");
}
