//! Estimates from runs with known truth.

use crate::synthetic::{Noise, SyntheticRun, vop2, vop3};
use gcn_analysis::{Status, TimingRow};
use gcn_model::record::ExperimentStatus;

fn run(noise: Noise) -> SyntheticRun {
    let mut run = SyntheticRun::new("gfx600", "1.0", 1).with_noise(noise);
    run.filler();
    run
}

fn row(run: &SyntheticRun, instruction: &str) -> TimingRow {
    let analysis = run.analysis();
    analysis.timings.iter().find(|row| row.instruction == instruction).expect("a row").clone()
}

fn cycles(row: &TimingRow) -> [f64; 3] {
    row.cycles.unwrap_or_else(|| panic!("no cycles: {}", row.detail)).numbers()
}

#[test]
fn without_noise_everything_is_exact() {
    let mut run = run(Noise::default());
    run.cycles(vop2("V_ADD_F32"), 4);
    run.chain(vop2("V_ADD_F32"), 4, 4);
    run.cycles(vop3("V_FMA_F64"), 18);
    run.chain(vop3("V_FMA_F64"), 18, 25);
    run.throughput(vop3("V_FMA_F64"), 1, 18, 4);
    run.throughput(vop3("V_FMA_F64"), 4, 18, 4);
    let analysis = run.analysis();
    let [add, fma] = &analysis.timings[..] else { panic!("two rows") };
    let near = |found: [f64; 3], truth: f64| found.iter().all(|value| (value - truth).abs() < 1e-9);
    assert!(near(cycles(add), 4.0) && near(cycles(fma), 18.0));
    assert!(near(add.latency.expect("latency").numbers(), 4.0));
    assert!(near(fma.latency.expect("latency").numbers(), 25.0), "{:?}", fma.latency);
    assert_eq!((add.samples, add.dropped, add.status, add.detail.as_str()), (96, 0, Status::Ok, ""));
    let [throughput, ..] = fma.throughput.expect("throughput").numbers();
    assert!((throughput - 0.25).abs() < 1e-3, "{throughput}");
    assert_eq!(fma.waves_per_simd, Some(4));
    assert_eq!(add.cycles_snapped.map(f64::from), Some(4.0));
    assert_eq!(fma.cycles_snapped, None, "18 is no multiple of 4");
}

#[test]
fn a_relay_less_its_moves_is_the_latency() {
    let mut run = run(Noise::default());
    run.cycles(vop2("V_ADDC_U32"), 4);
    run.relay(vop2("V_ADDC_U32"), 9);
    run.cycles(vop3("V_DIV_SCALE_F64"), 16);
    run.relay(vop3("V_DIV_SCALE_F64"), 22);
    for (instruction, truth) in [("V_ADDC_U32", 9.0), ("V_DIV_SCALE_F64", 22.0)] {
        let row = row(&run, instruction);
        let latency = row.latency.unwrap_or_else(|| panic!("no latency: {}", row.detail)).numbers();
        assert!(latency.iter().all(|value| (value - truth).abs() < 1e-9), "{instruction}: {latency:?}");
        assert_eq!(row.status, Status::Ok);
    }
}

#[test]
fn usual_noise_is_seen_through() {
    let mut run = run(Noise::USUAL);
    run.cycles(vop2("V_ADD_F32"), 4);
    run.cycles(vop3("V_FMA_F64"), 16);
    run.chain(vop3("V_FMA_F64"), 16, 20);
    for waves in [1, 2, 4, 10] {
        run.throughput(vop3("V_FMA_F64"), waves, 16, 4);
    }
    let add = row(&run, "V_ADD_F32");
    let fma = row(&run, "V_FMA_F64");
    for (row, truth) in [(&add, 4.0), (&fma, 16.0)] {
        let [value, low, high] = cycles(row);
        assert!((value - truth).abs() < 0.1 && low < high && high - low < 0.3, "{value} [{low}, {high}]");
        assert!(row.dropped > 0, "2 % of the readings are late");
    }
    let [latency, ..] = fma.latency.expect("latency").numbers();
    assert!((latency - 20.0).abs() < 0.2, "{latency}");
    let [throughput, low, high] = fma.throughput.unwrap_or_else(|| panic!("{}", fma.detail)).numbers();
    assert!((throughput - 0.25).abs() < 0.002 && low <= throughput && throughput <= high, "{throughput}");
}

