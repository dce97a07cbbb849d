//! A busy desktop card: jitter, late readings, a clock that drifts and steps. Every published row still comes out, for few launches more.

use std::collections::{BTreeMap, BTreeSet};

use gcn_analysis::run::StoredRun;
use gcn_analysis::{DpClass, Verdict};
use gcn_harness::device::SimulatedDevice;
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_model::record::ExperimentKind;
use gcn_tests::{MeasuredRun, Tier, blind_gpu, files, measure, measure_on, only, part_of};

/// Noise as issue 7 of the project asks for: two steps of the clock and a drift of 1 % within the launches of a run.
const NOISE: &str = "base = \"tahiti\"\nname = \"busy\"\n[noise]\nseed = 7\njitter_cycles = 8\noutlier_rate = 0.03\noutlier_cycles = 4000\n\
                     drift_share = 0.01\ndrift_launches = 6000\nstep_share = 0.2\nstep_launches = 2000\n";

fn run(gpu: &Gpu) -> MeasuredRun {
    let options = MeasureOptions { suites: vec![Suite::Instructions], waves: vec![1, 2], ..MeasureOptions::default() };
    measure(gpu, &options)
}

/// Launches that gave readings, and rounds in which something was tried.
fn launches_and_rounds(run: &MeasuredRun) -> (usize, usize) {
    let files = files(run.folder());
    let column = |file: &str, name: &str| -> BTreeSet<String> {
        let mut reader = csv::Reader::from_reader(files[file].as_slice());
        let index = reader.headers().unwrap().iter().position(|column| column == name).expect("a column");
        reader.records().map(|row| row.unwrap()[index].to_owned()).collect()
    };
    (column("readings.csv", "launch").len(), column("journal.csv", "round").len())
}

#[test]
fn every_published_row_matches_on_a_busy_card() {
    if !Tier::All.runs("all of tahiti on a busy card; campaign.rs has a noisy card") {
        return;
    }
    let quiet = run(&Gpu::named("tahiti").unwrap());
    let busy = run(&Gpu::from_toml(NOISE, "busy.toml").unwrap());
    let verdicts = |run: &MeasuredRun| -> Vec<(String, String, Verdict)> {
        let rows = run.analysis.validation.iter().filter(|row| row.source == "clrx");
        rows.map(|row| (row.instruction.clone(), row.quantity.to_string(), row.verdict)).collect()
    };
    let (expected, found) = (verdicts(&quiet), verdicts(&busy));
    let different: Vec<_> = expected.iter().zip(&found).filter(|(expected, found)| expected != found).collect();
    // One in a thousand may stay open; none may be wrong.
    let is_open = |pair: &(&(String, String, Verdict), &(String, String, Verdict))| pair.1.2 == Verdict::Unmeasured;
    assert!(different.iter().all(is_open) && different.len() * 1000 <= expected.len(), "{different:?}");
    assert_eq!(found.len(), expected.len());
    assert!(expected.iter().filter(|(.., verdict)| *verdict == Verdict::Match).count() > 1000);

    let dpfactor = busy.analysis.dpfactor.as_ref().unwrap();
    assert_eq!((dpfactor.dpfactor, dpfactor.class, dpfactor.agreeing), (2.0, DpClass::Known, dpfactor.of));

    let ((of_quiet, quiet_rounds), (of_busy, busy_rounds)) = (launches_and_rounds(&quiet), launches_and_rounds(&busy));
    let sweeps = MeasureOptions::default().sweeps as usize;
    assert_eq!(quiet_rounds, sweeps, "without noise nothing is measured again");
    assert!(busy_rounds > sweeps, "the noise is such that something has to be");
    println!("{of_quiet} launches without noise in {quiet_rounds} rounds, {of_busy} with it in {busy_rounds}");
    assert!(of_busy <= 3 * of_quiet, "{of_busy} launches instead of {of_quiet}");
}

