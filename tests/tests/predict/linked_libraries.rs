//! Libraries that are linked from a file for each kernel, as rocBLAS is: by hand, without sizes of their functions.

use std::collections::BTreeSet;

use gcn_harness::code::UserCode;
use gcn_harness::llvm::{Linker, Llvm};
use gcn_model::gpu::Gpu;
use gcn_tests::object_of;

/// A kernel whose work-groups have so many work-items at most.
fn kernel((name, items): (&str, u32)) -> String {
    format!(
        ".text\n.globl {name}\n.p2align 8\n.type {name},@function\n{name}:\nv_mov_b32 v0, v1\ns_endpgm\n.amdgpu_metadata\n---\n\
         amdhsa.version: [1, 2]\namdhsa.kernels:\n  - {{.name: {name}, .symbol: {name}.kd, .kernarg_segment_size: 0, \
         .kernarg_segment_align: 8, .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .wavefront_size: 64, \
         .sgpr_count: 8, .vgpr_count: 8, .max_flat_workgroup_size: {items}}}\n...\n.end_amdgpu_metadata\n"
    )
}

#[test]
fn each_kernel_of_a_linked_library_has_its_own_needs_and_ends_on_every_target() {
    const KERNELS: [(&str, u32); 3] = [("first", 256), ("second", 128), ("third", 512)];
    let linker = Linker::find(None, &Llvm::find(None).unwrap()).unwrap();
    let processors = Gpu::shipped().map(|name| Gpu::named(name).unwrap().processor());
    let targets: BTreeSet<&str> = processors.map(|processor| processor.name()).collect();
    for target in targets {
        let objects = KERNELS.map(|of| object_of(target, &kernel(of)));
        let library = UserCode::of_object(&linker.link(&objects).unwrap()).unwrap();
        let processor = library.processor.unwrap();
        let found = library.functions.iter().map(|function| {
            let metadata = function.needs.as_ref().and_then(|needs| needs.metadata.as_ref());
            let instructions =
                function.code.instructions(processor).unwrap_or_else(|error| panic!("{target}: {error}"));
            // LLVM fills the space after the last function with these.
            let is_own = |name: &str| !["S_CODE_END", "S_NOP"].contains(&name);
            let own = instructions.iter().filter(|(_, decoded)| is_own(&decoded.instruction.name)).count();
            (function.name.as_str(), metadata.and_then(|metadata| metadata.most_items), own)
        });
        let expected = KERNELS.map(|(name, items)| (name, Some(items), 2));
        assert_eq!(found.collect::<Vec<_>>(), expected, "{target}");
    }
}
