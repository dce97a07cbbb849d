//! RDNA cards with LDS of other numbers of banks: found again by waves of 32 and of 64 lanes, on a compute unit and on a work-group processor.

use gcn_harness::device::{Chosen, Device, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_harness::run_card;
use gcn_model::gpu::Provenance;
use gcn_model::isa::GroupMode;
use gcn_predict::{Card, Code, Question, predict_card};
use gcn_tests::{MeasuredRun, blind_gpu, chip, measure_on, quick};

fn sweep(base: &str, lines: &str, lanes: u32, mode: GroupMode) -> MeasuredRun {
    let device: Box<dyn Device> = Box::new(SimulatedDevice::new("sim:test", &blind_gpu(base, lines)));
    let device = Chosen::in_waves_of(device, lanes).unwrap();
    let device = Chosen::in_mode(Box::new(device), mode).unwrap();
    measure_on(&device, &MeasureOptions { suites: vec![Suite::Lds], ..quick(&[]) })
}

fn assert_banks(base: &str, lines: &str, banks: u32, (lanes, mode): (u32, GroupMode)) -> MeasuredRun {
    let run = sweep(base, lines, lanes, mode);
    let found = run.analysis.lds_banks.as_ref().unwrap_or_else(|| panic!("{base} {lines}: no sweep"));
    assert_eq!(found.banks, Some(banks), "{base} {lines}{lanes} lanes, {mode}: {found}");
    // 64 dwords apart all lanes want one bank, of an array that may serve both compute units.
    let arrays = if lines.contains("wgp_arrays = 2") { 2 } else { 1 };
    let (units, arrays) = if mode == GroupMode::Processor { (2, Some(arrays)) } else { (1, None) };
    assert_eq!(found.arrays, arrays, "{base} {lines}{lanes} lanes, {mode}: {found}");
    let worst = lanes * units / arrays.unwrap_or(1);
    assert!(
        (found.worst.value.0 / f64::from(worst) - 1.0).abs() < 0.05,
        "{base} {lines}{lanes} lanes, {mode}: {found}"
    );
    run
}

/// Cycles of loads of eight waves on each SIMD of a work-group processor.
fn loads(card: &Card) -> f64 {
    let object = chip("rx7900xtx", "").object(&format!(
        ".Ltop:\n{}s_waitcnt lgkmcnt(0)\ns_cbranch_scc1 .Ltop\ns_endpgm\n",
        "ds_load_b32 v4, v1\n".repeat(16)
    ));
    let code = Code { address: object.code_address, words: object.code.into() };
    let region = code.regions(card.gpu.processor()).unwrap().remove(0);
    let question = Question { waves_per_simd: 8, simds: 4, waves_per_group: None, group_mode: GroupMode::Processor };
    predict_card(card, &code, &region, question).unwrap().cycles_per_iteration.0
}

#[test]
fn predictions_follow_the_arrays_that_a_run_found() {
    let estimated = run_card(assert_banks("rx5700xt", "", 32, (32, GroupMode::Processor)).folder()).unwrap().gpu;
    assert_eq!(estimated.origins["lds.wgp_arrays"].provenance, Provenance::Stated, "what the run tells is no estimate");
    for (arrays, cycles) in [(1, 512.0), (2, 256.0)] {
        let lines = format!("[lds]\nwgp_arrays = {arrays}\n");
        let run = assert_banks("rx7900xtx", &lines, 32, (32, GroupMode::Processor));
        let card = run_card(run.folder()).unwrap();
        assert_eq!(card.gpu.lds.wgp_arrays, arrays);
        let [found, hidden] = [&card, &Card::from(&blind_gpu("rx7900xtx", &lines))].map(loads);
        assert!((found / hidden - 1.0).abs() < 0.01, "{arrays}: {found} {hidden}");
        assert!((hidden / cycles - 1.0).abs() < 0.05, "{arrays}: {hidden}");
    }
}

#[test]
fn one_array_of_a_work_group_processor_is_told_from_two() {
    for base in ["rx5700xt", "rx7900xtx", "rx9070xt"] {
        for banks in [16, 32, 64] {
            let lines = format!("[lds]\nbanks = {banks}\nwgp_arrays = 2\n");
            assert_banks(base, &lines, banks, (32, GroupMode::Processor));
            assert_banks(base, &lines.replace("arrays = 2", "arrays = 1"), banks, (32, GroupMode::Processor));
        }
    }
}

#[test]
fn each_compute_unit_has_the_banks_of_its_file_in_either_mode() {
    for base in ["rx5700xt", "rx6800", "rx7900xtx", "rx9070xt"] {
        for mode in [GroupMode::ComputeUnit, GroupMode::Processor] {
            assert_banks(base, "", 32, (32, mode));
        }
    }
    assert_banks("rx6800", "", 32, (64, GroupMode::ComputeUnit));
}

#[test]
fn other_numbers_of_banks_are_found() {
    for (base, banks) in [("rx6800", 16), ("rx6800", 64), ("rx7900xtx", 16), ("rx7900xtx", 64)] {
        let lines = format!("[lds]\nbanks = {banks}\n");
        assert_banks(base, &lines, banks, (32, GroupMode::ComputeUnit));
    }
    assert_banks("rx6800", "[lds]\nbanks = 64\n", 64, (64, GroupMode::ComputeUnit));
    assert_banks("rx9070xt", "[lds]\nbanks = 16\n", 16, (32, GroupMode::Processor));
}

#[test]
fn banks_are_found_where_the_oldest_wave_is_served_first() {
    let lines = "[scheduling]\noldest_first = { value = true, estimated = \"blind\" }\n";
    for lanes in [32, 64] {
        assert_banks("rx7900xtx", lines, 32, (lanes, GroupMode::ComputeUnit));
    }
}
