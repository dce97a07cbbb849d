//! Tests of the cost model of SIMDs with pipelines, on small programs for gfx1030.

use gcn_model::gpu::Gpu;

use crate::block::lowered::LoweredBlock;
use crate::block::shape::{Block, BlockShape};
use crate::cost::configuration::Configuration;
use crate::issue::activity::Activity;

/// Cycles from the issue of each instruction to that of the next one, in the second of three rounds, of a wave of this many lanes.
fn gaps(lanes: u32, keys: &str, words: &[u32]) -> Vec<u64> {
    gaps_on("rx6800", lanes, keys, words)
}

/// The same on a GPU.
pub(super) fn gaps_on(base: &str, lanes: u32, keys: &str, words: &[u32]) -> Vec<u64> {
    let gpu = Gpu::from_toml(&format!("base = \"{base}\"\n{keys}"), "test.toml").unwrap();
    let configuration = Configuration::of(&gpu);
    let configuration = configuration.for_waves_of(lanes).unwrap();
    let block = LoweredBlock::of(&configuration, Block { name: "block", address: 0, words }).unwrap();
    let shape = BlockShape { simds: 1, waves_per_simd: 1, waves_per_group: 1, iterations: 1 };
    let mut repetition = block.repeat(shape).unwrap();
    repetition.reach(3).unwrap();
    let issues = repetition.segments().filter(|segment| segment.activity == Activity::Issue);
    let starts: Vec<u64> = issues.map(|segment| segment.start).collect();
    let instructions = block.instructions().len();
    (instructions..2 * instructions).map(|at| starts[at + 1] - starts[at]).collect()
}

/// Cycles of an iteration on a GPU, of one wave of 32 lanes.
pub(super) fn iteration_on(base: &str, keys: &str, words: &[u32]) -> u64 {
    let gpu = Gpu::from_toml(&format!("base = \"{base}\"\n{keys}"), "test.toml").unwrap();
    let configuration = Configuration::of(&gpu);
    let block = LoweredBlock::of(&configuration, Block { name: "block", address: 0, words }).unwrap();
    let mut repetition =
        block.repeat(BlockShape { simds: 1, waves_per_simd: 1, waves_per_group: 1, iterations: 1 }).unwrap();
    repetition.reach(5).unwrap();
    let starts = repetition.iterations().next().unwrap();
    starts[3] - starts[2]
}

/// V_ADD_F32 v1, v0, v0; V_ADD_F32 v2, v1, v1; V_ADD_F32 v3, v0, v0.
const DEPENDENT: [u32; 3] = [0x0602_0100, 0x0604_0301, 0x0606_0100];

#[test]
fn a_vector_instruction_waits_for_the_result_that_it_reads_and_for_no_other() {
    assert_eq!(gaps(32, "", &DEPENDENT), [5, 1, 1]);
    assert_eq!(gaps(32, "[pipelines]\nvector_latency_cycles = 7\n", &DEPENDENT), [7, 1, 1]);
    assert_eq!(gaps(32, "[latency]\nV_ADD_F32 = 9\n", &DEPENDENT), [9, 1, 1]);
    assert_eq!(gaps(64, "", &DEPENDENT), [6, 2, 2], "a wave of 64 lanes takes two passes");
}

#[test]
fn some_instructions_take_one_pass_where_the_file_says_so() {
    assert_eq!(gaps(64, "[pipelines]\none_pass = [\"V_ADD_F32\"]\n", &DEPENDENT), [5, 1, 1]);
}

/// V_EXP_F32 v4, v0; V_MOV_B32 v5, v0; V_EXP_F32 v6, v0; V_MOV_B32 v7, v6.
const TRANSCENDENTAL: [u32; 4] = [0x7e08_4b00, 0x7e0a_0300, 0x7e0c_4b00, 0x7e0e_0306];

#[test]
fn the_transcendental_unit_overlaps_the_vector_alu() {
    assert_eq!(gaps(32, "", &TRANSCENDENTAL), [1, 3, 10, 1]);
    let keys = "[pipelines]\ntranscendental_cycles = 8\ntranscendental_latency_cycles = 12\n";
    assert_eq!(gaps(32, keys, &TRANSCENDENTAL), [1, 7, 12, 1]);
    assert_eq!(gaps(64, "", &TRANSCENDENTAL), [2, 6, 14, 2]);
}

#[test]
fn classes_hold_the_vector_alu() {
    // V_MUL_LO_U32 v7, v0, v0; V_MOV_B32 v8, v0; V_ADD_F64 v[10:11], v[0:1], v[0:1]; V_MOV_B32 v9, v0; V_LSHLREV_B64 v[12:13], v0, v[0:1]
    let words =
        [0xd569_0007, 0x0002_0100, 0x7e10_0300, 0xd564_000a, 0x0002_0100, 0x7e12_0300, 0xd6ff_000c, 0x0002_0100];
    assert_eq!(gaps(32, "", &words), [4, 1, 16, 1, 2]);
    assert_eq!(gaps(32, "dp_factor = 32\n", &words), [4, 1, 64, 1, 2]);
    assert_eq!(gaps(64, "", &words), [8, 2, 32, 2, 4]);
    assert_eq!(gaps(32, "[cycles]\nV_MUL_LO_U32 = 6\n", &words), [6, 1, 16, 1, 2]);
}

#[test]
fn a_chain_of_double_precision_has_its_cycles_and_more() {
    // V_ADD_F64 v[0:1], v[0:1], v[0:1]
    assert_eq!(gaps(32, "", &[0xd564_0000, 0x0002_0100]), [22]);
    assert_eq!(gaps(32, "dp_factor = 16\n", &[0xd564_0000, 0x0002_0100]), [38]);
}

#[test]
fn scalar_instructions_are_late_for_who_reads_them() {
    // S_MOV_B32 s0, s1 and others that do not meet: one each cycle.
    assert_eq!(gaps(32, "", &[0xbe80_0301, 0xbe82_0303, 0xbe84_0305]), [1, 1, 1]);
    // S_NOT_B32 s0, s0: two cycles each, once the queue is full.
    let chain: Vec<u32> = vec![0xbe80_0700; 16];
    assert_eq!(gaps(32, "", &chain), vec![2; 16]);
    assert_eq!(gaps(32, "[pipelines]\nscalar_latency_cycles = 5\n", &chain), vec![5; 16]);
}