#[test]
fn a_doubling_clock_is_reported_not_averaged() {
    for rate in [0.4, 0.5, 0.7] {
        let mut run = run(Noise { doubled_rate: rate, ..Noise::USUAL });
        run.cycles(vop2("V_ADD_F32"), 4);
        let row = row(&run, "V_ADD_F32");
        assert_eq!((row.status, row.cycles), (Status::Unstable, None), "{rate}");
        assert!(row.detail.contains("take exactly twice as long"), "{}", row.detail);
    }
}

#[test]
fn a_bend_is_not_linear() {
    // Beyond 16 blocks the code does not fit the cache any more, say.
    let mut run = run(Noise::USUAL);
    run.cycles_by_length(vop2("V_ADD_F32"), |n| if n > 16 { 6 } else { 4 });
    let row = row(&run, "V_ADD_F32");
    assert_eq!((row.status, row.cycles), (Status::Unstable, None));
    assert!(row.detail.contains("not linear"), "{}", row.detail);
}

#[test]
fn a_failed_experiment_is_a_row_with_its_reason() {
    let mut run = run(Noise::default());
    run.without_readings(vop2("V_ADD_F32"), ExperimentStatus::Failed, "the launch exceeded 10 s");
    run.without_readings(vop2("S_TRAP"), ExperimentStatus::Skipped, "halts the queue");
    run.without_readings(vop2("S_NOP"), ExperimentStatus::Ok, "");
    let analysis = run.analysis();
    let found: Vec<_> = analysis.timings.iter().map(|row| (row.status, row.detail.as_str())).collect();
    assert_eq!(found[..2], [(Status::Failed, "the launch exceeded 10 s"), (Status::Skipped, "halts the queue")]);
    assert_eq!(found[2].0, Status::Failed);
    assert!(found[2].1.contains("--resume"), "{}", found[2].1);
}

#[test]
fn an_unstable_filler_makes_its_users_unstable() {
    let mut run = SyntheticRun::new("gfx600", "1.0", 1).with_noise(Noise { doubled_rate: 0.5, ..Noise::USUAL });
    run.filler();
    run.noise = Noise::USUAL;
    run.cycles(vop3("V_FMA_F64"), 16);
    run.cycles(vop2("V_ADD_F32"), 4);
    let fma = row(&run, "V_FMA_F64");
    assert_eq!(fma.status, Status::Unstable);
    assert!(fma.detail.contains("filler"), "{}", fma.detail);
    assert_eq!(row(&run, "V_ADD_F32").status, Status::Ok);
}

#[test]
fn waves_that_did_not_share_a_unit_as_asked_are_not_used() {
    let mut run = run(Noise::default());
    run.throughput(vop2("V_ADD_F32"), 2, 4, 1);
    // One SIMD of unit 0 lost a wave to its neighbour in every launch.
    for reading in &mut run.readings {
        if reading.experiment.contains('@') && reading.hw_id == 0x010 {
            reading.hw_id = 0x002;
            reading.hw_id_end = 0x002;
        }
    }
    let row = &run.analysis().throughputs[0].clone();
    assert_eq!(row.status, Status::Ok, "{}", row.detail);
    assert!(row.detail.starts_with("12 of 24 compute-unit groups used, 12 without"), "{}", row.detail);

    // And one wave of unit 1 moved.
    for reading in &mut run.readings {
        if reading.experiment.contains('@') && reading.hw_id == 0x100 {
            reading.hw_id_end = 0x200;
        }
    }
    let row = &run.analysis().throughputs[0].clone();
    assert_eq!((row.status, row.throughput), (Status::Unstable, None));
    assert!(row.detail.contains("a wave that moved"), "{}", row.detail);
}

