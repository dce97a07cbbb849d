//! How long a whole GPU takes, from the plan to the readings on disk, on all cores.

use std::sync::atomic::AtomicBool;

use gcn_harness::assembler::Assembler;
use gcn_harness::device::SimulatedDevice;
use gcn_harness::experiment::MeasureOptions;
use gcn_harness::kernel::Templates;
use gcn_harness::llvm::{Linker, Llvm};
use gcn_harness::run::{RunFolder, Silent, measure};
use gcn_model::gpu::Gpu;

/// GPU files: the reference, and a Vega 10 as on a busy desktop.
const GPUS: [(&str, &str); 2] = [
    ("tahiti", "base = \"tahiti\"\nname = \"whole\"\n"),
    (
        "noisy vega10",
        "base = \"vega10\"\nname = \"whole\"\n[noise]\nseed = 1\njitter_cycles = 10\noutlier_rate = 0.05\n",
    ),
];

fn main() {
    divan::main();
}

#[divan::bench(args = GPUS.map(|(name, _)| name), sample_count = 3, sample_size = 1)]
fn whole(bencher: divan::Bencher<'_, '_>, name: &str) {
    let file = GPUS.iter().find(|(other, _)| *other == name).map_or("", |(_, file)| file);
    let gpu = Gpu::from_toml(file, "whole.toml").expect("a GPU");
    let device = SimulatedDevice::new("sim:whole", &gpu);
    let llvm = Llvm::find(None).expect("an LLVM");
    let linker = Linker::find(None, &llvm).expect("a linker");
    let templates = Templates::shipped().expect("they are well formed");
    let mut options = MeasureOptions::default();
    // Run once with the tests, it is to be brief.
    if cfg!(debug_assertions) {
        options.only.push("V_*_F64".parse().expect("a pattern"));
    }
    bencher
        // A new assembler knows no line yet, as at the start of a run.
        .with_inputs(|| (Assembler::new(llvm, linker.clone()), tempfile::tempdir().expect("a folder")))
        .bench_values(|(assembler, folder)| {
            let mut run = RunFolder::create(folder.path()).expect("an empty folder");
            let never = AtomicBool::new(false);
            measure(&device, &assembler, &templates, &options, &mut run, &never, &mut Silent).expect("it is measured")
        });
}
