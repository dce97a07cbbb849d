//! GPUs on which a careless measurement says something false: waves that begin late, fillers that hold their unit, waits longer than their
//! spacing, noise that spoils a third of the samples. The statements hold, or are called bounds.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use gcn_analysis::run::{StoredReading, StoredRun};
use gcn_analysis::{Status, TimingRow};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_tests::{MeasuredRun, blind_gpu, measure, only, part_of};

/// Short and long ones of all units.
const INSTRUCTIONS: [&str; 12] = [
    "V_ADD_F32",
    "V_RCP_F32",
    "V_MUL_LO_U32",
    "V_ADD_F64",
    "V_BFE_U32",
    "S_ADD_U32",
    "S_BFE_U32",
    "S_MOV_B64",
    "DS_ADD_U32",
    "DS_READ_B32",
    "BUFFER_LOAD_DWORD",
    "BUFFER_ATOMIC_ADD",
];

fn run(lines: &str) -> MeasuredRun {
    measure(&blind_gpu("tahiti", lines), &only(&INSTRUCTIONS, &[1, 2, 4, 8, 10]))
}

/// The card without any of it.
fn truth() -> &'static MeasuredRun {
    static RUN: OnceLock<MeasuredRun> = OnceLock::new();
    RUN.get_or_init(|| run(""))
}

fn throughputs(run: &MeasuredRun) -> BTreeMap<&str, &TimingRow> {
    run.analysis.timings.iter().map(|row| (row.instruction.as_str(), row)).collect()
}

/// How many of the throughputs are not bounds; the intervals of all of them meet those of the other run.
fn decided(truth: &MeasuredRun, found: &MeasuredRun) -> usize {
    let truth = throughputs(truth);
    let rows = throughputs(found);
    let mut decided = 0;
    for name in INSTRUCTIONS {
        let ([truth, least, most], row) = (truth[name].throughput.expect("a quiet card's").numbers(), rows[name]);
        let Some(found) = row.throughput else {
            assert_eq!(row.status, Status::Unstable, "{row:?}");
            continue;
        };
        // 1.0008 stands for 1: the ends of quiet runs are resolved as finely as their ramps are alike.
        let [value, low, high] = found.numbers();
        assert!(low <= most * 1.002 && least <= high * 1.002, "{name}: {value} [{low}, {high}] for {truth}");
        let is_bound = row.detail.contains("at least");
        assert_eq!(is_bound, row.status == Status::Unstable, "{row:?}");
        decided += usize::from(!is_bound);
    }
    decided
}

#[test]
fn waves_that_begin_late_falsify_no_throughput() {
    let truth = truth();
    assert_eq!(decided(truth, truth), INSTRUCTIONS.len());
    for (interval, least) in [(64, 12), (256, 12), (1000, 6)] {
        let found = run(&format!("[simulation]\nwave_launch_interval_cycles = {interval}\n"));
        let decided = decided(truth, &found);
        println!("{interval}: {decided} decided");
        assert!(decided >= least, "{interval}: {decided} are no bounds");
    }
}

/// RDNA's counter has 20 bits: longer code must not make it wrap.
#[test]
fn longer_code_fits_a_narrow_counter() {
    let names = ["V_ADD_F32", "V_MUL_LO_U32", "V_ADD_F64"];
    let options = only(&names, &[1, 2, 4, 8, 16]);
    let truth = measure(&blind_gpu("rx7900xtx", ""), &options);
    let found = measure(&blind_gpu("rx7900xtx", "[simulation]\nwave_launch_interval_cycles = 256\n"), &options);
    let run = StoredRun::load(found.folder()).expect("the run");
    let longest = (0..run.experiments.len()).flat_map(|position| run.readings_of(position)).map(StoredReading::elapsed);
    let longest = longest.max().expect("readings");
    assert!((1 << 15..1 << 19).contains(&longest), "{longest} cycles");
    for name in names {
        let [truth, found] = [&truth, &found].map(|run| run.row(name).throughput.expect("a throughput"));
        assert!(found.low.0 <= 1.002 * truth.value.0 && truth.value.0 <= 1.002 * found.high.0, "{name}: {found:?}");
        assert!(found.high.0 - found.low.0 < 0.1 * found.value.0, "{name}: {found:?}");
    }
}

