//! How long predictions take: of a block of 2,000 instructions, and of a launch of ten million wave-instructions.
//!
//! Where `llvm-mca` is installed, the bench also times it on the same block.

#[path = "llvm_mca/mod.rs"]
mod mca;

use std::fmt::Write as _;
use std::path::Path;

use divan::counter::ItemsCount;
use gcn_harness::code::{AssemblyText, TextOptions, UserCode};
use gcn_harness::llvm::{Linker, Llvm};
use gcn_model::code_object::LoadableObject;
use gcn_model::gpu::Gpu;
use gcn_predict::{Argument, LaunchArguments, Question, Value, launch, predict};

const GPU: &str = "fiji";
const TARGET: &str = "gfx803";
/// Instructions of the block.
const INSTRUCTIONS: usize = 2000;
/// How often each wave of the launch goes through its loop, and the work-groups of 256: ten million wave-instructions.
const ITERATIONS: u32 = 50;
const GROUPS: u32 = 1024;

fn main() {
    divan::main();
}

/// Products and sums as the inner loop of a matrix product has them, with scalar and LDS instructions between.
fn block() -> String {
    let mut text = String::new();
    for index in 0..INSTRUCTIONS {
        let (result, one, other) = (16 + index % 16, 2 + index / 16 % 4, 6 + index % 4);
        let _ = match index % 20 {
            7 => writeln!(text, "s_add_u32 s{}, s{}, s9", 10 + index % 8, 10 + index / 8 % 8),
            13 => writeln!(text, "ds_read_b32 v{one}, v0 offset:{}", index % 64 * 4),
            19 => writeln!(text, "s_waitcnt lgkmcnt(0)"),
            _ => writeln!(text, "v_mac_f32_e32 v{result}, v{one}, v{other}"),
        };
    }
    text
}

/// A kernel that puts a tile into LDS, and multiplies and adds what lies there.
fn kernel() -> String {
    let mut text = String::from(
        ".text\n.p2align 8\n.globl k\n.type k,@function\nk:\n\
         s_load_dwordx2 s[0:1], s[4:5], 0x0\ns_load_dword s2, s[4:5], 0x8\ns_mov_b32 m0, -1\n\
         v_lshlrev_b32_e32 v1, 2, v0\nv_and_b32_e32 v2, 15, v0\nv_lshlrev_b32_e32 v2, 2, v2\n\
         v_and_b32_e32 v3, 0xf0, v0\nv_lshlrev_b32_e32 v3, 2, v3\nv_mov_b32_e32 v8, 0\n\
         s_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v5, s1\nv_add_u32_e32 v4, vcc, s0, v1\nv_addc_u32_e32 v5, vcc, 0, v5, vcc\n\
         .Ltile:\nflat_load_dword v6, v[4:5]\ns_waitcnt vmcnt(0) lgkmcnt(0)\nds_write_b32 v1, v6\n\
         s_waitcnt lgkmcnt(0)\ns_barrier\n",
    );
    for pair in 0..8 {
        let (row, column) = (2 * pair, 32 * pair);
        let _ = writeln!(
            text,
            "ds_read2_b32 v[10:11], v3 offset0:{row} offset1:{}\nds_read2_b32 v[12:13], v2 offset0:{} offset1:{}\n\
             s_waitcnt lgkmcnt(0)\nv_fma_f32 v8, v10, v12, v8\nv_fma_f32 v8, v11, v13, v8",
            row + 1,
            column,
            column + 16,
        );
    }
    text += "s_barrier\ns_sub_u32 s2, s2, 1\ns_cmp_lg_u32 s2, 0\ns_cbranch_scc1 .Ltile\n\
             flat_store_dword v[4:5], v8\ns_endpgm\n.size k, .-k\n\
             .rodata\n.p2align 6\n.amdhsa_kernel k\n  .amdhsa_next_free_vgpr 24\n  .amdhsa_next_free_sgpr 32\n\
             .amdhsa_user_sgpr_private_segment_buffer 1\n  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n\
             .amdhsa_group_segment_fixed_size 4096\n  .amdhsa_kernarg_size 16\n.end_amdhsa_kernel\n";
    let metadata = ".amdgpu_metadata\n---\namdhsa.version: [1, 1]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n    \
                    .kernarg_segment_size: 16\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 4096\n    \
                    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    .sgpr_count: 32\n    .vgpr_count: 24\n    \
                    .max_flat_workgroup_size: 256\n    .args:\n      - .size: 8\n        .offset: 0\n        \
                    .value_kind: global_buffer\n        .address_space: global\n      - .size: 4\n        .offset: 8\n        \
                    .value_kind: by_value\n...\n.end_amdgpu_metadata\n";
    format!(".amdgcn_target \"amdgcn-amd-amdhsa--{TARGET}\"\n{metadata}{text}")
}

/// The file that a text becomes.
fn linked(text: &str) -> Vec<u8> {
    let llvm = Llvm::find(None).expect("an LLVM");
    let linker = Linker::find(None, &llvm).expect("a linker");
    linker.link(&[llvm.assemble(TARGET, text).expect("it assembles")]).expect("it links")
}

/// Ten waves on each of four SIMDs.
#[divan::bench]
fn block_of_2000(bencher: divan::Bencher) {
    let gpu = Gpu::named(GPU).expect("it ships");
    let text =
        AssemblyText::of(&block(), Path::new("block.s"), &TextOptions::default(), &gpu).expect("it is for the GPU");
    let llvm = Llvm::find(None).expect("an LLVM");
    let code = UserCode::of_text(&text, &|target, text| llvm.assemble(target, text)).expect("it assembles");
    let code = &code.functions[0].code;
    let region = code.regions(gpu.processor()).expect("it decodes").remove(0);
    let question = Question { waves_per_simd: 10, ..Question::default() };
    bencher
        .counter(ItemsCount::new(INSTRUCTIONS))
        .bench(|| predict(&gpu, code, &region, question).expect("it can be repeated").cycles_per_iteration);
}

#[divan::bench(sample_size = 1)]
fn launch_of_10_million(bencher: divan::Bencher) {
    let gpu = Gpu::named(GPU).expect("it ships");
    let object = LoadableObject::read(&linked(&kernel())).expect("a code object");
    let run = |groups: u32| {
        let arguments = LaunchArguments {
            grid: [groups * 256, 1, 1],
            group: [256, 1, 1],
            arguments: vec![Argument::Buffer(vec![0; 4096]), Argument::Value(Value::U32(ITERATIONS))],
            cycle_limit: u64::MAX - 1,
        };
        launch(&gpu, &object, "k", &arguments).expect("the kernel runs").prediction
    };
    // All groups execute the same.
    let instructions = run(1).executed * u64::from(GROUPS);
    bencher.counter(ItemsCount::new(instructions)).bench(|| run(GROUPS));
}

/// `llvm-mca` on the same block, as often as a prediction repeats it at least, its start included.
#[divan::bench]
fn llvm_mca(bencher: divan::Bencher) {
    mca::bench(bencher, TARGET, &block(), 16, INSTRUCTIONS);
}
