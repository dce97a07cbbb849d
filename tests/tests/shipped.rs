//! Every GPU that ships: each published ALU row that it has is measured, and matches.

use std::collections::BTreeMap;

use gcn_analysis::{DpClass, Status, TimingRow, Verdict};
use gcn_harness::experiment::MeasureOptions;
use gcn_model::gpu::Gpu;
use gcn_model::isa::{self, Encoding};
use gcn_model::published;
use gcn_tests::{MeasuredRun, measure, quick};

/// The page's tables of ALU instructions.
const SECTIONS: [&str; 9] = ["SOP1", "SOP2", "SOPK", "SOPC", "VOP1", "VOP2", "VOP3", "VOP3P", "VOPC"];

/// Product, its DPFACTOR, and the published ALU rows whose instruction it has. The factors are copied from the page's table
/// by product, not from the GPU files.
struct Product {
    name: &'static str,
    dp_factor: f64,
    published_rows: usize,
    waves: Waves,
}

/// On how many waves throughput is measured.
enum Waves {
    /// As by `gcn-timings measure`, for the default device.
    Default,
    /// On as many, once each: for the product that stands for its generation.
    All,
    /// On one, and on two, where every penalty is hidden.
    Few,
}

const fn product(name: &'static str, dp_factor: f64, published_rows: usize, waves: Waves) -> Product {
    Product { name, dp_factor, published_rows, waves }
}

const PRODUCTS: [Product; 11] = [
    product("tahiti", 2.0, 115, Waves::Default),
    product("pitcairn", 8.0, 115, Waves::Few),
    product("hawaii", 4.0, 124, Waves::All),
    product("hawaii-pro", 1.0, 124, Waves::Few),
    product("bonaire", 8.0, 124, Waves::Few),
    product("tonga", 8.0, 138, Waves::Few),
    product("fiji", 8.0, 138, Waves::All),
    product("polaris10", 8.0, 138, Waves::Few),
    product("vega10", 8.0, 163, Waves::All),
    product("vega20", 1.0, 163, Waves::Few),
    product("radeon-vii", 2.0, 163, Waves::Few),
];

fn is_alu(encoding: Encoding) -> bool {
    use Encoding as E;
    matches!(encoding, E::Sop1 | E::Sop2 | E::Sopk | E::Sopc | E::Vop1 | E::Vop2 | E::Vop3 | E::Vop3p | E::Vopc)
}

/// Instructions of the generation that the product's target has not: gfx906 has V_FMA_MIX_* in their place.
fn lacks(gpu: &Gpu, instruction: &str) -> bool {
    gpu.gfx_target == "gfx906" && ["V_MAD_MIX_F32", "V_MAD_MIXLO_F16", "V_MAD_MIXHI_F16"].contains(&instruction)
}

/// A row without numbers says why, and that the reason is one of the facts' list of what must not be repeated.
fn is_left_out_for_a_reason(row: &TimingRow) -> bool {
    row.status == Status::Skipped && row.detail.contains("facts") && row.detail.contains("§7")
}

fn check(product: &Product) {
    let gpu = Gpu::named(product.name).unwrap();
    let options = match product.waves {
        Waves::Default => MeasureOptions::default(),
        Waves::All => quick(&MeasureOptions::default().waves),
        Waves::Few => quick(&[1, 2]),
    };
    let run = measure(&gpu, &options);
    check_instructions(&gpu, &run);
    let published = check_published(&gpu, &run);
    assert_eq!(published, product.published_rows, "{}: published rows of instructions that it has", gpu.name);
    let found = run.analysis.dpfactor().unwrap();
    assert_eq!(found.dpfactor, product.dp_factor, "{}", gpu.name);
    assert_eq!(found.class, DpClass::Known, "{}", gpu.name);
    assert_eq!(found.agreeing, found.of, "{}", gpu.name);
    assert!(found.of >= 40, "{}: only {} instructions say what DPFACTOR is", gpu.name, found.of);
}

/// Every ALU instruction of the GPU, published or not, has its numbers or its reason.
fn check_instructions(gpu: &Gpu, run: &MeasuredRun) {
    for instruction in isa::of(gpu.generation).filter(|instruction| is_alu(instruction.encoding)) {
        let row = run.row(&instruction.name);
        if lacks(gpu, &row.instruction) {
            assert_eq!(row.status, Status::Unsupported, "{}: {row:?}", gpu.name);
            assert!(row.detail.contains("not supported on this GPU"), "{}: {row:?}", gpu.name);
            continue;
        }
        if is_left_out_for_a_reason(row) {
            continue;
        }
        assert_eq!(row.status, Status::Ok, "{}: {row:?}", gpu.name);
        let has_numbers = row.cycles.is_some() && row.throughput.is_some() && row.waves_per_simd.is_some();
        assert!(has_numbers && row.samples > 0, "{}: {row:?}", gpu.name);
        assert_eq!(row.dropped, 0, "{}: a quiet machine has no outliers: {row:?}", gpu.name);
    }
    for row in run.analysis.timings().iter().filter(|row| !lacks(gpu, &row.instruction)) {
        assert!(matches!(row.status, Status::Ok | Status::Skipped), "{}: {row:?}", gpu.name);
    }
}

/// Every row of the page's ALU tables whose instruction the GPU has; gives how many there are.
fn check_published(gpu: &Gpu, run: &MeasuredRun) -> usize {
    let page = published::source("clrx").unwrap();
    let mut verdicts: BTreeMap<(&str, &str), Vec<Verdict>> = BTreeMap::new();
    for row in run.analysis.validation().iter().filter(|row| row.source == "clrx") {
        verdicts.entry((&row.section, &row.instruction)).or_default().push(row.verdict);
        assert_ne!(row.verdict, Verdict::Mismatch, "{}: {row:?}", gpu.name);
    }
    let mut count = 0;
    for row in page.rows().iter().filter(|row| SECTIONS.contains(&row.section.as_str())) {
        if isa::find(&row.instruction, gpu.generation).is_none() {
            continue;
        }
        count += 1;
        let timing = run.row(&row.instruction);
        if is_left_out_for_a_reason(timing) {
            continue;
        }
        assert_eq!(timing.status, Status::Ok, "{}: {timing:?}", gpu.name);
        let verdicts = verdicts.get(&(&row.section, &row.instruction)).map_or(&[][..], Vec::as_slice);
        // Cycles, and the throughput that the row or the encoding's rule gives.
        assert_eq!(verdicts, [Verdict::Match; 2], "{}: {} {}", gpu.name, row.section, row.instruction);
    }
    count
}

#[test]
fn every_product_is_listed_here() {
    let listed: Vec<_> = PRODUCTS.iter().map(|product| product.name).collect();
    let mut shipped: Vec<_> = Gpu::shipped().collect();
    shipped.sort_by_key(|name| listed.iter().position(|known| known == name));
    assert_eq!(shipped, listed);
}

#[test]
fn gcn_1_0_matches_the_page() {
    PRODUCTS[..2].iter().for_each(check);
}

#[test]
fn gcn_1_1_matches_the_page() {
    PRODUCTS[2..5].iter().for_each(check);
}

#[test]
fn gcn_1_2_matches_the_page() {
    PRODUCTS[5..8].iter().for_each(check);
}

#[test]
fn gcn_1_4_matches_the_page() {
    PRODUCTS[8..].iter().for_each(check);
}
