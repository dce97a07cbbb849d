//! Instructions in other forms than their plain ones, and the quantities of memory instructions and jumps.

use gcn_analysis::{Results, Status, VariantRow, Verdict, csv_text};
use gcn_model::record::{ExperimentKind, ExperimentStatus};

use crate::synthetic::{Code, Noise, SyntheticRun, vop2, whole_summary};

const ATOMIC: Code<'_> = Code { instruction: "BUFFER_ATOMIC_ADD", encoding: "MUBUF", bytes: 8 };
const ATOMIC_X2: Code<'_> = Code { instruction: "BUFFER_ATOMIC_ADD_X2", encoding: "MUBUF", bytes: 8 };
const LOAD_X16: Code<'_> = Code { instruction: "S_LOAD_DWORDX16", encoding: "SMRD", bytes: 8 };
const BRANCH: Code<'_> = Code { instruction: "S_BRANCH", encoding: "SOPP", bytes: 8 };

fn run(noise: Noise) -> SyntheticRun {
    let mut run = SyntheticRun::new("gfx600", "1.0", 11).with_noise(noise);
    run.filler();
    run
}

fn variant<'a>(analysis: &'a Results, instruction: &str, case: &str) -> &'a VariantRow {
    let mut rows = analysis.variants.iter();
    rows.find(|row| row.instruction == instruction && row.case == case).expect("a variant")
}

fn near(found: Option<[f64; 3]>, truth: f64, by: f64) {
    let [value, low, high] = found.expect("measured");
    assert!((value - truth).abs() < by && low <= high, "{value} [{low}, {high}], in truth {truth}");
}

#[test]
fn another_form_is_a_variant_with_its_difference_and_no_timing() {
    for noise in [Noise::default(), Noise::USUAL] {
        let mut run = run(noise);
        run.cycles(ATOMIC, 16);
        run.chase(ATOMIC, 300);
        run.case = "glc";
        run.cycles(ATOMIC, 23);
        run.chase(ATOMIC, 340);
        run.case = "";
        run.taken(BRANCH, 20);
        run.case = "backward";
        run.taken(BRANCH, 28);
        let analysis = run.analysis();
        let [atomic, branch] = &analysis.timings[..] else { panic!("two rows") };
        near(atomic.cycles.map(|found| found.numbers()), 16.0, 0.2);
        near(atomic.latency.map(|found| found.numbers()), 300.0, 0.2);
        near(branch.taken.map(|found| found.numbers()), 20.0, 0.2);
        let glc = variant(&analysis, "BUFFER_ATOMIC_ADD", "glc");
        near(glc.cycles.map(|found| found.numbers()), 23.0, 0.2);
        near(glc.difference.map(|found| found.numbers()), 7.0, 0.2);
        let rows: Vec<_> = analysis.variants.iter().map(|row| (row.case.as_str(), row.quantity.0.column())).collect();
        assert_eq!(rows, [("glc", "cycles"), ("glc", "latency"), ("backward", "taken")]);
        near(analysis.variants[1].difference.map(|found| found.numbers()), 40.0, 0.2);
        near(analysis.variants[2].difference.map(|found| found.numbers()), 8.0, 0.2);
    }
}

#[test]
fn a_form_without_its_plain_one_has_no_difference_and_gives_no_row_of_timings() {
    let mut run = run(Noise::default());
    run.case = "idxen";
    run.cycles(ATOMIC, 20);
    run.case = "offen";
    run.without_readings(ATOMIC, ExperimentStatus::Failed, "the launch exceeded 10 s");
    let analysis = run.analysis();
    assert!(analysis.timings.is_empty());
    let alone = variant(&analysis, "BUFFER_ATOMIC_ADD", "idxen");
    assert_eq!((alone.status, alone.difference), (Status::Ok, None));
    assert!(alone.detail.contains("plain form was not measured"), "{}", alone.detail);
    let failed = variant(&analysis, "BUFFER_ATOMIC_ADD", "offen");
    assert_eq!((failed.status, failed.detail.as_str()), (Status::Failed, "the launch exceeded 10 s"));
}

#[test]
fn a_chase_is_the_latency_where_there_is_no_chain() {
    let mut run = run(Noise::default());
    run.chase(LOAD_X16, 71);
    run.cycles(vop2("V_ADD_F32"), 4);
    run.chain(vop2("V_ADD_F32"), 4, 8);
    run.chase(vop2("V_ADD_F32"), 99);
    let analysis = run.analysis();
    let [load, add] = &analysis.timings[..] else { panic!("two rows") };
    near(load.latency.map(|found| found.numbers()), 71.0, 1e-9);
    near(add.latency.map(|found| found.numbers()), 8.0, 1e-9);
    assert_eq!((load.status, load.samples), (Status::Ok, 96));
}

