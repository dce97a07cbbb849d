//! A prediction and llvm-mca's: the difference is the sum of its causes, in blocks of all units, and the table of docs is that.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use gcn_harness::code::{AssemblyText, TextOptions, UserCode};
use gcn_harness::llvm::Llvm;
use gcn_harness::mca::{Comparison, LlvmMca, McaCause};
use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_predict::{Prediction, Question, Region, predict};
use gcn_tests::UPDATE;

/// Set to make a missing llvm-mca 22 a failure instead of a skipped test.
const NEED_MCA: &str = "GCN_TIMINGS_NEED_MCA";
/// The version that the table is of; another one may have other latencies.
const VERSION: &str = "22.";
/// A lone wave, as llvm-mca knows it.
const ALONE: Question =
    Question { waves_per_simd: 1, simds: 1, waves_per_group: None, group_mode: GroupMode::ComputeUnit };
/// GPUs, and the files of `mca/` whose blocks their targets have.
const GPUS: [(&str, &[&str]); 13] = [
    ("tahiti", &["all", "to-gfx7"]),
    ("hawaii", &["all", "to-gfx7", "from-gfx7"]),
    ("fiji", &["all", "from-gfx7", "from-gfx8", "sgemm-loop"]),
    ("vega10", &["all", "from-gfx7", "from-gfx8", "from-gfx9"]),
    ("vega20", &["all", "from-gfx7", "from-gfx8", "from-gfx9", "from-gfx906"]),
    ("mi100", &["cdna"]),
    ("mi210", &["cdna"]),
    ("mi300x", &["cdna", "cdna-3"]),
    ("mi350x", &["cdna", "cdna-3"]),
    ("rx5700xt", &["rdna", "rdna-memory"]),
    ("rx6800", &["rdna", "rdna-memory"]),
    ("rx7900xtx", &["rdna", "rdna-memory", "rdna-dual-issue", "rdna-3"]),
    ("rx9070xt", &["rdna", "rdna-dual-issue", "rdna-4"]),
];
/// Columns before those of the causes.
const FIRST_COLUMNS: [&str; 5] = ["block", "target", "predicted_cycles", "mca_cycles", "difference_cycles"];

fn manifest(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn docs(file: &str) -> PathBuf {
    manifest("../docs").join(file)
}

/// llvm-mca of the version that the table is of.
fn mca() -> Option<LlvmMca> {
    let found = LlvmMca::find().ok().filter(|mca| mca.version.starts_with(VERSION));
    if found.is_none() {
        assert!(env::var_os(NEED_MCA).is_none(), "{NEED_MCA} is set, and llvm-mca {VERSION}x is not there");
        println!("SKIPPED: llvm-mca {VERSION}x is not there ({NEED_MCA}=1 makes this a failure)");
    }
    found
}

/// The blocks of a text, each with its name, prediction and comparison.
fn compared(mca: &LlvmMca, gpu: &Gpu, name: &str, text: &str) -> Vec<(String, Prediction, Comparison)> {
    let llvm = Llvm::find(None).unwrap();
    let text = AssemblyText::of(text, Path::new(name), &TextOptions::default(), gpu);
    let code = text.and_then(|text| UserCode::of_text(&text, &|target, text| llvm.assemble(target, text)));
    let code = code.unwrap_or_else(|error| panic!("{name}: {error}"));
    let function = &code.functions[0];
    let marked: Vec<(String, Region)> =
        code.marked.iter().map(|(_, region)| (region.name.clone(), region.clone())).collect();
    let regions = if marked.is_empty() {
        let found = function.code.regions(gpu.processor()).unwrap();
        found.into_iter().map(|region| (name.to_owned(), region)).collect()
    } else {
        marked
    };
    let of_region = |(block, region): (String, Region)| {
        let place = format!("{block}, {}", gpu.gfx_target);
        let prediction =
            predict(gpu, &function.code, &region, ALONE).unwrap_or_else(|error| panic!("{place}: {error}"));
        let comparison = Comparison::of(mca, gpu, &function.code, &prediction);
        let comparison = comparison.unwrap_or_else(|error| panic!("{place}: {error}"));
        (block, prediction, comparison)
    };
    regions.into_iter().map(of_region).collect()
}

fn table(mca: &LlvmMca) -> String {
    let causes = McaCause::ALL.map(|cause| format!("{}_cycles", cause.name()));
    let columns = FIRST_COLUMNS.map(str::to_owned).into_iter().chain(causes).chain(["unexplained_cycles".to_owned()]);
    let mut table = columns.collect::<Vec<_>>().join(",") + "\n";
    for (name, files) in GPUS {
        let gpu = Gpu::named(name).unwrap();
        for file in files {
            let folder = if *file == "sgemm-loop" { "../docs/examples" } else { "tests/predict/mca" };
            let text = fs::read_to_string(manifest(folder).join(format!("{file}.s"))).unwrap();
            for (block, prediction, comparison) in compared(mca, &gpu, file, &text) {
                assert_eq!(comparison.unexplained.0, 0.0, "{block}, {}: {comparison:#?}", gpu.gfx_target);
                let row = [prediction.cycles_per_iteration, comparison.cycles_per_iteration, comparison.difference]
                    .into_iter()
                    .chain(McaCause::ALL.map(|cause| {
                        comparison.causes.get(&cause).copied().unwrap_or(gcn_model::quantity::Cycles(0.0))
                    }))
                    .chain([comparison.unexplained])
                    .map(|cycles| format!("{:.2}", cycles.0).trim_end_matches('0').trim_end_matches('.').to_owned());
                let cells = [block.replace(',', ";"), gpu.gfx_target.clone()].into_iter().chain(row);
                table += &(cells.collect::<Vec<_>>().join(",") + "\n");
            }
        }
    }
    table
}

#[test]
fn differences_to_llvm_mca_are_those_of_the_table_and_explained() {
    let Some(mca) = mca() else { return };
    let counted = table(&mca);
    let file = docs("predict-mca.csv");
    if env::var_os(UPDATE).is_some() {
        fs::write(&file, &counted).unwrap();
    }
    let published = fs::read_to_string(&file).unwrap_or_default();
    assert!(
        published == counted,
        "docs/predict-mca.csv differs from:\n{counted}\nIf that is intended, run the test with {UPDATE}=1 and commit."
    );
}
