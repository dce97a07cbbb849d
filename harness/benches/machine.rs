//! How many wave-instructions a second the simulator executes on one core.
//!
//! Where `llvm-mca` is installed, the bench also times it on the same number of instructions.

#[path = "llvm_mca/mod.rs"]
mod mca;

use std::fmt::Write as _;

use divan::counter::ItemsCount;
use gcn_harness::assembler::{Assembler, KernelSource, ModuleSource, Text};
use gcn_harness::llvm::{Linker, Llvm};
use gcn_model::code_object::CodeObject;
use gcn_model::gpu::Gpu;
use gcn_simulator::{Configuration, LaunchShape, Memory, launch};

fn main() {
    divan::main();
}

/// Instructions of a loop, as the experiments have them; `stored` if v5, v8 and v9 are stored after the loop, so that values matter.
const BODIES: [Body; 12] = [
    Body { name: "vector", line: "v_mul_f32_e32 v5, v1, v2", stored: false },
    Body { name: "vector_two_dwords", line: "v_fma_f64 v[6:7], v[2:3], v[2:3], v[4:5]", stored: false },
    Body { name: "scalar", line: "s_brev_b32 s9, s10", stored: false },
    Body { name: "scalar_values", line: "s_add_u32 s9, s10, s11", stored: false },
    Body { name: "vector_values", line: "v_mul_f32_e32 v5, v5, v2", stored: true },
    Body { name: "vector_two_dwords_values", line: "v_fma_f64 v[8:9], v[6:7], v[6:7], v[8:9]", stored: true },
    Body { name: "denormal_values", line: "v_fma_f64 v[8:9], v[2:3], v[2:3], v[8:9]", stored: true },
    Body { name: "lds_read", line: "ds_read_b32 v5, v1", stored: false },
    Body { name: "lds_read_values", line: "ds_read_b32 v5, v1", stored: true },
    Body { name: "lds_write", line: "ds_write_b64 v1, v[2:3]", stored: false },
    Body { name: "buffer_load", line: "buffer_load_dword v5, v1, s[12:15], 0 offen", stored: false },
    Body { name: "buffer_load_values", line: "buffer_load_dword v5, v1, s[12:15], 0 offen", stored: true },
];

/// The body of a loop.
struct Body {
    name: &'static str,
    line: &'static str,
    stored: bool,
}

/// A loop of 64 copies.
fn object(body: &Body, target: &str) -> CodeObject {
    let mut text = String::from(".text\n.p2align 8\n.globl k\n.type k,@function\nk:\n  s_movk_i32 s4, 500\n");
    // Addresses for the bodies that reach memory: 8 bytes for each work-item, in LDS and in the first allocation.
    text += "  v_lshlrev_b32_e32 v1, 3, v0\n  v_mov_b32_e32 v2, v1\n  v_mov_b32_e32 v3, v1\n  v_mov_b32_e32 v4, v1\n  v_mov_b32_e32 v5, v1\n  v_cvt_f64_u32_e32 v[6:7], v0\n  v_mov_b32_e32 v8, v1\n  v_mov_b32_e32 v9, v1\n  s_mov_b32 m0, -1\n  s_mov_b32 s12, 0\n  \
             s_movk_i32 s13, 0x7f00\n  s_movk_i32 s14, 0x1000\n  s_mov_b32 s15, 0x27fac\n.Lloop:\n";
    for _ in 0..64 {
        let _ = writeln!(text, "  {}", body.line);
    }
    text += "  s_sub_u32 s4, s4, 1\n  s_cmp_lg_u32 s4, 0\n  s_cbranch_scc1 .Lloop\n";
    if body.stored {
        text += "  s_waitcnt vmcnt(0) lgkmcnt(0)\n  v_xor_b32_e32 v5, v5, v8\n  v_xor_b32_e32 v5, v5, v9\n  buffer_store_dword v5, v1, s[12:15], 0 offen\n";
    }
    text += "  s_endpgm\n.rodata\n.p2align 6\n\
             .amdhsa_kernel k\n  .amdhsa_next_free_vgpr 24\n  .amdhsa_next_free_sgpr 32\n.end_amdhsa_kernel\n";
    let metadata = ".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    \
                    .kernarg_segment_size: 0\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n    \
                    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    .sgpr_count: 32\n    .vgpr_count: 24\n    \
                    .max_flat_workgroup_size: 256\n...\n.end_amdgpu_metadata\n";
    let module = ModuleSource {
        target: target.into(),
        header: Text::of_template("header", &format!(".amdgcn_target \"amdgcn-amd-amdhsa--{target}\"\n")),
        kernels: vec![KernelSource { name: "k".into(), text: Text::of_template("kernel", &text) }],
        footer: Text::of_template("metadata", metadata),
    };
    let llvm = Llvm::find(None).expect("an LLVM");
    let linker = Linker::find(None, &llvm).expect("a linker");
    let bytes = Assembler::new(llvm, linker).assemble(&module).expect("the kernel assembles");
    CodeObject::read(&bytes).expect("a code object")
}

/// Waves on each of the four SIMDs of a compute unit.
#[divan::bench(args = BODIES.iter().flat_map(|body| [1, 2, 10].map(|waves| format!("{} {waves}", body.name))))]
fn wave_instructions(bencher: divan::Bencher, case: &str) {
    let (name, waves) = case.split_once(' ').expect("a name and a number");
    let waves: u32 = waves.parse().expect("a number");
    let body = BODIES.iter().find(|body| body.name == name).expect("a body");
    let mut gpu = Gpu::named("tahiti").expect("it ships");
    gpu.simulation.compute_units = 1;
    let configuration = Configuration::of(&gpu);
    let object = object(body, "gfx600");
    let shape = LaunchShape {
        groups: waves,
        group_size: 256,
        dynamic_lds_bytes: 4096,
        kernarg_address: 0,
        ordinal: 0,
        cycle_limit: u64::MAX - 1,
    };
    let run = || {
        let mut memory = Memory::default();
        memory.allocate(4096);
        launch(&configuration, &object, "k", &shape, &mut memory).expect("the kernel runs")
    };
    let instructions = run().instructions;
    bencher.counter(ItemsCount::new(instructions)).bench(run);
}

/// `llvm-mca` on a loop of 64 copies, 500 times.
#[divan::bench]
fn llvm_mca(bencher: divan::Bencher) {
    mca::bench(bencher, "gfx803", &"v_mul_f32_e32 v5, v1, v2\n".repeat(64), 500, 64 * 500);
}
