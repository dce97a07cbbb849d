//! Every GPU that ships, measured with all suites: each row of the CLRX table that it has is measured and matches, or has a good
//! reason why not; the summary files are those in `results/reference/`.

use std::collections::{BTreeMap, BTreeSet};

use gcn_analysis::{DpClass, Quantity, Status, TimingRow, Verdict};
use gcn_harness::device::SimulatedDevice;
use gcn_harness::experiment::MeasureOptions;
use gcn_harness::kernel::{Action, constraints};
use gcn_model::gpu::Gpu;
use gcn_model::published::{self, Expected, Published};
use gcn_model::timing::{OrderedSource, TimingSource, Timings, order};
use gcn_tests::{MeasuredRun, ROUNDING, Tier, compare_with_published, measure_on};

/// The known facts about a product. The factors are copied from the CLRX table's table by product, not from the GPU files.
struct Product {
    name: &'static str,
    dp_factor: f64,
    counts: Option<Counts>,
}

/// The counts by hand for a product whose results are published.
struct Counts {
    /// Instructions of the CLRX table's tables that it has.
    rows: usize,
    /// Instructions that it has and measures, and that the CLRX table does not list.
    beyond: usize,
}

const fn product(name: &'static str, dp_factor: f64, rows: usize, beyond: usize) -> Product {
    Product { name, dp_factor, counts: Some(Counts { rows, beyond }) }
}

/// "The LDS memory is partitioned in 32 banks."
const BANKS_OF_CLRX: u32 = 32;

const PRODUCTS: [Product; 11] = [
    product("tahiti", 2.0, 314, 16),
    product("pitcairn", 8.0, 314, 16),
    product("hawaii", 4.0, 332, 63),
    product("hawaii-pro", 1.0, 332, 63),
    product("bonaire", 8.0, 332, 63),
    product("tonga", 8.0, 339, 104),
    product("fiji", 8.0, 339, 104),
    product("polaris10", 8.0, 339, 104),
    product("vega10", 8.0, 364, 271),
    product("vega20", 1.0, 364, 283),
    product("radeon-vii", 2.0, 364, 283),
];

/// All that the CLRX table names and that must not be repeated in a kernel, each for a reason that a reader can accept: they inject
/// errors, read undocumented registers, wait for global wave sync or for their turn in a dispatch of another kind.
const LEFT_OUT: [&str; 10] = [
    "DS_GWS_BARRIER",
    "DS_GWS_INIT",
    "DS_GWS_SEMA_BR",
    "DS_GWS_SEMA_P",
    "DS_GWS_SEMA_RELEASE_ALL",
    "DS_GWS_SEMA_V",
    "DS_ORDERED_COUNT",
    "S_GETREG_REGRD_B32",
    "S_MOV_FED_B32",
    "V_MOV_FED_B32",
];

fn check(product: &Product) {
    let gpu = Gpu::named(product.name).unwrap();
    // All suites. A machine without noise gives the same reading again and again: few of them will do.
    let device = SimulatedDevice::new(&format!("sim:{}", product.name), &gpu);
    let run = measure_on(&device, &MeasureOptions { samples: 8, sweeps: 1, ..MeasureOptions::default() });
    if product.counts.is_some() {
        compare_with_published(product.name, run.folder());
    }
    assert!(run.analysis.throughputs.len() > 5 * 500, "{}: throughput on five numbers of waves", gpu.name);
    check_instructions(&gpu, &run);
    check_published(product, &gpu, &run);
    let differing: Vec<_> = run.analysis.penalties.iter().filter(|row| row.verdict == Verdict::Mismatch).collect();
    assert!(differing.is_empty(), "{}: the simulator follows the page's rules: {differing:#?}", gpu.name);

    let page = published::source("clrx").unwrap();
    let names: BTreeSet<&str> = page.rows().iter().map(|row| row.instruction.as_str()).collect();
    let rows = names.iter().filter(|name| gpu.processor().instruction(name).is_some()).count();
    let beyond = run.analysis.beyond_clrx().count();
    if let Some(counts) = &product.counts {
        assert_eq!((rows, beyond), (counts.rows, counts.beyond), "{}: rows of the page, beyond it", gpu.name);
    }
    assert_eq!(run.analysis.summary().beyond, beyond);

    let found = run.analysis.dpfactor.as_ref().unwrap();
    // The CLRX table's table begins at 1. Faster double precision leaves only bounds, and instructions of another engine are slower than these.
    let is_in_clrx = product.dp_factor >= 1.0;
    let class = if is_in_clrx { DpClass::Known } else { DpClass::New };
    assert_eq!((found.dpfactor, found.class), (product.dp_factor, class), "{}", gpu.name);
    assert!(found.agreeing == found.of || !is_in_clrx, "{}: {:?}", gpu.name, found.contradicting);
    assert!(found.of >= 40, "{}: only {} instructions say what DPFACTOR is", gpu.name, found.of);
    let glc: Vec<(u32, f64)> = run.analysis.glc.iter().map(|glc| (glc.extra, glc.cycles.value.into())).collect();
    assert_eq!(glc.len(), 2, "{}: GLC1 and GLC2", gpu.name);
    assert!(glc.iter().all(|(extra, cycles)| (cycles - f64::from(*extra)).abs() < ROUNDING), "{}: {glc:?}", gpu.name);
    assert_eq!(run.analysis.lds_banks.as_ref().unwrap().banks, Some(gpu.lds.banks), "{}", gpu.name);
}

