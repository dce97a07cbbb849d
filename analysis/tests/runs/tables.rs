//! The derived files of a whole run, and their statement on DPFACTOR.

use gcn_analysis::{DpClass, Quantity, Results, ValidationRow, Verdict};
use gcn_model::record::ExperimentStatus;

use crate::synthetic::{Code, Noise, SyntheticRun, vop2, vop3, whole_summary};

/// Double-precision instructions with the page's multiple of DPFACTOR.
const DOUBLE_PRECISION: [(&str, u64); 6] =
    [("V_ADD_F64", 4), ("V_MUL_F64", 8), ("V_FMA_F64", 8), ("V_MIN_F64", 4), ("V_MAX_F64", 4), ("V_LDEXP_F64", 4)];

/// A run of the double-precision instructions on a device where `cycles` says what each takes.
fn double_precision(noise: Noise, cycles: impl Fn(&str, u64) -> u64) -> Results {
    let mut run = SyntheticRun::new("gfx600", "1.0", 7).with_noise(noise);
    run.filler();
    for (name, multiple) in DOUBLE_PRECISION {
        run.cycles(vop3(name), cycles(name, multiple));
    }
    run.analysis()
}

/// A lone wave on each SIMD may leave a unit idle: its throughput is a lower bound, and no contradiction to more.
#[test]
fn a_throughput_on_too_few_waves_is_a_lower_bound() {
    let verdict = |waves: &[u32], cycles: u64| {
        let mut run = SyntheticRun::new("gfx600", "1.0", 7).with_noise(Noise::default());
        run.filler();
        run.cycles(vop2("V_ADD_F32"), 4);
        waves.iter().for_each(|&waves| run.throughput(vop2("V_ADD_F32"), waves, u64::from(waves) * cycles, 1));
        let analysis = run.analysis();
        let is_it = |row: &&ValidationRow| {
            row.instruction == "V_ADD_F32" && row.source == "clrx" && row.quantity == Quantity::Throughput
        };
        let row = analysis.validation.iter().find(is_it).expect("a published throughput").clone();
        assert!(row.measured.is_some(), "{row:?}");
        row.verdict
    };
    // The page says 1 instruction per cycle.
    assert_eq!((verdict(&[1], 4), verdict(&[1], 5)), (Verdict::Match, Verdict::Unmeasured));
    // More waves reach no more, so that it is the unit's; and so is that of the most waves that can exist.
    assert_eq!((verdict(&[1, 2], 5), verdict(&[10], 5)), (Verdict::Mismatch, Verdict::Mismatch));
}

/// A run that has a bit of everything.
fn sampler(noise: Noise) -> SyntheticRun {
    let mut run = SyntheticRun::new("gfx701", "1.1", 3).with_noise(noise);
    run.filler();
    let vop1 = |instruction| Code { instruction, encoding: "VOP1", bytes: 4 };
    let sop1 = |instruction| Code { instruction, encoding: "SOP1", bytes: 4 };
    run.cycles(sop1("S_MOV_B32"), 4);
    run.cycles(sop1("S_AND_SAVEEXEC_B64"), 8);
    run.cycles(vop2("V_ADD_F32"), 4);
    run.chain(vop2("V_ADD_F32"), 4, 4);
    for waves in [1, 2, 4] {
        run.throughput(vop2("V_ADD_F32"), waves, 4, 1);
    }
    run.cycles(vop1("V_MOV_B32"), 4);
    run.cycles(vop1("V_RCP_F32"), 20);
    run.throughput(vop1("V_RCP_F32"), 2, 20, 5);
    for (name, multiple) in DOUBLE_PRECISION {
        run.cycles(vop3(name), 2 * multiple);
    }
    run.chain(vop3("V_FMA_F64"), 16, 24);
    run.cycles(vop3("V_FMA_F32"), 4);
    run.cycles(Code { instruction: "DS_READ_B32", encoding: "DS", bytes: 8 }, 4);
    run.cycles(Code { instruction: "DS_WRAP_RTN_B32", encoding: "DS", bytes: 8 }, 12);
    run.without_readings(
        Code { instruction: "S_SETHALT", encoding: "SOPP", bytes: 4 },
        ExperimentStatus::Skipped,
        "halts the wave, the queue never drains",
    );
    run.without_readings(sop1("S_RFE_B64"), ExperimentStatus::Failed, "the launch exceeded its 10 s, with \"rc\" 1");
    run.noise = Noise { doubled_rate: 0.5, ..noise };
    run.cycles(vop2("V_MUL_F32"), 4);
    run
}

