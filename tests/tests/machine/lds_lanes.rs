//! LDS instructions on all lanes at once against the same lane by lane: one lane less, which reaches where its neighbour does, and neither a
//! value nor a cycle is another.

use std::cell::Cell;

use gcn_tests::{Chip, chip};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Instructions with their address in v3, and the registers that they fill.
const INSTRUCTIONS: [(&str, &[u8]); 13] = [
    ("ds_read_b32 v8, v3 offset:8", &[8]),
    ("ds_read_b32 v3, v3", &[3]),
    ("ds_read_b64 v[8:9], v3 offset:16", &[8, 9]),
    ("ds_read2_b32 v[8:9], v3 offset0:17 offset1:1", &[8, 9]),
    ("ds_read2_b32 v[3:4], v3 offset0:1 offset1:2", &[3, 4]),
    ("ds_read2st64_b32 v[8:9], v3 offset0:1 offset1:3", &[8, 9]),
    ("ds_read2_b64 v[8:11], v3 offset0:1 offset1:5", &[8, 9, 10, 11]),
    ("ds_read_u16 v8, v3 offset:2", &[8]),
    ("ds_write_b32 v3, v4 offset:4", &[]),
    ("ds_write_b64 v3, v[4:5] offset:8", &[]),
    ("ds_write2_b32 v3, v4, v5 offset0:3 offset1:9", &[]),
    ("ds_write2st64_b32 v3, v4, v5 offset0:2 offset1:0", &[]),
    ("ds_write2_b64 v3, v[4:5], v[6:7] offset0:1 offset1:2", &[]),
];
/// LDS of the group, bytes.
const LDS: u32 = 4096;

/// Fills the LDS, executes an instruction twice on the lanes that `shift` leaves, and makes one dword of what each lane read and of what
/// then lies in the LDS.
fn kernel(
    chip: &Chip,
    (instruction, filled): (&str, &[u8]),
    (factor, flip, mask): (u32, u32, u32),
    shift: u32,
) -> String {
    let words = LDS / 256;
    // Lane 63 is like lane 62 in all that it does.
    let mut text = format!(
        "{}s_mov_b32 m0, -1\nv_min_u32_e32 v12, 62, v0\nv_mov_b32_e32 v13, 0x9e3779b1\nv_lshlrev_b32_e32 v14, 2, v0\n",
        chip.prologue()
    );
    for word in 0..words {
        text += &format!(
            "v_mul_lo_u32 v15, v13, v0\nv_xor_b32_e32 v15, {word}, v15\nds_write_b32 v14, v15 offset:{}\n",
            256 * word
        );
    }
    for register in 4..=11 {
        text += &format!("v_mul_u32_u24_e32 v{register}, {register}, v12\n");
    }
    text += &format!(
        "v_mov_b32_e32 v3, {factor:#x}\nv_mul_lo_u32 v3, v3, v12\nv_mov_b32_e32 v2, {flip:#x}\nv_xor_b32_e32 v3, v2, v3\n\
         v_and_b32_e32 v3, {mask:#x}, v3\ns_waitcnt lgkmcnt(0)\ns_lshr_b64 exec, -1, {shift}\n{instruction}\n\
         s_waitcnt lgkmcnt(0)\n"
    );
    if !filled.contains(&3) {
        text += &format!("{instruction}\ns_waitcnt lgkmcnt(0)\n");
    }
    text += "s_mov_b64 exec, -1\nv_mov_b32_e32 v2, 0\n";
    let mix = "v_mul_lo_u32 v2, v2, v13\nv_xor_b32_e32 v2, v2, ";
    for register in filled {
        text += &format!("{mix}v{register}\n");
    }
    for word in 0..words {
        text += &format!("ds_read_b32 v15, v14 offset:{}\ns_waitcnt lgkmcnt(0)\n{mix}v15\n", 256 * word);
    }
    text + Chip::EPILOGUE
}

#[test]
fn all_lanes_at_once_are_all_lanes_one_by_one() {
    const CASES: u32 = 400;
    let ended = Cell::new(0);
    let cases = (
        prop::sample::select(vec!["tahiti", "fiji", "vega10"]),
        prop::sample::select(INSTRUCTIONS.to_vec()),
        prop_oneof![Just(4_u32), Just(16), Just(20), Just(64), any::<u32>()],
        0_u32..1024,
        // Mostly inside, aligned to a dword or more; some beyond the end, and some not aligned.
        prop::sample::select(vec![0x7fc_u32, 0x7f8, 0x3f0, 0x3c, 0x780, 0x1ffc, 0x3fe]),
    );
    let mut runner = TestRunner::new(Config { cases: CASES, ..Config::default() });
    let outcome = runner.run(&cases, |(name, instruction, factor, flip, mask)| {
        let chip = chip(name, "");
        let run = |shift: u32| {
            let text = kernel(&chip, instruction, (factor, flip, mask), shift);
            let ended = chip.launch(&text, 1, 64, LDS).map_err(|error| error.to_string())?;
            // What lane 63 has read is compared with nothing.
            Ok::<_, String>((ended.memory[..63].to_vec(), ended.statistics))
        };
        let (all, one_less) = (run(0), run(1));
        ended.set(ended.get() + u32::from(all.is_ok()));
        prop_assert_eq!(all, one_less);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    assert!(ended.get() > CASES / 2, "only {} of {CASES} kernels ended: the others say little", ended.get());
}
