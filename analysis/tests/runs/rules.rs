//! What each rule does to the readings of whole runs, and that every reading is counted once.

use gcn_analysis::{DropRule, EstimateRow, Results, Status};
use gcn_model::record::Reading;

use crate::synthetic::{Noise, SyntheticRun, vop2, vop3, whole_summary};

const LATE: Noise = Noise { jitter: 3, outlier_rate: 0.02, outlier_cycles: 4000, doubled_rate: 0.0 };

/// Where V_ADD_F32 takes 4 cycles, with 40 passes of each length in ten launches.
fn run_of_launches() -> SyntheticRun {
    let mut run = SyntheticRun::new("gfx600", "1.0", 5).with_noise(Noise { outlier_rate: 0.0, ..LATE });
    run.passes = 40;
    run.filler();
    run.cycles(vop2("V_ADD_F32"), 4);
    run.readings.iter_mut().for_each(|reading| reading.launch = reading.pass / 4);
    run
}

fn elapsed(reading: &Reading) -> u64 {
    reading.end - reading.begin
}

fn estimate(analysis: &Results, experiment: &str) -> EstimateRow {
    analysis.estimates.iter().find(|row| row.experiment == experiment).expect("a row").clone()
}

/// Cycles of V_ADD_F32's block of eight, if they settled, and the row.
fn add(run: &SyntheticRun) -> (Option<f64>, EstimateRow) {
    let row = estimate(&run.analysis_in_memory(), "V_ADD_F32/cycles");
    assert!(row.tally.adds_up(), "{row:?}");
    (row.value.map(|found| found.value), row)
}

#[test]
fn less_than_the_wave_needs_is_impossible_however_near() {
    let mut run = run_of_launches();
    // 4 cycles for each of 8 n instructions, and one less: well inside of what Hampel's rule would keep at n = 8.
    for reading in run.readings.iter_mut().filter(|reading| reading.pass == 7) {
        reading.end = reading.begin + 4 * 8 * u64::from(reading.n) - 1;
    }
    let (block, row) = add(&run);
    assert!((block.unwrap() - 32.0).abs() < 0.1, "{row:?}");
    assert_eq!((row.tally.count(DropRule::BelowBound), row.tally.dropped.total(), row.tally.used), (3, 3, 117));
    for reading in &mut run.readings {
        reading.end += u64::from(reading.pass == 7);
    }
    let (_, row) = add(&run);
    assert_eq!(row.tally.count(DropRule::BelowBound), 0, "what is just possible is not dropped by this rule: {row:?}");
}

#[test]
fn doubled_samples_are_named_apart_from_late_ones() {
    let mut run = run_of_launches();
    for reading in run.readings.iter_mut().filter(|reading| reading.experiment.starts_with("V_ADD")) {
        match reading.pass {
            9 | 19 | 29 => reading.end += elapsed(reading),
            // The code alone is doubled, not the readings around it.
            39 => reading.end += elapsed(reading) - 41,
            5 => reading.end += 4000,
            _ => {}
        }
    }
    let (block, row) = add(&run);
    assert!((block.unwrap() - 32.0).abs() < 0.1, "{row:?}");
    assert_eq!((row.tally.count(DropRule::Doubled), row.tally.count(DropRule::Late)), (12, 3), "{row:?}");
    assert_eq!(row.tally.dropped.to_string(), "12 exactly doubled, 3 late (Hampel)");
}

#[test]
fn launches_that_are_doubled_as_a_whole_are_judged_in_one_pool() {
    let with_doubled = |launches: u32| {
        let mut run = run_of_launches();
        for reading in run.readings.iter_mut().filter(|reading| reading.launch < launches) {
            reading.end += elapsed(reading);
        }
        add(&run)
    };
    let (block, row) = with_doubled(1);
    assert!((block.unwrap() - 32.0).abs() < 0.1 && row.tally.count(DropRule::Doubled) == 12, "{row:?}");
    for launches in [3, 5, 7] {
        let (block, row) = with_doubled(launches);
        assert_eq!((block, row.status), (None, Status::Unstable), "{row:?}");
        let words = format!("doubled: at n = 8, {} of 40 samples take exactly twice as long", 4 * launches);
        assert!(row.detail.starts_with(&words), "{row:?}");
        assert_eq!((row.tally.used, row.tally.no_estimate), (0, 120));
    }
    // The mirror case: nine of ten launches are doubled, and only the one that is not says so.
    let (block, row) = with_doubled(9);
    assert_eq!((block, row.status), (None, Status::Unstable), "{row:?}");
    assert!(row.detail.contains("12 of 120 samples take exactly half as long"), "{row:?}");
}

#[test]
fn a_slope_that_no_wave_can_issue_at_is_no_estimate() {
    let mut run = run_of_launches();
    // Each sample is possible, being long; only the slope, of 3 cycles an instruction, is not.
    for reading in &mut run.readings {
        reading.end = reading.begin + 3000 + elapsed(reading) * 3 / 4;
    }
    let (block, row) = add(&run);
    assert_eq!((block, row.status), (None, Status::Unstable), "{row:?}");
    assert!(
        row.detail.starts_with("below the bound: 2.9") || row.detail.starts_with("below the bound: 3.0"),
        "{row:?}"
    );
}

#[test]
fn a_target_that_no_wave_can_issue_so_fast_is_no_estimate_and_is_measured_again() {
    let mut run = SyntheticRun::new("gfx600", "1.0", 5);
    run.filler();
    run.cycles(vop3("V_FMA_F64"), 4);
    // One of 7 instructions takes 3 cycles: the slope alone is within a quarter cycle of the possible.
    for reading in run.readings.iter_mut().filter(|reading| reading.experiment.starts_with("V_FMA")) {
        reading.end -= u64::from(reading.n);
    }
    let analysis = run.analysis_in_memory();
    let row = &analysis.timings[0];
    assert_eq!((row.cycles, row.status), (None, Status::Unstable), "{row:?}");
    assert!(row.detail.contains("below the bound: 3.00 to 3.00 cycles"), "{row:?}");
    assert_eq!(analysis.unsettled, ["V_FMA_F64/cycles"]);
}