#[test]
fn the_values_of_single_loads_are_counted() {
    for noise in [Noise::default(), Noise { outlier_rate: 0.02, outlier_cycles: 4000, ..Noise::default() }] {
        let mut run = run(noise);
        run.passes = 20;
        // 16, 20 or 24, as one time in two, one in four and one in four.
        run.cycles_each(LOAD_X16, |chance| [16, 16, 20, 24][(chance % 4) as usize]);
        let analysis = run.analysis();
        let found = &analysis.distributions[0];
        assert_eq!((found.instruction.as_str(), found.case.as_str()), ("S_LOAD_DWORDX16", ""));
        assert_eq!(found.count() + found.dropped, 20);
        // The loads' own line is blurred by some cycles; the cost of the readings is known from the fillers.
        let (values, counts): (Vec<i64>, Vec<usize>) = found.values.iter().copied().unzip();
        assert_eq!(values, [16, 20, 24], "{found}");
        assert!(counts[0] > counts[1] && counts[0] > counts[2], "{found}");
        let row = &analysis.timings[0];
        assert!(row.detail.starts_with("one alone: 16 ×"), "{}", row.detail);
    }
}

#[test]
fn a_line_that_contradicts_the_fillers_is_believed() {
    let mut run = run(Noise::default());
    run.cycles_each(LOAD_X16, |_| 16);
    // The closing reading waits for the last load, wherever there is one.
    run.readings.iter_mut().filter(|reading| reading.experiment.contains("X16")).for_each(|reading| reading.end += 60);
    assert_eq!(run.analysis().distributions[0].to_string(), "16 ×32");
}

#[test]
fn one_value_alone_is_exact_and_a_late_reading_does_not_count() {
    let mut run = run(Noise::default());
    run.passes = 20;
    run.cycles_each(LOAD_X16, |_| 16);
    run.readings.iter_mut().find(|reading| reading.n == 1).expect("one alone").end += 4000;
    let analysis = run.analysis();
    let found = &analysis.distributions[0];
    assert_eq!((found.to_string().as_str(), found.dropped), ("16 ×19", 1));
    let csv = csv_text(&found.rows().collect::<Vec<_>>());
    assert_eq!(csv, "instruction,case,value_cycles,count,share\nS_LOAD_DWORDX16,,16,19,1\n");
}

#[test]
fn a_section_of_one_does_not_change_the_slope() {
    let mut run = run(Noise::default());
    run.cycles_each(LOAD_X16, |_| 16);
    // Alone it finds its unit idle, every second time even more so.
    for reading in run.readings.iter_mut().filter(|reading| reading.n == 1) {
        reading.end -= if reading.pass % 2 == 0 { 24 } else { 4 };
    }
    let analysis = run.analysis();
    let row = &analysis.timings[0];
    assert_eq!((row.status, row.samples), (Status::Ok, 96), "{}", row.detail);
    near(row.cycles.map(|found| found.numbers()), 16.0, 1e-9);
    assert_eq!(analysis.distributions[0].values, [(-8, 16), (12, 16)]);
}

const TO_32: [(&str, u64); 6] =
    [("stride 1", 1), ("stride 2", 2), ("stride 4", 4), ("stride 8", 8), ("stride 16", 16), ("stride 32", 32)];
const TO_64: [(&str, u64); 8] = [
    ("stride 1", 1),
    ("stride 2", 2),
    ("stride 3", 3),
    ("stride 4", 4),
    ("stride 8", 8),
    ("stride 16", 16),
    ("stride 32", 32),
    ("stride 64", 64),
];

