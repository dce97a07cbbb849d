//! Kernels for the tests of the assembler.

use gcn_harness::assembler::{Assembler, KernelSource, ModuleSource, Text};
use gcn_harness::llvm::{Linker, Llvm};

pub(crate) fn assembler() -> Assembler {
    let llvm = Llvm::find(None).unwrap();
    let linker = Linker::find(None, &llvm).unwrap();
    Assembler::new(llvm, linker)
}

/// A kernel with this code between its label and its descriptor.
pub(crate) fn kernel(name: &str, code: &str) -> KernelSource {
    let before = format!(".text\n.p2align 8\n.globl {name}\n.type {name},@function\n{name}:\n");
    let after = format!(
        "s_endpgm\n.size {name}, .-{name}\n.rodata\n.p2align 6\n.amdhsa_kernel {name}\n  \
         .amdhsa_next_free_vgpr 24\n  .amdhsa_next_free_sgpr 32\n  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n\
         .end_amdhsa_kernel\n"
    );
    let mut text = Text::of_template("templates/prologue.s.hbs", &before);
    text.append(&Text::of_template("templates/body.s.hbs", code));
    text.append(&Text::of_template("templates/epilogue.s.hbs", &after));
    KernelSource { name: name.to_owned(), text }
}

pub(crate) fn module(target: &str, kernels: Vec<KernelSource>) -> ModuleSource {
    let header = format!(".amdgcn_target \"amdgcn-amd-amdhsa--{target}\"\n.amdhsa_code_object_version 4\n");
    let mut metadata = ".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n".to_owned();
    for KernelSource { name, .. } in &kernels {
        metadata += &format!(
            "  - .name: {name}\n    .symbol: {name}.kd\n    .kernarg_segment_size: 16\n    .kernarg_segment_align: 8\n    \
             .group_segment_fixed_size: 0\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    \
             .sgpr_count: 32\n    .vgpr_count: 24\n    .max_flat_workgroup_size: 256\n"
        );
    }
    metadata += "...\n.end_amdgpu_metadata\n";
    ModuleSource {
        target: target.to_owned(),
        header: Text::of_template("templates/header.s.hbs", &header),
        kernels,
        footer: Text::of_template("templates/metadata.s.hbs", &metadata),
    }
}
