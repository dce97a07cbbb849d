//! The lanes that the LDS serves together, of cards that the harness does not know: found by conflicts, and taken over by predictions.

use std::collections::BTreeMap;

use gcn_harness::device::{Chosen, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_harness::run_card;
use gcn_model::gpu::Gpu;
use gcn_tests::{MeasuredRun, blind_gpu, measure, measure_on, quick};

const NOISE: &str = "[noise]\nseed = 5\njitter_cycles = 6\noutlier_rate = 0.03\noutlier_cycles = 3000\n";

fn options() -> MeasureOptions {
    MeasureOptions { suites: vec![Suite::Lds], ..quick(&[]) }
}

/// What a run says of each access: the passes as text, or why there are none.
fn said(run: &MeasuredRun) -> BTreeMap<String, String> {
    let rows = run.analysis.suites.lds_lanes.iter();
    rows.map(|row| {
        (row.instruction.clone(), row.passes.map_or_else(|| row.detail.clone(), |passes| passes.to_string()))
    })
    .collect()
}

fn assert_said(run: &MeasuredRun, loads: [&str; 2], stores: [&str; 2]) {
    let names: [[&str; 2]; 4] = [
        ["DS_READ_B64", "DS_LOAD_B64"],
        ["DS_READ_B128", "DS_LOAD_B128"],
        ["DS_WRITE_B64", "DS_STORE_B64"],
        ["DS_WRITE_B128", "DS_STORE_B128"],
    ];
    let said = said(run);
    for (either, expected) in names.into_iter().zip([loads, stores].concat()) {
        let found = either.iter().find_map(|name| said.get(*name));
        assert_eq!(found.map(String::as_str), Some(expected), "{either:?}: {said:?}");
    }
}

#[test]
fn passes_of_shipped_cards_are_found() {
    for (base, loads, stores) in [
        // 32 neighbours, as many as there are banks.
        ("vega20", ["00000000"; 2], ["00000000"; 2]),
        ("mi300x", ["00000000", "01231032"], ["00000000", "00112233"]),
        ("mi355x", ["00000000", "01101001"], ["00001111", "00112233"]),
    ] {
        assert_said(&measure(&Gpu::named(base).unwrap(), &options()), loads, stores);
    }
}

#[test]
fn other_passes_and_banks_are_found_and_taken_over_by_a_prediction() {
    let lines = format!(
        "{NOISE}[lds]\nload_b64_passes = \"01100110\"\nload_b128_passes = \"01233210\"\nstore_b64_passes = \"01010101\"\n\
         store_b128_passes = \"01234567\"\n"
    );
    let run = measure(&blind_gpu("mi300x", &lines), &options());
    let none = "no two groups of four lanes are seen to conflict";
    assert_said(&run, ["01100110", "01233210"], ["01010101", none]);
    let lds = run_card(run.folder()).unwrap().gpu.lds;
    let text = |passes: Option<gcn_model::gpu::LdsPasses>| passes.map(|passes| passes.to_string()).unwrap_or_default();
    assert_eq!([text(lds.load_b64_passes), text(lds.load_b128_passes)], ["01100110", "01233210"]);
    // What the run does not tell is that of the card of this name that ships.
    assert_eq!([text(lds.store_b64_passes), text(lds.store_b128_passes)], ["01010101", "00112233"]);

    let half = measure(&blind_gpu("hawaii", "[lds]\nbanks = 16\n"), &options());
    assert_said(&half, ["00001111"; 2], ["00001111"; 2]);
    // Rows of 64 dwords are in other banks: no conflict is seen, and none is made up.
    let odd = measure(&blind_gpu("hawaii", "[lds]\nbanks = 37\n"), &options());
    assert!(said(&odd).values().all(|said| said == none), "{:?}", said(&odd));
}

#[test]
fn waves_of_32_lanes_tell_the_same() {
    let gpu = blind_gpu("rx7900xtx", "[lds]\nload_b128_passes = \"01012323\"\n");
    let device = Chosen::in_waves_of(Box::new(SimulatedDevice::new("sim:test", &gpu)), 32).unwrap();
    assert_said(&measure_on(&device, &options()), ["00000000", "01012323"], ["00000000"; 2]);
}