/// The files that an analysis writes.
fn written(run: &SyntheticRun) -> impl Fn(&str) -> String + use<> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    run.analysis().write(folder.path()).expect("written");
    move |name| std::fs::read_to_string(folder.path().join(name)).expect(name)
}

#[test]
fn the_tables_of_a_noisy_run() {
    let file = written(&sampler(Noise::USUAL));
    insta::assert_snapshot!("timings.csv", file("timings.csv"));
    insta::assert_snapshot!("throughput.csv", file("throughput.csv"));
    insta::assert_snapshot!("estimates.csv", file("estimates.csv"));
    insta::assert_snapshot!("dpfactor.json", file("dpfactor.json"));
    insta::assert_snapshot!("TIMINGS.md", file("TIMINGS.md"));
}

#[test]
fn the_tables_of_a_quiet_run() {
    let run = sampler(Noise::default());
    let file = written(&run);
    insta::assert_snapshot!("quiet timings.csv", file("timings.csv"));
    let of_measured: String =
        file("validation.csv").lines().filter(|l| !l.ends_with(",unmeasured")).fold(String::new(), |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        });
    insta::assert_snapshot!("quiet validation.csv, measured", of_measured);
    insta::assert_snapshot!("quiet summary", whole_summary(&run.analysis()));
}

#[test]
fn analysing_twice_gives_the_same_bytes() {
    let run = sampler(Noise::USUAL);
    let (first, second) = (written(&run), written(&run));
    for name in ["estimates.csv", "timings.csv", "throughput.csv", "validation.csv", "dpfactor.json", "TIMINGS.md"] {
        assert_eq!(first(name), second(name), "{name}");
    }
}

#[test]
fn each_known_factor_is_found_through_noise() {
    for factor in [1, 2, 4, 8] {
        let analysis = double_precision(Noise::USUAL, |_, multiple| factor * multiple);
        let found = analysis.dpfactor.as_ref().expect("double precision was measured");
        assert_eq!((found.dpfactor, found.class), (factor as f64, DpClass::Known));
        assert_eq!((found.agreeing, found.of), (6, 6));
    }
}

#[test]
fn a_new_factor_is_found_in_noise_and_used_for_verdicts() {
    let analysis = double_precision(Noise::USUAL, |_, multiple| 3 * multiple);
    let found = analysis.dpfactor.as_ref().expect("double precision was measured");
    assert_eq!((found.class, found.dp_rate.as_str()), (DpClass::New, "1/6"));
    assert!((found.dpfactor - 3.0).abs() < 0.05 && found.low <= 3.0 && 3.0 <= found.high, "{found:?}");
    let add = analysis.validation.iter().find(|row| row.instruction == "V_ADD_F64").expect("a row");
    assert_eq!((add.published.as_str(), add.verdict), ("DPFACTOR*4", Verdict::Match), "{add:?}");
}

#[test]
fn a_card_whose_rows_contradict_gets_no_class() {
    // Additions at full rate, multiplications not: no factor describes it.
    let analysis = double_precision(Noise::USUAL, |name, _| if name.contains("ADD") { 4 } else { 24 });
    let found = analysis.dpfactor.as_ref().expect("double precision was measured");
    assert_eq!(found.class, DpClass::Inconsistent);
    assert_eq!(found.contradicting.len() + found.agreeing, 6);
    let line = whole_summary(&analysis);
    assert!(line.contains("inconsistent"), "{line}");
}

