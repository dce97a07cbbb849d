//! How fast 10,000 kernels become a code object, and how fast LLVM alone is on the same text.

use divan::counter::ItemsCount;
use gcn_harness::assembler::{Assembler, KernelSource, ModuleSource, Text};
use gcn_harness::llvm::{Linker, Llvm};
use std::fmt::Write as _;

const KERNELS: usize = 10_000;
/// LLVM alone gets every n-th of the kernels.
const SAMPLE: usize = 25;

fn main() {
    divan::main();
}

/// Kernels of 100 to 300 instructions as the experiments have them: a common frame, and a body of some distinct lines.
fn module(every: usize) -> ModuleSource {
    let kernels = (0..KERNELS).step_by(every).map(kernel).collect::<Vec<_>>();
    let mut metadata = ".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n".to_owned();
    for KernelSource { name, .. } in &kernels {
        let _ = write!(
            metadata,
            "  - .name: {name}\n    .symbol: {name}.kd\n    .kernarg_segment_size: 16\n    .kernarg_segment_align: 8\n    \
             .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    \
             .sgpr_count: 32\n    .vgpr_count: 24\n    .max_flat_workgroup_size: 256\n"
        );
    }
    metadata += "...\n.end_amdgpu_metadata\n";
    ModuleSource {
        target: "gfx803".to_owned(),
        header: Text::of_template("header", ".amdgcn_target \"amdgcn-amd-amdhsa--gfx803\"\n"),
        kernels,
        footer: Text::of_template("metadata", &metadata),
    }
}

fn kernel(number: usize) -> KernelSource {
    let name = format!("k{number}");
    let mut text = format!(".text\n.p2align 8\n.globl {name}\n.type {name},@function\n{name}:\n");
    for line in 0..40 {
        let _ = writeln!(text, "  s_mov_b32 s{}, {line} // prologue", line % 32);
    }
    text += ".p2align 6\n.Lloop:\n  s_memtime s[2:3]\n  s_waitcnt lgkmcnt(0)\n";
    // Sixteen lines, which two in three kernels share with no other, repeated as independent copies are.
    for line in 0..60 + number % 200 {
        let copy = line % 16;
        let _ = match number % 3 {
            0 => writeln!(text, "  v_add_f64 v[{0}:{1}], v[2:3], v[4:5]", copy, copy + 1),
            1 => writeln!(text, "  v_mad_f32 v{copy}, v{}, v{}, s{}", number % 24, number / 24 % 24, number / 576 % 32),
            _ => writeln!(text, "  v_add_u32 v{copy}, vcc, {:#x}, v1", number * 0x101),
        };
    }
    let _ = write!(
        text,
        "  s_sub_u32 s4, s4, 1\n  s_cmp_lg_u32 s4, 0\n  s_cbranch_scc1 .Lloop\n  s_endpgm\n.size {name}, .-{name}\n\
         .rodata\n.p2align 6\n.amdhsa_kernel {name}\n  .amdhsa_next_free_vgpr 24\n  .amdhsa_next_free_sgpr 32\n  \
         .amdhsa_user_sgpr_kernarg_segment_ptr 1\n  .amdhsa_group_segment_fixed_size 0\n.end_amdhsa_kernel\n"
    );
    KernelSource { name, text: Text::of_template("kernel", &text) }
}

fn tools() -> (Llvm, Linker) {
    let llvm = Llvm::find(None).expect("the toolchain has LLVM");
    let linker = Linker::find(None, &llvm).expect("the toolchain has LLD");
    (llvm, linker)
}

/// Nothing known beforehand.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn fast_path(bencher: divan::Bencher<'_, '_>) {
    let (llvm, linker) = tools();
    let module = module(1);
    bencher
        .counter(ItemsCount::new(module.kernels.len()))
        .with_inputs(|| Assembler::new(llvm, linker.clone()))
        .bench_refs(|assembler| assembler.assemble(&module).expect("the kernels are right"));
}

/// All instructions known.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn fast_path_again(bencher: divan::Bencher<'_, '_>) {
    let (llvm, linker) = tools();
    let module = module(1);
    let assembler = Assembler::new(llvm, linker);
    assembler.assemble(&module).expect("the kernels are right");
    bencher
        .counter(ItemsCount::new(module.kernels.len()))
        .bench(|| assembler.assemble(&module).expect("the kernels are right"));
}

/// LLVM on the whole text of a sample of the kernels, on one thread.
#[divan::bench(sample_count = 5, sample_size = 1)]
fn llvm_alone(bencher: divan::Bencher<'_, '_>) {
    let (llvm, linker) = tools();
    let module = module(SAMPLE);
    bencher.counter(ItemsCount::new(module.kernels.len())).bench(|| {
        let mut text = module.header.as_str().to_owned();
        for kernel in &module.kernels {
            // Here all kernels share one set of labels.
            text += &kernel.text.as_str().replace(".Lloop", &format!(".Lloop_{}", kernel.name));
        }
        text += module.footer.as_str();
        linker.link(&[llvm.assemble(&module.target, &text).expect("the kernels are right")]).expect("they link")
    });
}
