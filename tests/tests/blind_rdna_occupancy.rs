//! RDNA cards that nobody has: other register files, granules, LDS and wave slots, found again by waves that sleep.

use gcn_analysis::{Allocation, Resource, Slots};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_tests::{MeasuredRun, blind_gpu, measure};

fn occupancy(base: &str, lines: &str) -> MeasuredRun {
    let suites = vec![Suite::Occupancy];
    measure(&blind_gpu(base, lines), &MeasureOptions { suites, sweeps: 1, ..MeasureOptions::default() })
}

#[test]
fn look() {
    for (base, lines) in [
        ("rx5700xt", ""), ("rx6800", ""), ("rx7900xtx", ""), ("rx9070xt", ""),
        ("rx5700xt", "[registers]\nwaves_per_simd = 14\nvgprs = 768\nvgpr_granule = 16\n[lds]\nbytes = 49152\ngranule_bytes = 1024\n"),
        ("rx6800", "[registers]\nwaves_per_simd = 12\nvgprs = 768\nvgpr_granule = 8\n[lds]\ngranule_bytes = 256\n"),
        ("rx7900xtx", "[registers]\nwaves_per_simd = 11\nvgprs = 1200\nvgpr_granule = 16\n[lds]\ngranule_bytes = 2048\n"),
        ("rx9070xt", "[registers]\nwaves_per_simd = 10\nvgprs = 1024\nvgpr_granule = 8\n[lds]\nbytes = 32768\ngranule_bytes = 512\n"),
    ] {
        let run = occupancy(base, lines);
        println!("{base} {lines}");
        println!("{:?}", run.analysis.occupancy().slots);
        for found in &run.analysis.occupancy().allocations { println!("{:?} granule {:?}", found, found.granule()); }
        for row in &run.analysis.occupancy().table { println!("{row:?}"); }
    }
    let _: Option<(Allocation, Resource, Slots)> = None;
    panic!();
}