#[test]
fn throughputs_of_a_noisy_card_are_of_longer_code() {
    // As readings of cards: 3 in a thousand come late.
    let late = "base = \"fiji\"\nname = \"late\"\n[noise]\nseed = 7\noutlier_rate = 0.003\noutlier_cycles = 300\n";
    let lengths = |gpu: &Gpu| -> Vec<BTreeMap<u32, BTreeSet<u32>>> {
        let run = measure(gpu, &MeasureOptions { waves: vec![2, 4], ..only(&["V_ADD_F32", "V_MUL_LO_U32"], &[]) });
        let stored = StoredRun::load(run.folder()).unwrap();
        let experiments = stored.experiments.iter().enumerate();
        let throughputs = experiments.filter(|(_, record)| record.kind == ExperimentKind::Throughput);
        let launches = throughputs.map(|(position, _)| {
            let mut launches: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
            for reading in stored.readings_of(position) {
                launches.entry(reading.n).or_default().insert(reading.launch);
            }
            launches
        });
        launches.collect()
    };
    let longest = |lengths: &BTreeMap<u32, BTreeSet<u32>>| lengths.last_key_value().unwrap().1.len();
    let times = |lengths: &BTreeMap<u32, BTreeSet<u32>>| lengths.keys().max().unwrap() / lengths.keys().min().unwrap();
    let quiet = lengths(&Gpu::named("fiji").unwrap());
    assert!(quiet.len() == 4 && quiet.iter().all(|lengths| times(lengths) == 2), "{quiet:?}");
    let noisy = lengths(&Gpu::from_toml(late, "late.toml").unwrap());
    assert!(noisy.len() == 4 && noisy.iter().all(|lengths| times(lengths) >= 16 && longest(lengths) >= 2), "{noisy:?}");
}

/// A wave of RDNA issues one instruction in a cycle at most, whatever the steps of its counter make of that.
#[test]
fn no_cycles_are_below_what_is_possible() {
    let lines = "[noise]\nseed = 899195\noutlier_rate = 0.0062\noutlier_cycles = 100\noutlier_spread_cycles = 500\ncold_readings = 3\n\
                 counter_step_cycles = 4\n";
    let run = measure(&blind_gpu("rx7900xtx", lines), &only(&["S_A*_B32", "S_M*_B32", "S_NOP", "V_M*_F32"], &[1]));
    let intervals = run.analysis.timings.iter().filter_map(|row| row.cycles).map(|cycles| cycles.numbers());
    let intervals: Vec<[f64; 3]> = intervals.collect();
    assert!(intervals.iter().filter(|[_, low, high]| *low == 1.0 && *high > 1.0).count() > 3, "{intervals:?}");
    assert!(intervals.iter().all(|[value, low, _]| *value >= 1.0 && *low >= 1.0), "{intervals:?}");
}

#[test]
fn two_steps_and_a_drift_of_the_clock_are_found() {
    // A third of the run at four fifths of the clock, and 1 % slower from its start to its end. How many launches that are, the quiet card says.
    for &(base, mhz) in part_of(&[("fiji", 1050.0), ("vega10", 1546.0)], 1, "another card") {
        let options = MeasureOptions { samples: 20, ..only(&["V_M*_F32", "S_*B64"], &[]) };
        let quiet = SimulatedDevice::new("sim:quiet", &Gpu::named(base).unwrap());
        let (quiet_launches, _) = launches_and_rounds(&measure_on(&quiet, &options));
        let third = u32::try_from(quiet_launches.div_ceil(3)).unwrap();
        let noise = format!(
            "base = \"{base}\"\n[noise]\nseed = 7\ndrift_share = 0.01\ndrift_launches = {}\nstep_share = 0.2\nstep_launches = {third}\n",
            3 * third
        );
        let run = measure(&Gpu::from_toml(&noise, "noisy.toml").unwrap(), &options);
        let (launches, _) = launches_and_rounds(&run);
        assert!((5 * third as usize / 2..=3 * third as usize).contains(&launches), "{base}: {launches} launches");
        let clock = run.analysis.clock.as_ref().unwrap();
        let steps: Vec<_> = clock.steps().map(|(before, behind)| (behind.launch, behind.mhz / before.mhz)).collect();
        let [(down, slower), (up, faster)] = steps[..] else { panic!("{base}: {clock}") };
        assert_eq!([down, up], [third, 2 * third], "{base}: {clock}");
        assert!((slower - 0.8).abs() < 0.005 && (faster - 1.25).abs() < 0.005, "{base}: {clock}");
        assert!((clock.drift_share() + 0.01).abs() < 0.0015 && clock.moved(), "{base}: {clock}");
        assert!((clock.stretches[0].mhz / mhz - 1.0).abs() < 0.01, "{base}: {clock}");
    }
}
