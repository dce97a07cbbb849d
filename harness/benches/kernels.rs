//! How fast kernels go from template to checked code object: render, assemble, link, decode, compare.

use divan::counter::ItemsCount;
use gcn_harness::assembler::Assembler;
use gcn_harness::device::{Device, SimulatedDevice};
use gcn_harness::experiment::{MeasureOptions, Plan};
use gcn_harness::kernel::{KernelPlan, Templates, check};
use gcn_harness::llvm::{Linker, Llvm};
use gcn_model::gpu::Gpu;

/// Run once with the tests, it is to be brief.
const KERNELS: usize = if cfg!(debug_assertions) { 2500 } else { 10_000 };
/// Kernels in a code object.
const CHUNK: usize = 2500;

fn main() {
    divan::main();
}

/// The kernels of a whole GPU, again and again under other names until there are enough of them.
fn plans(device: &SimulatedDevice) -> Vec<KernelPlan> {
    let kernels = Plan::new(device.information(), &MeasureOptions::default()).kernels;
    let again = kernels.iter().cycle().take(KERNELS).enumerate();
    again.map(|(number, kernel)| KernelPlan { name: format!("{}_{number}", kernel.name), ..kernel.clone() }).collect()
}

#[divan::bench(args = ["tahiti", "vega10"], sample_count = 5)]
fn template_to_checked_code_object(bencher: divan::Bencher, gpu: &str) {
    let gpu = Gpu::named(gpu).expect("it ships");
    let device = SimulatedDevice::new(&gpu.name, &gpu);
    let (templates, plans) = (Templates::shipped().expect("they are well formed"), plans(&device));
    let llvm = Llvm::find(None).expect("an LLVM");
    let linker = Linker::find(None, &llvm).expect("a linker");
    bencher
        .counter(ItemsCount::new(KERNELS))
        // A new assembler knows no line yet, as at the start of a run.
        .with_inputs(|| Assembler::new(llvm, linker.clone()))
        .bench_values(|assembler| {
            for chunk in plans.chunks(CHUNK) {
                let module = templates.module(&gpu.gfx_target, gpu.generation, chunk).expect("it renders");
                let bytes = assembler.assemble(&module).expect("it assembles");
                check(&assembler, &bytes, &gpu.gfx_target, chunk).expect("it is as planned");
            }
        });
}
