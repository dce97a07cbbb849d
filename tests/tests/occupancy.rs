//! What runs at once: found on the shipped GPUs as the CLRX table's table states it, and on GPU files with other register files,
//! granules, LDS and wave slots, which the harness cannot know.

use gcn_analysis::{Allocation, Quantity, Resource, Slots, Verdict};
use gcn_harness::experiment::{MeasureOptions, Suite};
use gcn_model::gpu::Gpu;
use gcn_tests::{MeasuredRun, measure};

fn occupancy(base: &str, lines: &str) -> MeasuredRun {
    let text = format!("base = \"{base}\"\n{lines}");
    let gpu = Gpu::from_toml(&text, "occupancy.toml").unwrap_or_else(|error| panic!("{error}"));
    let suites = vec![Suite::Occupancy];
    measure(&gpu, &MeasureOptions { suites, sweeps: 1, ..MeasureOptions::default() })
}

/// The table's numbers for a number of waves: SGPRs, VGPRs, LDS dwords of a lane.
fn row(run: &MeasuredRun, waves: u32) -> (Option<u32>, Option<u32>, Option<f64>) {
    let found = run.analysis.occupancy.table.iter().find(|row| row.waves_per_simd == waves);
    let found = found.unwrap_or_else(|| panic!("no row for {waves} waves"));
    (found.sgprs, found.vgprs, found.lds_dwords_per_lane)
}

fn allocation(run: &MeasuredRun, resource: Resource) -> &Allocation {
    let mut all = run.analysis.occupancy.allocations.iter();
    all.find(|found| found.resource == resource).unwrap_or_else(|| panic!("no {resource}"))
}

/// The granule that was found, and a total that the truth lies in.
fn assert_given_out(run: &MeasuredRun, resource: Resource, granule: u32, total: u32) {
    let found = allocation(run, resource);
    assert_eq!(found.granule(), Some(granule), "{found:?}");
    let (low, high) = found.total;
    // Granules that do not go with the steps widen it.
    assert!(low <= total && high.is_some_and(|high| total <= high && high - low < total / 6), "{found:?}");
}

#[test]
fn gcn_1_0_and_1_1_are_as_published() {
    for gpu in ["tahiti", "hawaii"] {
        let run = occupancy(gpu, "");
        let rows: Vec<_> = run.analysis.validation.iter().filter(|row| row.instruction.ends_with(" waves")).collect();
        assert_eq!(rows.len(), 40, "{gpu}");
        for row in &rows {
            let expected: &[Verdict] = match row.quantity {
                // 128 SGPRs are more than a kernel can ask for.
                Quantity::Sgprs if row.published == "128" => &[Verdict::Unmeasured],
                // Jumps in the second half of a block are late here: on this many waves no block issues more than four.
                Quantity::Issue if ["5 waves", "6 waves", "7 waves"].contains(&row.instruction.as_str()) => {
                    &[Verdict::Unmeasured, Verdict::Match]
                }
                _ => &[Verdict::Match],
            };
            assert!(expected.contains(&row.verdict), "{gpu}: {row:?}");
        }
        assert_given_out(&run, Resource::Vgprs, 4, 256);
        assert_given_out(&run, Resource::Sgprs, 8, 512);
        assert_given_out(&run, Resource::LdsOfWave, if gpu == "tahiti" { 256 } else { 512 }, 65536);
    }
}

#[test]
fn gcn_1_2_has_more_sgprs_than_the_clrx_table() {
    let run = occupancy("fiji", "");
    assert_eq!(row(&run, 10), (Some(80), Some(24), Some(6.0)));
    assert_eq!(row(&run, 8), (Some(96), Some(32), Some(8.0)));
    assert_given_out(&run, Resource::Sgprs, 16, 800);
}

#[test]
fn other_register_files_granules_and_slots_are_inferred() {
    let run = occupancy(
        "hawaii",
        "[registers]\nwaves_per_simd = 8\nvgprs = 248\nvgpr_granule = 8\nsgprs = 640\nsgpr_granule = 32\n\
         [lds]\nbytes = 49152\ngranule_bytes = 1024\n",
    );
    assert_eq!(run.analysis.occupancy.slots, Some(Slots::Exactly(8)));
    assert_given_out(&run, Resource::Vgprs, 8, 248);
    assert_given_out(&run, Resource::Sgprs, 32, 640);
    assert_given_out(&run, Resource::LdsOfWave, 1024, 49152);
    assert_eq!(row(&run, 8), (Some(64), Some(24), Some(6.0)));
    assert_eq!(row(&run, 3), (Some(104), Some(80), Some(16.0)));
}

#[test]
fn slower_issue_shows_in_the_issue_column() {
    let issue = |run: &MeasuredRun, waves: u32| -> f64 {
        let rows = &run.analysis.occupancy.table;
        rows.iter().find(|row| row.waves_per_simd == waves).and_then(|row| row.issue).map_or(0.0, |issue| issue.value.0)
    };
    let (usual, slow) = (occupancy("hawaii", ""), occupancy("hawaii", "[throughput]\nS_MOV_B32 = 0.25\n"));
    assert!(issue(&usual, 4) > 3.0, "{}", issue(&usual, 4));
    assert!(issue(&slow, 4) < issue(&usual, 4) - 0.3, "{} and {}", issue(&slow, 4), issue(&usual, 4));
}

#[test]
fn other_registers_and_slots_of_cdna_are_inferred() {
    let run = occupancy(
        "mi300x",
        "[registers]\nwaves_per_simd = 6\nvgprs = 480\nvgpr_granule = 16\n[lds]\nbytes = 49152\ngranule_bytes = 1024\n",
    );
    let slots = |run: &MeasuredRun| run.analysis.occupancy.slots;
    // Registers of these kernels allow no more waves: whether there are more slots is left open.
    assert_eq!(slots(&run), Some(Slots::AtLeast(6)));
    assert_given_out(&run, Resource::Vgprs, 16, 480);
    assert_given_out(&run, Resource::LdsOfWave, 1024, 49152);
    let run = occupancy(
        "mi100",
        "[registers]\nwaves_per_simd = 9\nvgprs = 248\nvgpr_granule = 8\nsgprs = 640\nsgpr_granule = 32\n[lds]\ngranule_bytes = 256\n",
    );
    assert!(matches!(slots(&run), Some(Slots::AtLeast(9) | Slots::Exactly(9))), "{:?}", slots(&run));
    assert_given_out(&run, Resource::Vgprs, 8, 248);
    assert_given_out(&run, Resource::Sgprs, 32, 640);
    assert_given_out(&run, Resource::LdsOfWave, 256, 65536);
}