#[test]
fn waves_cannot_do_more_together_than_each_of_them_issues() {
    let mut run = SyntheticRun::new("gfx600", "1.0", 5);
    run.throughput(vop2("V_ADD_F32"), 1, 4, 1);
    let at = |run: &SyntheticRun| run.analysis_in_memory().throughputs[0].clone();
    assert!((at(&run).throughput.unwrap().value.0 - 1.0).abs() < 1e-3);
    for reading in &mut run.readings {
        reading.end = reading.begin + 20_000 + elapsed(reading) * 3 / 4;
    }
    let row = at(&run);
    assert_eq!((row.throughput, row.status), (None, Status::Unstable), "{row:?}");
    assert!(row.detail.contains("above the bound: 1.33") && row.detail.contains("do 1.0000 at most"), "{row:?}");
}

#[test]
fn a_wave_below_the_bound_is_left_out_and_a_group_of_them_dropped() {
    let mut run = SyntheticRun::new("gfx600", "1.0", 5);
    run.throughput(vop2("V_ADD_F32"), 2, 4, 1);
    let quiet = estimate(&run.analysis_in_memory(), "V_ADD_F32/throughput@2");
    let late = |run: &mut SyntheticRun, launch: u32, waves: u32| {
        let is_meant = |reading: &&mut Reading| reading.launch == launch && reading.wave < waves;
        run.readings.iter_mut().filter(is_meant).for_each(|reading| reading.begin = reading.end - 100);
    };
    late(&mut run, 1, 1);
    late(&mut run, 2, 3);
    let row = estimate(&run.analysis_in_memory(), "V_ADD_F32/throughput@2");
    // One wave of the first group, and all eight of the second.
    assert_eq!((row.tally.count(DropRule::BelowBound), row.tally.used), (9, quiet.tally.used - 9), "{row:?}");
    assert!(row.tally.adds_up() && row.detail.contains("1 with waves below the bound"), "{row:?}");
    assert!((row.value.unwrap().value - quiet.value.unwrap().value).abs() < 0.5, "{row:?}");
}

#[test]
fn every_reading_of_a_noisy_run_is_counted_once() {
    for seed in 0..20 {
        let noise = Noise { doubled_rate: 0.04, outlier_rate: 0.03, ..LATE };
        let mut run = SyntheticRun::new("gfx803", "1.2", seed).with_noise(noise);
        run.filler();
        run.cycles(vop2("V_ADD_F32"), 4);
        run.chain(vop3("V_FMA_F64"), 16, 20);
        run.cycles(vop3("V_FMA_F64"), 16);
        run.cycles_each(vop3("S_LOAD_DWORDX16"), |draw| 16 + draw % 8);
        for waves in [1, 2, 4] {
            run.throughput(vop2("V_ADD_F32"), waves, 4, 1);
        }
        run.noise = Noise { doubled_rate: 0.5, ..noise };
        run.cycles(vop2("V_MUL_F32"), 4);
        // Of each launch a wave moved within one unit, and one was placed on another SIMD.
        for reading in run.readings.iter_mut().filter(|reading| reading.experiment.ends_with("@2")) {
            match (reading.launch % 3, reading.hw_id) {
                (0, 0x000) => reading.hw_id_end = 0x005,
                (1, 0x110) => (reading.hw_id, reading.hw_id_end) = (0x105, 0x105),
                _ => {}
            }
        }
        // And of some launches a wave ran after all others.
        for reading in run.readings.iter_mut().filter(|reading| reading.experiment.ends_with("@1")) {
            if reading.launch % 4 == 0 && reading.hw_id == 0x030 {
                reading.begin += 1_000_000;
                reading.end += 1_000_000;
            }
        }
        let analysis = run.analysis_in_memory();
        let stored = |id: &str| run.readings.iter().filter(|reading| reading.experiment == id).count();
        assert_eq!(analysis.estimates.len(), run.experiments.len());
        for row in &analysis.estimates {
            assert!(row.tally.adds_up() && row.tally.readings == stored(&row.experiment), "{seed}: {row:?}");
            assert_eq!(row.value.is_some(), row.tally.used > 0, "{seed}: {row:?}");
            assert_eq!(row.value.is_some(), row.status == Status::Ok, "{seed}: {row:?}");
        }
        let tally = analysis.tally();
        assert_eq!((tally.readings, tally.alone), (run.readings.len(), run.passes as usize), "{seed}");
        for rule in [DropRule::BelowBound, DropRule::Doubled, DropRule::Late, DropRule::Moved, DropRule::Misplaced] {
            assert!(tally.count(rule) > 0, "{seed}: {rule:?} is never met: {tally}");
        }
        assert!(tally.no_estimate > 0, "{seed}: {tally}");
    }
}

#[test]
fn a_quiet_run_says_that_nothing_was_dropped() {
    let mut run = SyntheticRun::new("gfx600", "1.0", 1);
    run.filler();
    run.cycles(vop2("V_ADD_F32"), 4);
    run.throughput(vop2("V_ADD_F32"), 2, 4, 1);
    let analysis = run.analysis_in_memory();
    let words = format!("readings: {0} stored, {0} used, none dropped\n", run.readings.len());
    assert!(whole_summary(&analysis).contains(&words), "{}", whole_summary(&analysis));
}