#[test]
fn one_odd_row_is_named_and_mismatches() {
    // MUL_F64 as fast as ADD_F64: one of the open questions on real cards.
    let analysis = double_precision(Noise::USUAL, |name, multiple| if name == "V_MUL_F64" { 8 } else { 2 * multiple });
    let found = analysis.dpfactor.as_ref().expect("double precision was measured");
    assert_eq!((found.dpfactor, found.class), (2.0, DpClass::Known));
    assert_eq!(found.contradicting, ["V_MUL_F64"]);
    let mul = analysis.validation.iter().find(|row| row.instruction == "V_MUL_F64").expect("a row");
    assert_eq!((mul.expected.as_str(), mul.verdict), ("16", Verdict::Mismatch));
}

#[test]
fn without_double_precision_the_factor_is_absent_and_an_old_file_goes() {
    let mut run = SyntheticRun::new("gfx600", "1.0", 1);
    run.cycles(vop2("V_ADD_F32"), 4);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let old = folder.path().join("dpfactor.json");
    std::fs::write(&old, "{}").expect("written");
    let analysis = run.analysis();
    analysis.write(folder.path()).expect("written");
    assert!(!old.exists());
    assert!(analysis.dpfactor.as_ref().expect_err("absent").to_string().contains("--only 'V_*_F64'"));
    let add64 = analysis.validation.iter().find(|row| row.instruction == "V_ADD_F64").expect("a row");
    assert_eq!((add64.expected.as_str(), add64.verdict), ("", Verdict::Unmeasured));
}

#[test]
fn every_published_row_of_the_generation_is_there_and_others_are_not() {
    let mut run = SyntheticRun::new("gfx600", "1.0", 1);
    run.cycles(vop2("V_ADD_F32"), 4);
    let analysis = run.analysis();
    let has = |name: &str| analysis.validation.iter().any(|row| row.instruction == name);
    assert!(has("V_RCP_F32") && has("DS_READ_B32") && has("BUFFER_LOAD_DWORD"));
    assert!(!has("V_ADD3_U32"), "GCN 1.4 only");
    let add = analysis.validation.iter().filter(|row| row.source == "clrx" && row.instruction == "V_ADD_F32");
    assert_eq!(add.count(), 2, "cycles and throughput, by the rule for VOP2");
    let of_rule = |name: &str| analysis.validation.iter().any(|row| row.source == "clrx" && row.instruction == name);
    assert!(of_rule("V_ADD_F32") && !of_rule("V_SUB_F32"), "a rule counts for measured instructions");
}

#[test]
fn every_source_has_its_row_and_its_own_verdict() {
    let mut run = SyntheticRun::new("gfx803:xnack-", "1.2", 1);
    run.filler();
    run.cycles(Code { instruction: "V_CVT_F32_I32", encoding: "VOP1", bytes: 4 }, 4);
    run.cycles(Code { instruction: "DS_READ_B96", encoding: "DS", bytes: 8 }, 16);
    run.chase(Code { instruction: "DS_READ_B96", encoding: "DS", bytes: 8 }, 20);
    let analysis = run.analysis();
    let verdict = |source: &str, instruction: &str, quantity: &str| {
        let mut rows = analysis.validation.iter();
        let is_it = |row: &&ValidationRow| {
            row.source == source && row.instruction == instruction && row.quantity.name() == quantity
        };
        rows.find(is_it).map(|row| (row.published.clone(), row.verdict))
    };
    let is = |printed: &str, verdict| Some((printed.to_owned(), verdict));
    assert_eq!(verdict("clrx", "V_CVT_F32_I32", "cycles"), is("4", Verdict::Match));
    assert_eq!(verdict("llvm", "V_CVT_F32_I32", "cycles"), is("16", Verdict::Mismatch));
    assert_eq!(verdict("mesa-aco", "V_CVT_F32_I32", "cycles"), is("4", Verdict::Match));
    assert_eq!(verdict("app-guide", "V_CVT_F32_I32", "cycles"), None, "it speaks of Tahiti");
    assert_eq!(verdict("clrx", "DS_READ_B96", "cycles"), is("16", Verdict::Match));
    assert_eq!(verdict("lds-bus", "DS_READ_B96", "cycles"), is("12", Verdict::Mismatch));
    assert_eq!(verdict("llvm", "DS_READ_B96", "latency"), is("20", Verdict::Match));
    assert_eq!(verdict("llvm", "V_CVT_F32_I32", "latency"), None);
}

