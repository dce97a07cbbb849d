//! A loop takes the same cycles by itself and in a launch of its kernel, in waves of both sizes.

use serde_json::Value;

use super::launched::write;
use super::{run, temporary};

const LINES: [&str; 12] = [
    "v_mul_f32 v5, v3, v4",
    "v_fma_f32 v6, v3, v4, v5",
    "v_rcp_f32 v7, v4",
    "v_mul_lo_u32 v3, v4, v5",
    "v_add_f64 v[8:9], v[10:11], v[10:11]",
    "v_exp_f32 v12, v7",
    "s_mul_i32 s10, s11, s12",
    "s_add_u32 s13, s13, s14",
    "s_nop 3",
    "v_add_nc_u32 v13, 1, v13",
    "v_xor_b32 v3, v3, v13",
    "v_lshlrev_b32 v14, 2, v13",
];
const GPUS: [&str; 3] = ["rx6800", "rx7900xtx", "rx9070xt"];
const CASES: usize = 12;

/// A kernel that repeats its lines N times, for waves of some lanes; a wave is a work-group.
fn kernel(lines: &[&str], lanes: u32) -> String {
    let is_narrow = u32::from(lanes == 32);
    format!(
        ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\ns_mov_b32 s8, N\n.Lagain:\n{}\ns_add_i32 s8, s8, -1\n\
         s_cmp_lg_u32 s8, 0\ns_cbranch_scc1 .Lagain\ns_endpgm\n.size k, .-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n\
         .amdhsa_next_free_vgpr 16\n.amdhsa_next_free_sgpr 16\n.amdhsa_wavefront_size32 {is_narrow}\n\
         .amdhsa_workgroup_processor_mode 0\n.end_amdhsa_kernel\n.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n  \
         - {{.name: k, .symbol: k.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0, \
         .private_segment_fixed_size: 0, .wavefront_size: {lanes}, .sgpr_count: 16, .vgpr_count: 16, \
         .max_flat_workgroup_size: {lanes}}}\n...\n.end_amdgpu_metadata\n",
        lines.join("\n")
    )
}

/// Some of the lines, others for each number.
fn chosen(number: usize) -> Vec<&'static str> {
    let mut state = number as u64 + 1;
    let mut next = || {
        // Knuth's numbers.
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize
    };
    (0..2 + next() % 10).map(|_| LINES[next() % LINES.len()]).collect()
}

#[test]
fn a_loop_takes_the_same_cycles_in_a_launch() {
    let folder = temporary();
    for case in 0..CASES {
        let (lines, gpu) = (chosen(case), GPUS[case % GPUS.len()]);
        for lanes in [32, 64] {
            let file = write(folder.path(), "k.s", &kernel(&lines, lanes));
            let launch = write(folder.path(), "k.toml", &format!("grid = [{lanes}]\ngroup = [{lanes}]\n"));
            let answer = |more: &[&str]| {
                let said = run(&[&["predict", &file, "--gpu", gpu, "--json"], more].concat());
                assert_eq!((said.code, said.error.as_str()), (Some(0), ""), "{lines:?}");
                serde_json::from_str::<Value>(&said.out).unwrap()
            };
            let launched = |count: &str| {
                answer(&["-D", count, "--launch", &launch, "--start", "warm"])["launch"]["cycles"].as_f64().unwrap()
            };
            let (some, more) = (launched("N=64"), launched("N=192"));
            let block = answer(&["-D", "N=1", "--simds", "1"])["predictions"][0].clone();
            assert_eq!(block["wave_size"], lanes);
            let cycles = block["cycles_per_iteration"].as_f64().unwrap();
            assert!((cycles - (more - some) / 128.0).abs() < 0.1, "{gpu} {lanes} {lines:?}: {cycles}, {some}, {more}");
        }
    }
}
