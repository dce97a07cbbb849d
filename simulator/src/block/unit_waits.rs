//! Tests of the waits between units of RDNA, on small programs for gfx1100, with GPU files that say other cycles than silicon.

use super::pipelined::{gaps_on, iteration_on};

const ADD: u32 = 0x0606_0000; // v_add_f32 v3, v0, v0
const LOAD: [u32; 2] = [0xdc52_0000, 0x057c_0006]; // global_load_b32 v5, v[6:7], off
const STORE: [u32; 2] = [0xdc76_0000, 0x007c_0006]; // global_store_b128 v[6:7], v[0:3], off
const OVERWRITE: u32 = 0x7e0c_0300; // v_mov_b32 v6, v0
const CLAUSE: u32 = 0xbf85_0001;
const COMPARE: u32 = 0x7c94_0300; // v_cmp_eq_u32 vcc_lo, v0, v1
const SELECT: u32 = 0x0204_0300; // v_cndmask_b32 v2, v0, v1, vcc_lo
const WAIT_VCC: u32 = 0xbf88_fffd;
const WAIT_NOTHING: u32 = 0xbf88_ffff;
const DELAY: u32 = 0xbf87_0001;
const READ_SCALAR: u32 = 0x4a10_0004; // v_add_nc_u32 v8, s4, v0
const READ_RESULT: u32 = 0x4a12_0006; // v_add_nc_u32 v9, s6, v0
const MOVE: u32 = 0xbe86_0007; // s_mov_b32 s6, s7
const MOVE_CONSTANT: u32 = 0xbe86_0081; // s_mov_b32 s6, 1
const MATRIX: [u32; 2] = [0xcc40_4010, 0x1ca2_4118]; // v_wmma_f32_16x16x16_f16 v[16:23], v[24:31], v[32:39], v[40:47]
const NOP: u32 = 0xbf80_000f;

fn gaps(keys: &str, words: &[u32]) -> Vec<u64> {
    gaps_on("rx7900xtx", 32, keys, words)
}

#[test]
fn memory_waits_for_the_vector_instruction_before_it() {
    let words = [ADD, LOAD[0], LOAD[1]];
    assert_eq!(gaps("", &words), [17, 1]);
    assert_eq!(gaps("[pipelines]\nmemory_after_vector_cycles = 23\n", &words), [23, 1]);
}

#[test]
fn an_address_is_overwritten_once_it_was_read() {
    let words = [LOAD[0], LOAD[1], OVERWRITE];
    assert_eq!(gaps("", &words), [8, 17]);
    assert_eq!(gaps("[pipelines]\nmemory_read_cycles = 30\n", &words), [32, 17]);
    assert_eq!(gaps("[pipelines]\nmemory_register_cycles = 5\n", &words), [16, 17]);
    assert_eq!(gaps("", &[LOAD[0], LOAD[1], ADD]), [1, 17]);
}

/// Loads of a wave as in traces of gfx1200: those of another address are read before the last one.
#[test]
fn registers_of_memory_instructions_are_read_one_after_the_other() {
    let loads = |count: usize| [&LOAD.repeat(count)[..], &[OVERWRITE]].concat();
    assert_eq!(gaps("", &loads(5)), [1, 1, 1, 1, 12, 17]);
    assert_eq!(gaps("[vector_memory]\nqueue = 2\n", &loads(5)), [1, 1, 1, 2, 11, 17]);
    assert_eq!(gaps_on("rx7900xtx", 64, "", &loads(2)), [1, 13, 17]);
}

/// Thread traces of gfx1151: S_NOP after four GLOBAL_STORE_B128 is passed 30 cycles after the first of them.
#[test]
fn a_nop_waits_until_stores_have_read_their_registers() {
    let stores = [&STORE.repeat(4)[..], &[NOP]].concat();
    assert_eq!(gaps("", &stores)[..4], [1, 1, 1, 27]);
    assert_eq!(gaps("[pipelines]\nafter_stores = []\n", &stores)[..4], [1, 1, 1, 3]);
    assert_eq!(gaps("", &[&LOAD.repeat(4)[..], &[NOP]].concat())[..4], [1, 1, 1, 3]);
}

#[test]
fn instructions_without_a_unit_issue_later_after_those_with_one() {
    assert_eq!(gaps("", &[ADD, CLAUSE, CLAUSE]), [3, 1, 1]);
    assert_eq!(gaps("[pipelines]\ninternal_delay_cycles = 5\n", &[ADD, CLAUSE, CLAUSE]), [6, 1, 1]);
}

#[test]
fn a_wait_for_units_waits_for_the_named_units() {
    assert_eq!(gaps("", &[COMPARE, WAIT_VCC, SELECT]), [3, 14, 1]);
    assert_eq!(gaps("[pipelines]\nmask_wait_cycles = 30\n", &[COMPARE, WAIT_VCC, SELECT]), [3, 27, 1]);
    assert_eq!(gaps("", &[COMPARE, WAIT_NOTHING, SELECT]), [3, 1, 1]);
}

#[test]
fn scalar_and_vector_instructions_wait_for_each_other() {
    assert_eq!(gaps("", &[READ_SCALAR, MOVE]), [16, 1]);
    assert_eq!(gaps("[pipelines]\nscalar_after_vector_cycles = 21\n", &[READ_SCALAR, MOVE]), [21, 1]);
    assert_eq!(gaps("", &[COMPARE, MOVE]), [5, 9]);
    assert_eq!(gaps("[pipelines]\nscalar_after_mask_cycles = 8\n", &[COMPARE, MOVE]), [8, 9]);
    assert_eq!(gaps("", &[MOVE, READ_RESULT]), [9, 16]);
    assert_eq!(gaps("", &[MOVE_CONSTANT, READ_RESULT]), [7, 16]);
    assert_eq!(gaps("[pipelines]\nscalar_constant_cycles = 3\n", &[MOVE_CONSTANT, READ_RESULT]), [6, 16]);
}

#[test]
fn a_delay_goes_with_the_next_instruction() {
    let words = [ADD, DELAY, OVERWRITE];
    assert_eq!(iteration_on("rx7900xtx", "", &words), 2);
    assert_eq!(iteration_on("rx7900xtx", "[pipelines]\nfree = []\n", &words), 5);
    assert_eq!(iteration_on("rx7900xtx", "", &[DELAY, DELAY]), 1, "time goes on");
}

/// Thread traces of gfx1201: V_RCP_F32 that reads V_MOV_B32 after V_WMMA issues in the next cycle; it waits in the queue.
#[test]
fn instructions_after_a_matrix_instruction_wait_in_its_queue() {
    let words = [MATRIX[0], MATRIX[1], 0x7e64_0333, 0x7e68_5532, NOP, NOP, NOP];
    assert_eq!(gaps("", &words), [1, 1, 3, 16, 16, 16]);
}