#[test]
fn unrequested_instructions_are_not_counted() {
    let mut run = SyntheticRun::new("gfx600", "1.0", 1);
    run.cycles(vop2("V_ADD_F32"), 4);
    assert!(run.analysis().summary().not_asked.is_empty());
    let all = run.analysis().validation.len();
    run.record.options.only = vec!["V_ADD_F32".into()];
    let analysis = run.analysis();
    assert_eq!(analysis.validation.len(), all, "the file has a row for every value");
    let summary = analysis.summary();
    let counted: usize = summary.published.iter().flat_map(|(_, verdicts)| verdicts.values()).sum();
    assert_eq!(counted, analysis.validation.iter().filter(|row| row.instruction == "V_ADD_F32").count());
    assert!(summary.not_asked["clrx"] > 300, "{:?}", summary.not_asked);
    let line = format!("{} not asked for", summary.not_asked["clrx"]);
    assert!(whole_summary(&analysis).contains(&line), "{}", whole_summary(&analysis));
}

#[test]
fn instructions_missing_in_the_clrx_table_are_counted() {
    let mut run = SyntheticRun::new("gfx701", "1.1", 1);
    run.filler();
    run.cycles(vop2("V_ADD_F32"), 4);
    run.cycles(Code { instruction: "FLAT_LOAD_DWORD", encoding: "FLAT", bytes: 8 }, 8);
    run.cycles(Code { instruction: "S_NOP", encoding: "SOPP", bytes: 4 }, 4);
    run.without_readings(
        Code { instruction: "S_TRAP", encoding: "SOPP", bytes: 4 },
        ExperimentStatus::Skipped,
        "traps",
    );
    let analysis = run.analysis();
    let beyond: Vec<_> = analysis.beyond_clrx().map(|row| row.instruction.as_str()).collect();
    assert_eq!(beyond, ["FLAT_LOAD_DWORD", "S_NOP"]);
    assert_eq!(analysis.summary().beyond, 2);
}

#[test]
fn disputes_name_who_was_right() {
    let mut run = SyntheticRun::new("gfx803", "1.2", 1);
    run.filler();
    for (name, encoding, cycles) in [("V_CVT_F32_I32", "VOP1", 4), ("V_RCP_F32", "VOP1", 16)] {
        run.cycles(Code { instruction: name, encoding, bytes: 4 }, cycles);
    }
    for (name, cycles) in [("V_ADD_F64", 32), ("V_MUL_F64", 64), ("V_FMA_F64", 64), ("V_LSHLREV_B64", 8)] {
        run.cycles(vop3(name), cycles);
    }
    run.taken(Code { instruction: "S_BRANCH", encoding: "SOPP", bytes: 4 }, 16);
    run.stride_sweep(16, &[("stride 1", 1), ("stride 16", 16), ("stride 64", 64)], 2);
    let analysis = run.analysis();
    insta::assert_snapshot!("disputes.csv", gcn_analysis::csv_text(&analysis.disputes));
}

