//! The fast path against the slow one: what nothing observes is left out, and neither a cycle nor a bit may change by it.

use std::cell::Cell;

use gcn_tests::{Chip, Ended, chip};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Lines of which the kernels are made: units side by side, values that are read, overwritten, turned into addresses,
/// masks, conditions and scalars, or that have no reader.
const LINES: [&str; 43] = [
    "v_add_f32_e32 v3, v4, v5",
    "v_add_f32_e32 v4, v3, v3",
    "v_mul_f32_e32 v5, v3, v4",
    "v_mul_f32_e64 v6, v3, v4",
    "v_mul_f32_e64 v6, v7, v4",
    "v_mov_b32_e32 v7, v6",
    "v_fma_f64 v[8:9], v[10:11], v[10:11], v[8:9]",
    "v_fma_f64 v[10:11], v[8:9], v[8:9], v[8:9]",
    "v_mul_lo_u32 v3, v4, v5",
    "v_rcp_f32_e32 v13, v4",
    "v_mov_b32_e32 v5, v13",
    "v_xor_b32_e32 v12, v1, v12",
    "v_nop",
    "v_nop",
    "v_cmp_lt_f32_e32 vcc, v3, v4",
    "v_cmp_gt_u32_e64 s[24:25], v12, v7",
    "v_cndmask_b32_e32 v6, v4, v7, vcc",
    "v_cndmask_b32_e64 v7, v4, v6, s[24:25]",
    "v_readfirstlane_b32 s20, v12",
    "v_readfirstlane_b32 s26, v3",
    "v_readlane_b32 s21, v12, 5",
    "v_writelane_b32 v12, s21, 7",
    "v_mbcnt_lo_u32_b32_e64 v14, -1, v3",
    "v_mbcnt_lo_u32_b32_e64 v3, -1, v14",
    "s_and_b32 s22, s20, 15",
    "s_lshl_b32 s23, s22, 2",
    "s_mul_i32 s27, s22, s23",
    "s_mov_b32 s28, s27",
    "s_mov_b32 s22, s28",
    "s_brev_b32 s29, s28",
    "v_mov_b32_e32 v15, s23",
    "v_and_b32_e32 v15, 0xfc, v15",
    "v_and_b32_e32 v15, 0x7c, v15",
    "ds_read_b32 v4, v15\ns_waitcnt lgkmcnt(0)",
    "ds_write_b32 v1, v6",
    "ds_write_b32 v15, v7",
    "buffer_load_dword v7, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)",
    "buffer_store_dword v12, v1, s[4:7], 0 offen",
    "s_cbranch_vccz .Lskip",
    "s_and_saveexec_b64 s[30:31], vcc",
    "s_mov_b64 exec, -1",
    "s_nop 3",
    "s_barrier",
];

/// Lines of CDNA alone: results of the matrix unit that are read, or not.
const CDNA: [&str; 3] = [
    "v_mfma_f32_4x4x1_16b_f32 v[16:19], v3, v4, v[16:19]",
    "v_mfma_f32_32x32x8_f16 v[8:23], v[4:5], v[6:7], 0",
    "v_add_f32_e32 v6, v17, v6",
];
/// Lines of RDNA 3 alone, the last ones of waves of 32.
const RDNA3: [&str; 6] = [
    "v_add_f32_e32 v6, v17, v6",
    "s_delay_alu instid0(VALU_DEP_1)",
    "v_wmma_f32_16x16x16_f16 v[16:23], v[4:11], v[4:11], v[16:23]",
    "v_dual_add_f32 v3, v4, v5 :: v_dual_mul_f32 v6, v7, v8",
    "v_dual_mov_b32 v4, v6 :: v_dual_fmac_f32 v7, v5, v8",
    "v_dual_mul_f32 v5, v4, v7 :: v_dual_cndmask_b32 v12, v3, v6",
];

/// The lines of a chip in waves of this many lanes.
fn lines_of(name: &str, lanes: u32) -> Vec<&'static str> {
    let of_family: &[&str] = match (name, lanes) {
        ("mi300x", _) => &CDNA,
        ("rx7900xtx", 32) => &RDNA3,
        ("rx7900xtx", _) => &RDNA3[..2],
        _ => &[],
    };
    // As often as all others together.
    let times = LINES.len() / of_family.len().max(1);
    LINES.iter().chain(of_family.iter().cycle().take(times * of_family.len())).copied().collect()
}