#[test]
fn noise_in_a_third_of_the_samples_leaves_true_numbers() {
    let truth = truth();
    let cycles_of = |run: &MeasuredRun| -> BTreeMap<String, [f64; 3]> {
        let rows = run.analysis.timings.iter();
        rows.filter_map(|row| Some((row.instruction.clone(), row.cycles?.numbers()))).collect()
    };
    let quiet = cycles_of(truth);
    let (mut settled, mut held, mut all) = (0, 0, 0);
    for &seed in part_of(&[1, 2, 3, 4, 5, 6], 3, "each kind of outlier with another seed") {
        let found = run(&format!(
            "[noise]\nseed = {seed}\njitter_cycles = 16\noutlier_rate = 0.085\noutlier_cycles = {}\npreemption_rate = 0.02\n\
             preemption_cycles = 15000\neviction_rate = 0.035\n",
            [60, 400, 4000][seed % 3]
        ));
        decided(truth, &found);
        let found = cycles_of(&found);
        for (name, [truth, ..]) in &quiet {
            all += 1;
            let Some([value, low, high]) = found.get(name) else { continue };
            settled += 1;
            held += usize::from(low <= truth && truth <= high);
            assert!((value - truth).abs() < 1.5, "{seed} {name}: {value} [{low}, {high}] for {truth}");
        }
    }
    println!("{settled} of {all} settled, {held} hold the truth");
    assert!(10 * settled >= 9 * all, "{settled} of {all} settled");
    assert!(100 * held >= 88 * settled, "{held} of {settled} hold the truth");
}

#[test]
fn a_filler_that_holds_its_unit_takes_nothing_from_others() {
    let names = ["DS_ADD_U32", "DS_READ_B32", "BUFFER_LOAD_DWORD", "S_BRANCH", "S_CBRANCH_SCC1"];
    let numbers = |lines: &str| -> Vec<(String, Option<f64>, Option<f64>)> {
        let run = measure(&blind_gpu("tahiti", lines), &only(&names, &[]));
        let number = |row: &TimingRow| {
            let of = |found: Option<gcn_analysis::Measured<gcn_model::quantity::Cycles>>| {
                found.map(|found| found.value.0.round())
            };
            (row.instruction.clone(), of(row.cycles), of(row.taken))
        };
        run.analysis.timings.iter().map(number).collect()
    };
    let slow = "[throughput]\nV_MOV_B32 = \"1/4\"\nS_MOV_B32 = \"1/10\"\n";
    assert_eq!(numbers(slow), numbers(""));
}

#[test]
fn waits_are_whole_or_not_stated() {
    let waits = |lines: &str| -> BTreeMap<String, Option<f64>> {
        let options = MeasureOptions {
            suites: vec![Suite::Scheduling],
            samples: 6,
            sweeps: 1,
            ..only(&["V_ADD_I32", "V_MOV_B32", "S_CMP_EQ_U32", "S_MOV_B32", "V_MUL_LO_U32"], &[])
        };
        let run = measure(&blind_gpu("tahiti", lines), &options);
        let rows = run.analysis.penalties.iter().filter(|row| row.experiment == "scheduling");
        rows.filter(|row| row.waves_per_simd == 1)
            .map(|row| (row.case.clone(), row.penalty.map(|found| found.value.0.round())))
            .collect()
    };
    let delayed = |cycles: u32, producers: &str| {
        format!("[scheduling]\nvector_to_scalar_delay_cycles = {cycles}\nvector_to_scalar_producers = {producers}\n")
    };
    // As long as three of the old spacings, and nothing after the consumer waits in its place.
    let found = waits(&delayed(100, "[\"V_ADD_I32\"]"));
    assert_eq!(found["V_ADD_I32 > S_ADD_U32"], Some(100.0));
    assert_eq!((found["S_MOV_B32 > V_ADD_F32"], found["V_MOV_B32 > S_ADD_U32"]), (Some(0.0), Some(0.0)));
    // Longer than all of the spacing: nothing is said.
    assert_eq!(waits(&delayed(200, "[\"V_ADD_I32\"]"))["V_ADD_I32 > S_ADD_U32"], None);
    // What used to be the filler is a producer.
    let found = waits(&delayed(16, "[\"V_MOV_B32\", \"V_ADD_I32\"]"));
    let pairs = ["V_MOV_B32 > S_ADD_U32", "V_ADD_I32 > S_MOV_B32", "S_MOV_B32 > S_MOV_B32"];
    assert_eq!(pairs.map(|pair| found[pair]), [Some(16.0), Some(16.0), Some(0.0)]);
    // Jumps are charged for where they stand, and units are held longer than their waves.
    let other = "[front_end]\nuntaken_free_dwords = 1\njump_free_dwords = 1\n[throughput]\nV_MUL_LO_U32 = \"1/16\"\nV_MOV_B32 = \"1/4\"\n";
    let found = waits(other);
    for (pair, wait) in [
        ("S_CMP_EQ_U32 > S_CBRANCH_SCC1", 4.0),
        ("S_MOV_B32 > S_CBRANCH_SCC1", 0.0),
        ("V_MUL_LO_U32 > V_ADD_F32", 0.0),
        ("V_MUL_LO_U32 > S_ADD_U32", 0.0),
        ("V_MOV_B32 > S_CBRANCH_EXECZ", 0.0),
    ] {
        assert_eq!(found[pair], Some(wait), "{pair}");
    }
}
