//! How many wave-instructions of RDNA and CDNA the simulator executes a second on one core: in both sizes of waves, in pairs and on matrices.

use std::fmt::Write as _;

use divan::counter::ItemsCount;
use gcn_harness::llvm::{Linker, Llvm};
use gcn_model::code_object::CodeObject;
use gcn_model::gpu::Gpu;
use gcn_simulator::{Configuration, LaunchShape, Memory, launch};

/// VGPRs of a wave.
const VGPRS: u32 = 48;
/// Copies in the loop, its turns, and the work-groups of 256. Run once with the tests, it is to be brief.
const COPIES: usize = 64;
const TURNS: u32 = if cfg!(debug_assertions) { 50 } else { 200 };
const GROUPS: u32 = 2;

/// Each is executed once with values that nothing looks at and once with v8 stored after the loop.
const CASES: [Case; 6] = [
    Case { name: "rdna3_32", gpu: "rx7900xtx", lanes: 32, line: "v_fma_f32 v8, v2, v3, v8" },
    Case { name: "rdna3_64", gpu: "rx7900xtx", lanes: 64, line: "v_fma_f32 v8, v2, v3, v8" },
    Case { name: "vopd", gpu: "rx7900xtx", lanes: 32, line: "v_dual_fmac_f32 v8, v2, v3 :: v_dual_mul_f32 v9, v5, v4" },
    Case {
        name: "wmma",
        gpu: "rx7900xtx",
        lanes: 32,
        line: "v_wmma_f32_16x16x16_f16 v[8:15], v[16:23], v[24:31], v[8:15]",
    },
    Case { name: "cdna3", gpu: "mi300x", lanes: 64, line: "v_fma_f32 v8, v2, v3, v8" },
    Case {
        name: "mfma",
        gpu: "mi300x",
        lanes: 64,
        line: "v_mfma_f32_32x32x8_f16 v[8:23], v[24:25], v[26:27], v[8:23]",
    },
];

/// An instruction on a card, in waves of so many lanes.
struct Case {
    name: &'static str,
    gpu: &'static str,
    lanes: u32,
    line: &'static str,
}

fn main() {
    divan::main();
}

/// A loop of copies. The first argument lies where the results go.
fn object(case: &Case, gpu: &Gpu, is_stored: bool) -> CodeObject {
    let has_sizes = gpu.generation.has_wave_sizes();
    let mut text = format!(".text\n.p2align 8\n.globl k\n.type k,@function\nk:\ns_movk_i32 s4, {TURNS}\n");
    text += "v_and_b32_e32 v1, 0xff, v0\nv_lshlrev_b32_e32 v1, 2, v1\n";
    (2..VGPRS).for_each(|register| writeln!(text, "v_mov_b32_e32 v{register}, 1.0").expect("a string"));
    let body = format!("{}\n", case.line).repeat(COPIES);
    let _ = writeln!(text, ".Lloop:\n{body}s_sub_u32 s4, s4, 1\ns_cmp_lg_u32 s4, 0\ns_cbranch_scc1 .Lloop");
    if is_stored {
        text += "s_nop 7\ns_nop 7\ns_nop 7\n";
        text += if has_sizes { "global_store_b32 v1, v8, s[0:1]\n" } else { "global_store_dword v1, v8, s[0:1]\n" };
    }
    let further = match has_sizes {
        true => format!(".amdhsa_wavefront_size32 {}", u32::from(case.lanes == 32)),
        false => format!(".amdhsa_accum_offset {VGPRS}"),
    };
    let _ = writeln!(
        text,
        "s_endpgm\n.size k, .-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr {VGPRS}\n\
         .amdhsa_next_free_sgpr 16\n.amdhsa_user_sgpr_kernarg_segment_ptr 1\n{further}\n.end_amdhsa_kernel\n\
         .amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    \
         .kernarg_segment_size: 8\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 0\n    \
         .private_segment_fixed_size: 0\n    .wavefront_size: {}\n    .sgpr_count: 16\n    .vgpr_count: {VGPRS}\n    \
         .max_flat_workgroup_size: 256\n...\n.end_amdgpu_metadata",
        case.lanes
    );
    let target = gpu.processor().with_wave_size(case.lanes).expect("such waves").with_wave_size_in(&gpu.gfx_target);
    let llvm = Llvm::find(None).expect("an LLVM");
    let linker = Linker::find(None, &llvm).expect("a linker");
    let bytes = linker.link(&[llvm.assemble(&target, &text).expect("it assembles")]).expect("it links");
    CodeObject::read(&bytes).expect("a code object")
}

fn timed(bencher: divan::Bencher, name: &str, is_stored: bool) {
    let case = CASES.iter().find(|case| case.name == name).expect("a case");
    let mut gpu = Gpu::named(case.gpu).expect("it ships");
    gpu.simulation.compute_units = 1;
    let (configuration, object) = (Configuration::of(&gpu), object(case, &gpu, is_stored));
    let run = || {
        let mut memory = Memory::default();
        let kernarg_address = memory.allocate(4096);
        let shape = LaunchShape {
            groups: GROUPS,
            group_size: 256,
            dynamic_lds_bytes: 0,
            kernarg_address,
            ordinal: 0,
            cycle_limit: u64::MAX - 1,
        };
        launch(&configuration, &object, "k", &shape, &mut memory).expect("the kernel runs")
    };
    let instructions = run().instructions;
    bencher.counter(ItemsCount::new(instructions)).bench(run);
}

#[divan::bench(args = CASES.map(|case| case.name))]
fn not_looked_at(bencher: divan::Bencher, name: &str) {
    timed(bencher, name, false);
}

#[divan::bench(args = CASES.map(|case| case.name))]
fn with_values(bencher: divan::Bencher, name: &str) {
    timed(bencher, name, true);
}