#[test]
fn banks_come_out_of_the_sweep() {
    let sweeps: [(u64, &[(&'static str, u64)]); 5] =
        [(32, &TO_32), (16, &TO_32), (32, &TO_64), (16, &TO_64), (8, &TO_64)];
    for (banks, strides) in sweeps {
        for noise in [Noise::default(), Noise::USUAL] {
            let mut run = run(noise);
            run.stride_sweep(banks, strides, 2);
            let analysis = run.analysis();
            let found = analysis.lds_banks.as_ref().expect("a sweep");
            assert_eq!((found.banks, found.published), (Some(banks as u32), Some(32)), "{found}");
            assert_eq!(found.verdict, if banks == 32 { Verdict::Match } else { Verdict::Mismatch });
            assert!(analysis.timings.is_empty(), "a case is no throughput of the plain form");
            assert!((found.worst.value.0 - 64.0).abs() < 1.0, "{found}");
        }
    }
}

#[test]
fn a_sweep_that_ends_too_early_names_the_remaining_granules() {
    let mut run = run(Noise::default());
    run.stride_sweep(32, &TO_32[..2], 2);
    let analysis = run.analysis();
    let found = analysis.lds_banks.as_ref().expect("a sweep");
    assert_eq!((found.banks, found.verdict), (None, Verdict::Unmeasured), "{found}");
    assert!(found.candidates.contains(&32) && !found.candidates.contains(&16), "{found}");
    assert!(found.to_string().starts_with("32 to "), "{found}");
    // 64 banks, two of which serve a stride of 32.
    let mut wide = self::run(Noise::default());
    wide.stride_sweep(64, &TO_32, 2);
    let analysis = wide.analysis();
    let found = analysis.lds_banks.as_ref().expect("a sweep");
    assert_eq!((found.banks, found.verdict), (Some(64), Verdict::Mismatch), "{found}");
}

#[test]
fn a_stride_that_is_missing_or_off_makes_no_other_number_of_banks() {
    let mut run = run(Noise::default());
    // Of 64 banks stride 64 is missing, and stride 8 costs as with 32.
    run.stride_sweep(64, &TO_64[..4], 2);
    run.stride_sweep(32, &[("stride 8", 8)], 2);
    run.stride_sweep(64, &TO_64[5..7], 2);
    let analysis = run.analysis();
    let found = analysis.lds_banks.as_ref().expect("a sweep");
    assert!(found.candidates.contains(&64) && found.banks.is_none_or(|banks| banks == 64), "{found}");
}

#[test]
fn strides_are_penalties_by_bank_arithmetic() {
    let mut run = run(Noise::default());
    run.stride_sweep(32, &TO_64, 2);
    insta::assert_snapshot!("penalties.csv", csv_text(&run.analysis().penalties));
}

#[test]
fn a_sweep_on_few_banks_contradicts_the_clrx_table() {
    let mut run = run(Noise::default());
    // A single bank: nothing but stride 0 could be slower, and stride 1 is.
    run.stride_sweep(1, &TO_32, 2);
    let analysis = run.analysis();
    let verdicts: Vec<_> = analysis.penalties.iter().map(|row| (row.expected.as_str(), row.verdict)).collect();
    assert_eq!(verdicts[0], ("0", Verdict::Match));
    assert_eq!(verdicts[1], ("more than 0", Verdict::Mismatch));
    assert_eq!(
        analysis.lds_banks.as_ref().map(|found| found.to_string().starts_with("no bank conflicts seen")),
        Some(true)
    );
}

#[test]
fn files_of_forms_exist_only_with_rows() {
    let mut run = run(Noise::default());
    run.cycles(ATOMIC_X2, 16);
    run.case = "glc";
    run.cycles(ATOMIC_X2, 18);
    run.case = "";
    let folder = tempfile::tempdir().expect("a temporary folder");
    run.analysis().write(folder.path()).expect("written");
    let text = std::fs::read_to_string(folder.path().join("variants.csv")).expect("it is there");
    assert_eq!(text, csv_text(&run.analysis().variants));
    assert!(text.ends_with("BUFFER_ATOMIC_ADD_X2,glc,cycles,18,18,18,2,2,2,96,ok,\n"), "{text}");
    assert!(!folder.path().join("penalties.csv").exists() && !folder.path().join("distributions.csv").exists());
    run.experiments.retain(|record| record.case.is_empty() || record.kind == ExperimentKind::Filler);
    run.readings.retain(|reading| !reading.experiment.contains("glc"));
    run.analysis().write(folder.path()).expect("written");
    assert!(!folder.path().join("variants.csv").exists());
}

#[test]
fn glc_is_found_and_compared_with_the_clrx_table() {
    // BUFFER_ATOMIC_AND_X2 prints 16 alone: it does not say what GLC2 is.
    let and_x2 = Code { instruction: "BUFFER_ATOMIC_AND_X2", encoding: "MUBUF", bytes: 8 };
    let sub = Code { instruction: "BUFFER_ATOMIC_SUB", encoding: "MUBUF", bytes: 8 };
    for (first, second, verdict) in [(1, 2, Verdict::Match), (3, 7, Verdict::Mismatch)] {
        let mut run = run(Noise::default());
        for (code, extra) in [(ATOMIC, first), (sub, first), (ATOMIC_X2, second), (and_x2, 100)] {
            run.cycles(code, 16);
            run.case = "glc";
            run.cycles(code, 16 + extra);
            run.case = "";
        }
        let analysis = run.analysis();
        let found: Vec<_> = analysis.glc.iter().map(|found| (found.to_string(), found.instructions.len())).collect();
        assert_eq!(found, [(format!("GLC1 = {first}"), 2), (format!("GLC2 = {second}"), 1)]);
        assert!(whole_summary(&analysis).contains(&format!("GLC1 = {first}, GLC2 = {second}\n")));
        let of_add = |quantity: &str| {
            let mut rows = analysis.validation.iter();
            let row = rows.find(|row| row.instruction == "BUFFER_ATOMIC_ADD" && row.quantity.name() == quantity);
            row.map(|row| (row.published.as_str(), row.expected.as_str(), row.verdict))
        };
        assert_eq!(of_add("cycles"), Some(("16+GLC1", "16", Verdict::Match)));
        assert_eq!(of_add("glc_cycles"), Some(("16+GLC1", "17", verdict)));
    }
}