/// Every instruction of the GPU, published or not, has its numbers or its reason.
fn check_instructions(gpu: &Gpu, run: &MeasuredRun) {
    let page = published::source("clrx").unwrap();
    let mut left_out_of_clrx = BTreeSet::new();
    for instruction in gpu.processor().instructions() {
        let row = run.row(&instruction.name);
        if row.status == Status::Skipped {
            assert!(row.detail.contains("facts") && row.detail.contains("§7"), "{}: {row:?}", gpu.name);
            assert!(!row.has_number(), "{}: {row:?}", gpu.name);
            if page.expectations_on(instruction, &gpu.gfx_target).cycles.is_some() {
                check_reason(row);
                left_out_of_clrx.insert(row.instruction.as_str());
            }
            continue;
        }
        assert_eq!(row.status, Status::Ok, "{}: {row:?}", gpu.name);
        assert!(row.cycles.is_some() || row.taken.is_some(), "{}: {row:?}", gpu.name);
        // In a loop around a jump, its own jump could not be told from it; what must not follow itself cannot be repeated.
        let is_without = |action| matches!(action, Action::Taken | Action::NotTaken | Action::Isolated);
        let has_throughput = !constraints(&row.instruction).iter().any(|row| is_without(row.action));
        assert_eq!(row.throughput.is_some() && row.waves_per_simd.is_some(), has_throughput, "{}: {row:?}", gpu.name);
        assert!(row.samples > 0, "{}: {row:?}", gpu.name);
        assert_eq!(row.dropped, 0, "{}: a quiet machine has no outliers: {row:?}", gpu.name);
    }
    let acceptable = LEFT_OUT.into_iter().filter(|name| gpu.processor().instruction(name).is_some()).collect();
    assert_eq!(left_out_of_clrx, acceptable, "{}: left out of the page", gpu.name);
}

/// The reason is the one that `constraints.csv` gives, and it rests on the facts' list of dangers.
fn check_reason(row: &TimingRow) {
    let mut reasons = constraints(&row.instruction).iter();
    let reason = reasons.find(|reason| matches!(reason.action, Action::Skip | Action::Dangerous));
    let reason = reason.unwrap_or_else(|| panic!("no reason in the data files: {row:?}"));
    assert_eq!(reason.source, "facts §7", "{row:?}");
    assert!(row.detail.contains(&reason.reason) && row.detail.contains(&reason.source), "{row:?}");
}

/// Every value that the CLRX table's tables and sentences give for an instruction of the run: it is met, or answered where the CLRX table
/// leaves it open.
fn check_published(product: &Product, gpu: &Gpu, run: &MeasuredRun) {
    let page: &Published = published::source("clrx").unwrap();
    let mut verdicts: BTreeMap<(&str, Quantity), Vec<Verdict>> = BTreeMap::new();
    for row in run.analysis.validation.iter().filter(|row| row.source == "clrx") {
        verdicts.entry((&row.instruction, row.quantity)).or_default().push(row.verdict);
        // The CLRX table prints the SGPRs of GCN 1.0 and 1.1 for all (facts §1.4).
        let is_of_another = row.quantity == Quantity::Sgprs && ["gfx8", "gfx9"].contains(&gpu.generation.name());
        let is_expected = is_of_another
            || departs(gpu, &row.instruction)
            || follows_another(gpu, &row.instruction)
            || has_other_banks(gpu, &row.instruction);
        assert!(row.verdict != Verdict::Mismatch || is_expected, "{}: {row:?}", gpu.name);
    }
    for timing in &run.analysis.timings {
        let instruction = gpu.processor().instruction(&timing.instruction).unwrap();
        let said = page.expectations_on(instruction, &gpu.gfx_target);
        for (quantity, expectation) in [
            (Quantity::Cycles, said.cycles),
            (Quantity::TakenCycles, said.taken_cycles),
            (Quantity::Throughput, said.throughput),
        ] {
            let Some(expectation) = expectation else { continue };
            let is_absent = timing.status == Status::Skipped
                || quantity == Quantity::TakenCycles && is_never_taken(&timing.instruction);
            let expected = expectation.evaluate(product.dp_factor);
            let verdict = match expected {
                _ if is_absent => Verdict::Unmeasured,
                Expected::Unknown | Expected::Doubtful(_) => Verdict::Answers,
                _ if departs(gpu, &timing.instruction) => Verdict::Mismatch,
                _ => Verdict::Match,
            };
            let may_differ = follows_another(gpu, &timing.instruction) || has_other_banks(gpu, &timing.instruction);
            if may_differ && verdict == Verdict::Match {
                // The other source may say the same, or not. Some instructions take no bank twice.
                continue;
            }
            let found = |quantity| verdicts.get(&(timing.instruction.as_str(), quantity)).cloned().unwrap_or_default();
            assert_eq!(found(quantity), [verdict], "{}: {} {quantity}", gpu.name, timing.instruction);
            if let Expected::WithGlc { .. } = expected {
                assert_eq!(found(Quantity::GlcCycles), [verdict], "{}: {} with GLC", gpu.name, timing.instruction);
            }
        }
    }
}

