//! Invented RDNA cards: other register files, granules, LDS and wave slots, found again by waves that sleep.

use gcn_analysis::{Resource, Slots};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_tests::{MeasuredRun, Tier, blind_gpu, measure};

fn occupancy(base: &str, lines: &str) -> MeasuredRun {
    let suites = vec![Suite::Occupancy];
    measure(&blind_gpu(base, lines), &MeasureOptions { suites, sweeps: 1, ..MeasureOptions::default() })
}

/// Slots of a SIMD; granule and total of its VGPRs; granule and total of the LDS of a compute unit, bytes.
type Truth = (u32, (u32, u32), (u32, u32));

fn assert_found(base: &str, lines: &str, (slots, vgprs, lds): Truth) {
    let run = occupancy(base, lines);
    let found = &run.analysis.occupancy;
    assert_eq!(found.slots, Some(Slots::Exactly(slots)), "{base} {lines}");
    for (resource, (granule, total)) in [(Resource::Vgprs, vgprs), (Resource::LdsOfWave, lds)] {
        let found = found.allocations.iter().find(|found| found.resource == resource);
        let found = found.unwrap_or_else(|| panic!("{base} {lines}: no {resource}"));
        assert_eq!(found.granule(), Some(granule), "{base} {lines}: {found:?}");
        let (low, high) = found.total;
        let is_near = high.is_some_and(|high| total <= high && high - low < total / 8);
        assert!(low <= total && is_near, "{base} {lines}: {found:?}");
    }
    // Every wave has the same SGPRs: no kernel asks for fewer or more.
    assert!(found.allocations.iter().all(|found| found.resource != Resource::Sgprs));
    // Groups of a wave for each SIMD find the same LDS as those of a single wave.
    let (alone, together) = (Resource::LdsOfWave, Resource::LdsOfTwoWaves);
    let of = |resource| found.residence.iter().filter(move |row| row.resource == resource);
    let mut compared = 0;
    for row in of(together).filter(|row| row.amount > lds.0) {
        let waves = row.waves_per_simd.unwrap_or_else(|| panic!("{base} {lines}: {row:?}"));
        let granules = lds.1 / row.amount.next_multiple_of(lds.0);
        assert_eq!(waves, granules.min(slots), "{base} {lines}: {row:?}");
        compared += 1;
    }
    assert!(compared > 40 && of(alone).count() > 10, "{base} {lines}: {compared}");
}

#[test]
fn cards_that_ship_are_found_as_their_files_say() {
    for (base, truth) in [
        ("rx5700xt", (20, (8, 1024), (512, 65536))),
        ("rx6800", (16, (16, 1024), (1024, 65536))),
        ("rx7900xtx", (16, (24, 1536), (1024, 65536))),
        ("rx9070xt", (16, (24, 1536), (1024, 65536))),
    ] {
        assert_found(base, "", truth);
    }
}

#[test]
fn other_granules_slots_and_files_are_found() {
    let lines = |registers: &str, lds: &str| format!("[registers]\n{registers}\n[lds]\n{lds}\n");
    let few = "waves_per_simd = 10\nvgprs = 1024\nvgpr_granule = 8";
    assert_found("rx9070xt", &lines(few, "bytes = 32768\ngranule_bytes = 512"), (10, (8, 1024), (512, 32768)));
    if !Tier::All.runs("an invented card of each generation before") {
        return;
    }
    let more = "waves_per_simd = 14\nvgprs = 768\nvgpr_granule = 16";
    assert_found("rx5700xt", &lines(more, "bytes = 49152\ngranule_bytes = 1024"), (14, (16, 768), (1024, 49152)));
    let coarse = "waves_per_simd = 11\nvgprs = 1200\nvgpr_granule = 16";
    assert_found("rx7900xtx", &lines(coarse, "granule_bytes = 2048"), (11, (16, 1200), (2048, 65536)));
    let finer = "waves_per_simd = 12\nvgprs = 768\nvgpr_granule = 8";
    assert_found("rx6800", &lines(finer, "granule_bytes = 256"), (12, (8, 768), (256, 65536)));
}
