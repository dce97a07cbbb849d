//! RDNA cards with LDS of other numbers of banks: found again by waves of 32 and of 64 lanes, on a compute unit and on a work-group processor.

use gcn_harness::device::{Chosen, Device, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::isa::GroupMode;
use gcn_tests::{MeasuredRun, blind_gpu, measure_on, quick};

fn sweep(base: &str, lines: &str, lanes: u32, mode: GroupMode) -> MeasuredRun {
    let device: Box<dyn Device> = Box::new(SimulatedDevice::new("sim:test", &blind_gpu(base, lines)));
    let device = Chosen::in_waves_of(device, lanes).unwrap();
    let device = Chosen::in_mode(Box::new(device), mode).unwrap();
    measure_on(&device, &MeasureOptions { suites: vec![Suite::Lds], ..quick(&[]) })
}

fn assert_banks(base: &str, lines: &str, banks: u32, (lanes, mode): (u32, GroupMode)) {
    let run = sweep(base, lines, lanes, mode);
    let found = run.analysis.lds_banks.as_ref().unwrap_or_else(|| panic!("{base} {lines}: no sweep"));
    assert_eq!(found.banks, Some(banks), "{base} {lines}{lanes} lanes, {mode}: {found}");
    // 64 dwords apart all lanes want one bank.
    assert!(
        (found.worst.value.0 / f64::from(lanes) - 1.0).abs() < 0.05,
        "{base} {lines}{lanes} lanes, {mode}: {found}"
    );
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