/// Whether the simulated card follows another source than the CLRX table there: a measurement on such a card.
fn departs(gpu: &Gpu, instruction: &str) -> bool {
    gpu.cycles.contains_key(instruction)
}

/// Whether the instruction is one of LDS, and the card has other banks than those of which the CLRX table speaks.
fn has_other_banks(gpu: &Gpu, instruction: &str) -> bool {
    gpu.lds.banks != BANKS_OF_CLRX && instruction.starts_with("DS_")
}

/// Whether another published source goes before the CLRX table there, by the order of the generation.
fn follows_another(gpu: &Gpu, instruction: &str) -> bool {
    let Some(instruction) = gpu.processor().instruction(instruction) else { return false };
    match Timings::of(gpu).get(instruction).source {
        TimingSource::Row { source, .. } | TimingSource::Rule { source, .. } => source != "clrx",
        _ => false,
    }
}

/// A jump on a debugger's flag, which is never set: `constraints.csv` has no way to take it, and says so.
fn is_never_taken(instruction: &str) -> bool {
    let rows = constraints(instruction);
    rows.iter().any(|row| row.action == Action::NotTaken && row.reason.contains("never taken"))
        && !rows.iter().any(|row| row.action == Action::Taken)
}

/// Whether the simulated card has its timings from the CLRX table alone; `cdna.rs` speaks of the others.
fn is_in_clrx_table(gpu: &Gpu) -> bool {
    let is_on_it = gpu.generation.clrx_name().is_some();
    let of_generation = |source: &&OrderedSource| source.generation == gpu.generation.name();
    is_on_it && order().iter().filter(of_generation).all(|source| source.source == "clrx")
}

#[test]
fn every_listed_product_ships_and_others_match_the_clrx_table() {
    let shipped: BTreeMap<&str, Gpu> = Gpu::shipped().map(|name| (name, Gpu::named(name).unwrap())).collect();
    let listed: BTreeSet<&str> = PRODUCTS.iter().map(|product| product.name).collect();
    assert!(listed.iter().all(|name| shipped.get(name).is_some_and(is_in_clrx_table)));
    for (name, gpu) in shipped.iter().filter(|(name, gpu)| !listed.contains(*name) && is_in_clrx_table(gpu)) {
        if Tier::All.runs(&format!("{name} whole")) {
            check(&Product { name, dp_factor: gpu.dp_factor, counts: None });
        }
    }
}

/// Checks the products of a generation: the first one, and the others if they are asked for.
fn check_all(products: &[Product]) {
    let (first, others) = products.split_first().expect("a generation has a product");
    check(first);
    if Tier::All.runs("the other products of the generation") {
        others.iter().for_each(check);
    }
}

/// Those of GCN are compared by the tests of its versions; `harness/tests/cells` compares all of them, in tier `all` alone.
#[test]
fn kept_results_of_cdna_are_those_of_today() {
    if !Tier::Most.runs("a whole product of CDNA") {
        return;
    }
    let name = "mi300x";
    let device = SimulatedDevice::new(&format!("sim:{name}"), &Gpu::named(name).unwrap());
    let run = measure_on(&device, &MeasureOptions { samples: 8, sweeps: 1, ..MeasureOptions::default() });
    compare_with_published(name, run.folder());
}

#[test]
fn gcn_1_0_matches_the_clrx_table() {
    check_all(&PRODUCTS[..2]);
}

#[test]
fn gcn_1_1_matches_the_clrx_table() {
    check_all(&PRODUCTS[2..5]);
}

#[test]
fn gcn_1_2_matches_the_clrx_table() {
    check_all(&PRODUCTS[5..8]);
}

#[test]
fn gcn_1_4_matches_the_clrx_table() {
    check_all(&PRODUCTS[8..]);
}