/// A run that has something for every section of TIMINGS.md.
#[test]
fn the_timings_page_is_complete() {
    let mut run = SyntheticRun::new("gfx803", "1.2", 3);
    run.filler();
    let code = |instruction, encoding, bytes| Code { instruction, encoding, bytes };
    run.cycles(code("S_ADD_U32", "SOP2", 4), 4);
    run.cycles(code("S_MUL_I32", "SOP2", 4), 4);
    run.cycles(code("S_SETREG_B32", "SOPK", 4), 8);
    run.cycles(code("S_MOVK_I32", "SOPK", 4), 4);
    run.cycles(code("S_CBRANCH_SCC0", "SOPP", 4), 4);
    run.taken(code("S_CBRANCH_SCC0", "SOPP", 4), 16);
    run.taken(code("S_BRANCH", "SOPP", 4), 16);
    run.case = "backward";
    run.taken(code("S_BRANCH", "SOPP", 4), 24);
    run.case = "";
    run.cycles(code("S_NOP", "SOPP", 4), 4);
    run.cycles_each(code("S_LOAD_DWORDX16", "SMEM", 8), |_| 20);
    run.chase(code("S_LOAD_DWORDX16", "SMEM", 8), 80);
    run.cycles(code("S_MEMREALTIME", "SMEM", 8), 4);
    for (name, cycles) in [("V_ADD_F64", 32), ("V_MUL_F64", 64)] {
        run.cycles(vop3(name), cycles);
    }
    let read = code("DS_READ_B32", "DS", 8);
    run.cycles(read, 4);
    run.chase(read, 64);
    run.throughput(read, 2, 4, 2);
    run.cycles(code("DS_WRAP_RTN_B32", "DS", 8), 12);
    run.stride_sweep(32, &[("stride 1", 1), ("stride 2", 2), ("stride 32", 32), ("stride 64", 64)], 2);
    let add = code("BUFFER_ATOMIC_ADD", "MUBUF", 8);
    run.cycles(add, 16);
    for (case, cycles) in [("glc", 19), ("offen", 16), ("idxen+offen", 20)] {
        run.case = case;
        run.cycles(add, cycles);
    }
    run.case = "";
    run.cycles(code("BUFFER_LOAD_FORMAT_XY", "MUBUF", 8), 18);
    run.cycles(code("FLAT_LOAD_DWORD", "FLAT", 8), 8);
    for (name, reason) in [("S_TRAP", "traps"), ("S_SETHALT", "halts the wave"), ("S_RFE_B64", "traps")] {
        run.without_readings(code(name, "SOPP", 4), ExperimentStatus::Skipped, reason);
    }
    run.without_readings(code("S_SLEEP", "SOPP", 4), ExperimentStatus::Failed, "the launch exceeded its 10 s");
    run.record.options.only = vec!["some".into()];
    let file = written(&run);
    insta::assert_snapshot!("complete TIMINGS.md", file("TIMINGS.md"));
    insta::assert_snapshot!("complete summary", whole_summary(&run.analysis()));
}

/// A matrix instruction has its shape, its cycles as passes, and the vendor's statement.
#[test]
fn matrix_instructions_have_a_section() {
    let mut run = SyntheticRun::new("gfx942", "gfx942", 7).with_noise(Noise::default());
    run.filler();
    for (instruction, cycles) in [("V_MFMA_F32_16X16X16_BF16", 16), ("V_MFMA_F32_4X4X4_16B_F16", 8)] {
        run.cycles(Code { instruction, encoding: "VOP3P", bytes: 8 }, cycles);
    }
    let page = gcn_analysis::page(&run.analysis());
    let (_, section) = page.split_once("## Matrix instructions").expect("a section");
    let row = |name: &str| section.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    let large = row("V_MFMA_F32_16X16X16_BF16");
    assert!(large.starts_with("V_MFMA_F32_16X16X16_BF16 | 16 × 16 × 16 | 1 | 16 | 4 |"), "{large}");
    assert!(large.ends_with("| 2048"), "2048 operations a cycle and compute unit: {large}");
    let small = row("V_MFMA_F32_4X4X4_16B_F16");
    assert!(small.starts_with("V_MFMA_F32_4X4X4_16B_F16 | 4 × 4 × 4 | 16 | 8 | 2 |"), "{small}");
    let gcn = double_precision(Noise::default(), |_, multiple| multiple);
    assert!(!gcn_analysis::page(&gcn).contains("Matrix instructions"));
}