#[test]
fn waves_served_one_after_the_other_bound_the_throughput() {
    let mut run = run(Noise::default());
    run.throughput(vop2("V_ADD_F32"), 4, 4, 1);
    // The scheduler serves the oldest wave first: wave k ends after (k + 1)/4 of the time.
    for reading in &mut run.readings {
        if reading.experiment.contains('@') {
            let slot = u64::from(reading.hw_id & 15);
            reading.end = reading.begin + (reading.end - reading.begin) * (slot + 1) / 4;
        }
    }
    let row = &run.analysis().throughputs[0].clone();
    assert_eq!((row.status, row.throughput), (Status::Unstable, None));
    assert!(row.detail.contains("at least 0.99") || row.detail.contains("at least 1"), "{}", row.detail);
}

/// The throughput of V_ADD_F32 by two waves on each SIMD: their begins and durations in the shorter and in the longer code of two lengths, after
/// shorter code than these.
fn of_longer_code(lengths: [u32; 2], times: [[(u64, u64); 8]; 2]) -> [f64; 3] {
    let mut run = run(Noise::default());
    run.lengths = vec![32, 64, lengths[0], lengths[1]];
    run.throughput(vop2("V_ADD_F32"), 2, 4, 1);
    let record = run.experiments.last_mut().unwrap();
    (record.targets_per_block, record.repeats) = (1, 4);
    for reading in run.readings.iter_mut().filter(|reading| reading.experiment.contains('@')) {
        let (begin, duration) = times[usize::from(reading.n == lengths[1])][reading.wave as usize % 8];
        reading.begin = u64::from(reading.launch) * 1_000_000 + begin;
        reading.end = reading.begin + duration;
    }
    let row = &run.analysis().throughputs[0].clone();
    row.throughput.unwrap_or_else(|| panic!("{}", row.detail)).numbers()
}

#[test]
fn waves_that_hide_their_loops_by_chance_widen_the_throughput() {
    // Of a simulated CDNA 3 whose jumps take 52 cycles. The truth is 1, the slope 0.983.
    let at_256 = [(232, 8384), (64, 8188), (12, 8188), (0, 8188), (260, 8488), (136, 8248), (100, 8228), (112, 8204)];
    let at_512 =
        [(0, 16396), (8, 16372), (132, 16816), (148, 16536), (44, 16524), (60, 16500), (144, 16936), (180, 16656)];
    let [value, low, high] = of_longer_code([256, 512], [at_256, at_512]);
    assert!((value - 0.9832).abs() < 1e-4 && low > 0.9 && high >= 1.0, "{value} [{low}, {high}]");
}

#[test]
fn loops_that_waves_hide_at_one_length_widen_the_throughput() {
    // Of a simulated RDNA card, times 4: a loop takes 32 cycles besides the shorter code and 12 besides the longer. The truth is 0.5.
    let all = |cycles: u64| [0, 0, 32, 32, 512, 512, 544, 544].map(|begin| (begin, cycles));
    let [value, low, high] = of_longer_code([2048, 4096], [all(139_152), all(265_712)]);
    assert!((value - 0.5178).abs() < 1e-3 && low < 0.5 && high < 0.6, "{value} [{low}, {high}]");
}

#[test]
fn a_slow_wave_is_not_a_late_reading() {
    let mut run = run(Noise::default());
    run.throughput(vop2("V_ADD_F32"), 4, 4, 1);
    for reading in &mut run.readings {
        if reading.experiment.contains('@') && reading.hw_id & 0xFF == 0x31 {
            reading.end += (reading.end - reading.begin) / 4;
        }
    }
    let row = &run.analysis().throughputs[0].clone();
    let [throughput, ..] = row.throughput.unwrap_or_else(|| panic!("{}", row.detail)).numbers();
    assert!((throughput - 0.8).abs() < 0.01, "the unit is done when its last wave is: {throughput}");
}