/// The same code for waves of 32, and with the counter of the chip.
fn respelled(text: &str, name: &str, lanes: u32) -> String {
    let mut text = text.to_owned();
    if lanes == 32 {
        for (wide, narrow) in [
            ("v_cmp_lt_f32_e32 vcc,", "v_cmp_lt_f32_e32 vcc_lo,"),
            ("v6, v4, v7, vcc", "v6, v4, v7, vcc_lo"),
            ("s[24:25]", "s24"),
            ("s_and_saveexec_b64 s[30:31], vcc", "s_and_saveexec_b32 s30, vcc_lo"),
        ] {
            text = text.replace(wide, narrow);
        }
    }
    if name == "rx7900xtx" {
        for pair in [10, 12] {
            let counter = format!("s_getreg_b32 s{pair}, hwreg(HW_REG_SHADER_CYCLES, 0, 20)");
            text = text.replace(&format!("s_memtime s[{pair}:{}]", pair + 1), &counter);
        }
    }
    text
}

/// A kernel that runs its lines twice and stores a register and the time of each wave.
fn kernel(chip: &Chip, lines: &[&str], stored: u8) -> String {
    let body: String = (0..)
        .zip(lines)
        .map(|(n, line)| match *line {
            // Over the next line alone.
            "s_cbranch_vccz .Lskip" => format!("s_cbranch_vccz .Lskip{n}\nv_add_f32_e32 v3, v3, v4\n.Lskip{n}:\n"),
            line => format!("{line}\n"),
        })
        .collect();
    let setup: String =
        (3..=15).map(|register| format!("v_mov_b32_e32 v{register}, 0x3f8{register:x}0000\n")).collect();
    let scalars: String = (20..=29).map(|register| format!("s_movk_i32 s{register}, {register}\n")).collect();
    let multiple = if lines.len().is_multiple_of(2) { 4 } else { 6 };
    format!(
        "{}s_mov_b32 m0, -1\ns_mov_b64 vcc, 0\ns_lshl_b32 s2, s2, 10\nv_mov_b32_e32 v15, 0\n{setup}v_mov_b32_e32 v15, 0\n{scalars}\
         s_mov_b32 s8, 0\n.p2align {multiple}\n.Lagain:\ns_memtime s[10:11]\ns_waitcnt lgkmcnt(0)\n{body}\
         s_memtime s[12:13]\ns_waitcnt lgkmcnt(0)\ns_add_u32 s8, s8, 1\ns_cmp_lt_u32 s8, 2\ns_cbranch_scc1 .Lagain\n\
         s_mov_b64 exec, -1\ns_sub_u32 s12, s12, s10\nv_mov_b32_e32 v2, s12\nbuffer_store_dword v2, v1, s[4:7], s2 offen\n\
         s_waitcnt vmcnt(0) lgkmcnt(0)\nbuffer_store_dword v{stored}, v1, s[4:7], s2 offen offset:4092\ns_endpgm\n",
        chip.prologue()
    )
}

#[test]
fn omitted_results_change_nothing() {
    const CASES: u32 = 420;
    let ended = Cell::new([0; 6]);
    const CHIPS: [(&str, u32); 6] =
        [("tahiti", 64), ("hawaii", 64), ("vega10", 64), ("mi300x", 64), ("rx7900xtx", 32), ("rx7900xtx", 64)];
    let of_chip = |(name, lanes)| {
        let few = prop::collection::vec(prop::sample::select(lines_of(name, lanes)), 1..4);
        // Some lines are repeated: at the same dword of a block again, as in timed code.
        let lines = prop::collection::vec((few, prop_oneof![4 => Just(1_usize), 1 => 8_usize..24]), 1..20);
        (Just((name, lanes)), lines)
    };
    let cases = (
        prop::sample::select(CHIPS.to_vec()).prop_flat_map(of_chip),
        3_u8..=12,
        1_u32..6,
        prop::sample::select(vec![64_u32, 128, 256]),
    );
    let mut runner = TestRunner::new(Config { cases: CASES, ..Config::default() });
    let outcome = runner.run(&cases, |(((name, lanes), lines), stored, groups, group_size)| {
        let lines: Vec<&str> = lines.iter().flat_map(|(few, times)| few.repeat(*times)).collect();
        let fast = chip(name, "").in_waves_of(lanes);
        let slow = fast.computing_everything();
        let text = respelled(&kernel(&fast, &lines, stored), name, lanes);
        let run = |chip: &Chip| {
            let ended = chip.launch(&text, groups, group_size, 1024);
            ended.map(|Ended { memory, statistics }| (memory, statistics)).map_err(|error| error.to_string())
        };
        let (fast, slow) = (run(&fast), run(&slow));
        let place = CHIPS.iter().position(|chip| *chip == (name, lanes)).expect("one of them");
        ended.update(|mut ended| {
            ended[place] += u32::from(slow.is_ok());
            ended
        });
        prop_assert_eq!(fast, slow);
        Ok(())
    });
    outcome.unwrap_or_else(|failure| panic!("{failure}"));
    let least = CASES / CHIPS.len() as u32 / 4;
    assert!(
        ended.get().iter().all(|ended| *ended > least),
        "kernels that ended, by chip: {:?} of {CASES}",
        ended.get()
    );
}