#[test]
fn a_first_reading_later_than_the_second_is_impossible() {
    let mut run = run(Noise { jitter: 2, ..Noise::default() });
    run.cycles(vop2("V_ADD_F32"), 4);
    for reading in run.readings.iter_mut().filter(|reading| reading.pass == 5) {
        reading.begin = reading.end + 3000;
    }
    let row = row(&run, "V_ADD_F32");
    assert_eq!((row.status, row.dropped, row.samples), (Status::Ok, 3, 93), "{}", row.detail);

    for reading in &mut run.readings {
        std::mem::swap(&mut reading.begin, &mut reading.end);
    }
    let row = self::row(&run, "V_ADD_F32");
    assert_eq!((row.status, row.cycles), (Status::Unstable, None));
    assert!(row.detail.contains("of 32 samples dropped") && row.detail.contains("below the bound"), "{}", row.detail);
}

#[test]
fn unsettled_experiments_are_repeated_and_then_outvoted() {
    let mut run = run(Noise { doubled_rate: 0.5, ..Noise::USUAL });
    run.cycles(vop2("V_ADD_F32"), 4);
    let unsettled = run.analysis().unsettled.to_vec();
    assert_eq!(unsettled, ["V_MOV_B32/filler", "V_ADD_F32/cycles"]);

    let mut quiet = SyntheticRun::new("gfx600", "1.0", 2).with_noise(Noise::USUAL);
    quiet.passes = 150;
    quiet.filler();
    quiet.cycles(vop2("V_ADD_F32"), 4);
    quiet.readings.iter_mut().for_each(|reading| reading.launch += 1000);
    run.readings.extend(quiet.readings);
    let row = row(&run, "V_ADD_F32");
    assert_eq!((row.status, row.cycles_snapped.map(f64::from)), (Status::Ok, Some(4.0)), "{}", row.detail);
}

#[test]
fn late_readings_everywhere_are_no_noise() {
    let mut run = run(Noise::default());
    run.throughput(vop2("V_ADD_F32"), 2, 4, 1);
    // Two of eight waves on one of the two units, an eighth of all: something is wrong with that unit.
    for reading in &mut run.readings {
        if reading.experiment.contains('@') && matches!(reading.hw_id, 0x000 | 0x010) {
            reading.end += 4000;
        }
    }
    let row = &run.analysis().throughputs[0].clone();
    assert_eq!((row.status, row.throughput), (Status::Unstable, None), "{}", row.detail);
    assert!(row.detail.contains("makespan bimodal"), "{}", row.detail);
}

#[test]
fn ramps_that_grow_widen_the_interval_to_both_sides_and_to_own_paces_at_most() {
    let mut run = run(Noise::default());
    run.throughput(vop2("V_ADD_F32"), 4, 4, 2);
    // Half of the waves are served a bit more than the others all the time: they end earlier the longer the code is.
    for reading in &mut run.readings {
        if reading.experiment.contains('@') && reading.hw_id & 1 == 0 {
            reading.end -= (reading.end - reading.begin) / 4;
        }
    }
    let row = &run.analysis().throughputs[0].clone();
    let [value, low, high] = row.throughput.unwrap_or_else(|| panic!("{}", row.detail)).numbers();
    assert!((value - 0.5).abs() < 1e-3, "all the work over all the time: {value}");
    assert!((low - 0.4).abs() < 2e-3, "as much work may be done in the ramps' growth: {low}");
    // While all ran, half of the waves did their instructions in 3/4 of the time: (1 + 4/3) / 2.
    assert!((high - 7.0 / 12.0).abs() < 2e-3, "{high}, without the own paces it were 2/3");
}
