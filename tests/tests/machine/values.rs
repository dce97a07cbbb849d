//! What instructions compute, what stays unknown, and what stops a wave or a launch.

use gcn_tests::{Chip, chip};
use proptest::prelude::*;
use proptest::test_runner::Config;

use super::problem;

#[test]
fn scalar_arithmetic_is_right() {
    let chip = chip("tahiti", "");
    let cases: [(&str, u32); 12] = [
        ("s_mov_b32 s21, 7\ns_mul_i32 s20, s21, 6", 42),
        ("s_mov_b32 s21, -1\ns_add_u32 s22, s21, 1\ns_addc_u32 s20, 0, 0", 1),
        ("s_sub_u32 s22, 0, 1\ns_subb_u32 s20, 5, 0", 4),
        ("s_movk_i32 s20, 0x8000", 0xffff_8000),
        ("s_mov_b32 s21, 0x80000000\ns_ashr_i32 s20, s21, 4", 0xf800_0000),
        ("s_mov_b32 s21, 0x80000000\ns_lshr_b32 s20, s21, 36", 0x0800_0000),
        ("s_mov_b32 s21, 12\ns_andn2_b32 s20, s21, 4", 8),
        ("s_mov_b32 s21, -1\ns_cmp_gt_i32 s21, 0\ns_addc_u32 s20, 0, 0", 0),
        ("s_mov_b32 s21, -1\ns_cmp_gt_u32 s21, 0\ns_addc_u32 s20, 0, 0", 1),
        ("s_mov_b32 s21, 5\ns_and_b32 s21, s21, 2\ns_addc_u32 s20, 0, 0", 0),
        ("s_mov_b64 s[22:23], exec\ns_mov_b32 s20, s23", 0xffff_ffff),
        (
            "s_mov_b64 exec, 3\ns_mov_b64 s[22:23], 6\ns_and_saveexec_b64 s[26:27], s[22:23]\ns_mov_b32 s20, exec_lo\ns_mov_b64 exec, -1",
            2,
        ),
    ];
    for (code, expected) in cases {
        assert_eq!(chip.scalar(code).unwrap_or_else(|error| panic!("{code}: {error}")), expected, "{code}");
    }
}

#[test]
fn lanes_keep_their_own_values() {
    let chip = chip("vega10", "");
    let lanes = chip.values("v_lshlrev_b32_e32 v2, 1, v0").unwrap();
    assert!(lanes.iter().zip(0..).all(|(value, lane)| *value == 2 * lane), "{lanes:?}");
    let written = chip.values("v_mov_b32_e32 v2, v0\ns_mov_b32 s21, 99\nv_writelane_b32 v2, s21, 5").unwrap();
    assert_eq!((written[4], written[5], written[6]), (4, 99, 6));
    assert_eq!(chip.scalar("v_readlane_b32 s20, v0, 17"), Ok(17));
    assert_eq!(chip.scalar("s_mov_b64 exec, 0xf0\nv_readfirstlane_b32 s20, v0\ns_mov_b64 exec, -1"), Ok(4));
    // EXEC keeps the others out.
    let masked =
        chip.values("v_mov_b32_e32 v2, 1\ns_mov_b64 exec, 6\nv_mov_b32_e32 v2, 7\ns_mov_b64 exec, -1").unwrap();
    assert_eq!(masked[..4], [1, 7, 7, 1]);
}

#[test]
fn indexing_follows_its_mode() {
    let chip = chip("fiji", "");
    let indexed = |mode: &str| {
        let code = format!(
            "v_mov_b32_e32 v2, 0\nv_mov_b32_e32 v3, 30\nv_mov_b32_e32 v4, 40\ns_mov_b32 s20, 1\n\
             s_set_gpr_idx_on s20, gpr_idx(SRC0)\n{mode}\nv_mov_b32_e32 v2, v3\ns_set_gpr_idx_off"
        );
        chip.values(&code).unwrap()[0]
    };
    assert_eq!(indexed(""), 40, "the source one behind");
    assert_eq!(indexed("s_set_gpr_idx_mode gpr_idx()"), 30, "nothing is indexed any more");
}

#[test]
fn the_low_dword_of_a_wide_sum_needs_no_high_one() {
    // HIP's fill kernel: v9 is unwritten and unused.
    let sum = "v_mov_b32_e32 v8, 5\nv_mad_u64_u32 v[8:9], vcc, v0, 3, v[8:9]\n";
    let chip = chip("vega10", "");
    let lanes = chip.values(&format!("{sum}v_mov_b32_e32 v2, v8")).unwrap();
    assert!(lanes.iter().zip(0..).all(|(value, lane)| *value == 3 * lane + 5), "{lanes:?}");
    let high = problem(chip.values(&format!("{sum}v_mov_b32_e32 v2, v9")));
    assert!(high.contains("stored what the model does not know"), "{high}");
}

/// The value that a line writes to v2, whose sources v3, v4 and v5 hold these.
fn of_sources(chip: &Chip, line: &str, [a, b, c]: [u32; 3]) -> Result<u32, String> {
    let values = format!("v_mov_b32_e32 v3, {a:#x}\nv_mov_b32_e32 v4, {b:#x}\nv_mov_b32_e32 v5, {c:#x}\n");
    let lanes = chip.values(&format!("{values}v_mov_b32_e32 v2, 0\n{line}")).map_err(|error| error.to_string())?;
    Ok(lanes[0])
}

/// Element `n` of `bits` bits as a number.
fn element(dword: u32, bits: u32, n: u32, is_signed: bool) -> i64 {
    let value = i64::from(dword >> (bits * n)) & ((1 << bits) - 1);
    if is_signed && value >> (bits - 1) == 1 { value - (1 << bits) } else { value }
}

proptest! {
    #![proptest_config(Config { cases: 24, failure_persistence: None, ..Config::default() })]

    #[test]
    fn dot_products_of_integers_are_sums_of_products(sources: [u32; 3]) {
        let chip = chip("vega20", "");
        let [a, b, c] = sources;
        for (mnemonic, bits, is_signed) in [
            ("v_dot2_i32_i16", 16, true),
            ("v_dot2_u32_u16", 16, false),
            ("v_dot4_i32_i8", 8, true),
            ("v_dot4_u32_u8", 8, false),
            ("v_dot8_i32_i4", 4, true),
            ("v_dot8_u32_u4", 4, false),
        ] {
            let product = |n| element(a, bits, n, is_signed) * element(b, bits, n, is_signed);
            let sum = (0..32 / bits).map(product).sum::<i64>() + i64::from(c);
            prop_assert_eq!(of_sources(&chip, &format!("{mnemonic} v2, v3, v4, v5"), sources), Ok(sum as u32), "{}", mnemonic);
        }
        prop_assert_eq!(of_sources(&chip, "v_xnor_b32_e32 v2, v3, v4", sources), Ok(!(a ^ b)));
        let crossed = element(a, 16, 1, true) * element(b, 16, 0, true) + element(a, 16, 0, true) * element(b, 16, 1, true);
        let line = "v_dot2_i32_i16 v2, v3, v4, v5 op_sel:[1,0,0] op_sel_hi:[0,1,1]";
        prop_assert_eq!(of_sources(&chip, line, sources), Ok((crossed + i64::from(c)) as u32));
    }

    #[test]
    fn vega_20_multiplies_and_adds_fused(a in -1e6f32..1e6, b in -1e6f32..1e6, c in -1e6f32..1e6) {
        let chip = chip("vega20", "");
        let sources = [a, b, c].map(f32::to_bits);
        let fused = a.mul_add(b, c).to_bits();
        prop_assert_eq!(of_sources(&chip, "v_fma_mix_f32 v2, v3, v4, v5", sources), Ok(fused));
        prop_assert_eq!(of_sources(&chip, "v_mov_b32_e32 v2, v5\nv_fmac_f32_e32 v2, v3, v4", sources), Ok(fused));
    }
}

#[test]
fn mixed_precision_of_vega_20_is_fused_and_reads_halves() {
    let chip = chip("vega20", "");
    // 1 + 2^-12 squared, less 1 + 2^-11: a product that is rounded loses 2^-24.
    let close = (1.0 + 2.0_f32.powi(-12)).to_bits();
    let sources = [close, close, (-1.0 - 2.0_f32.powi(-11)).to_bits()];
    assert_eq!(of_sources(&chip, "v_fma_mix_f32 v2, v3, v4, v5", sources), Ok(2.0_f32.powi(-24).to_bits()));
    let older = gcn_tests::chip("vega10", "");
    assert_eq!(of_sources(&older, "v_mad_mix_f32 v2, v3, v4, v5", sources), Ok(0));
    // 2^-10 squared is a denormal half, and a source that is one counts as 0.
    for (sources, fused) in [([0x1400, 0x1400, 0], 0x10), ([0x10, 0x3c00, 0], 0x10)] {
        let of_halves = "mixlo_f16 v2, v3, v4, v5 op_sel_hi:[1,1,1]";
        assert_eq!(of_sources(&chip, &format!("v_fma_{of_halves}"), sources), Ok(fused));
        assert_eq!(of_sources(&older, &format!("v_mad_{of_halves}"), sources), Ok(0));
    }
    // 3.0 in the high half, 2.0 in the low one, and 0.5.
    let halves = [0x4200_4000, 0x4200_4000, 0.5_f32.to_bits()];
    let high = "v_fma_mix_f32 v2, v3, v4, v5 op_sel:[1,0,0] op_sel_hi:[1,1,0]";
    assert_eq!(of_sources(&chip, high, halves), Ok(6.5_f32.to_bits()));
    let low = "v_fma_mixlo_f16 v2, v3, v4, v5 op_sel_hi:[1,1,0]";
    assert_eq!(of_sources(&chip, low, halves), Ok(0x4480), "4.5 in the low half");
    assert_eq!(of_sources(&chip, &low.replace("mixlo", "mixhi"), halves), Ok(0x4480_0000));
}

#[test]
fn a_dot_product_of_halves_is_known_where_nothing_is_rounded() {
    let chip = chip("vega20", "");
    // 2 * 5 + 3 * 7 + 0.5.
    let plain = [0x4200_4000, 0x4700_4500, 0.5_f32.to_bits()];
    let line = "v_dot2_f32_f16 v2, v3, v4, v5";
    assert_eq!(of_sources(&chip, line, plain), Ok(31.5_f32.to_bits()));
    assert_eq!(of_sources(&chip, &format!("{line} neg_lo:[1,0,0]"), plain), Ok(11.5_f32.to_bits()));
    assert_eq!(of_sources(&chip, &format!("{line} neg_lo:[0,0,1] neg_hi:[0,0,1]"), plain), Ok(30.5_f32.to_bits()));
    assert_eq!(of_sources(&chip, &format!("{line} clamp"), plain), Ok(1.0_f32.to_bits()));
    for (line, sources) in [
        (line.to_owned(), [0x4200_4000, 0x4700_4500, 1e-9_f32.to_bits()]),
        (line.to_owned(), [0x0001_4000, 0x4700_4500, 0]),
        (format!("{line} neg_lo:[0,0,1]"), plain),
        ("v_dot4_i32_i8 v2, v3, v4, v5 clamp".to_owned(), plain),
    ] {
        let text = of_sources(&chip, &line, sources).unwrap_err();
        assert!(text.contains("stored what the model does not know"), "{line}: {text}");
    }
}

#[test]
fn unknown_values_spread_and_cannot_leave() {
    let chip = chip("tahiti", "");
    for (code, what) in [
        ("v_rcp_f32_e32 v2, v0", "stored what the model does not know"),
        ("v_sin_f32_e32 v9, v0\nv_mov_b32_e32 v2, v9", "stored what the model does not know"),
        (
            "v_sin_f32_e32 v9, 0.5\nv_readfirstlane_b32 s21, v9\ns_add_u32 s21, s21, 1\nv_mov_b32_e32 v2, s21",
            "stored what the model does not know",
        ),
        ("s_bcnt1_i32_b32 s21, s30\ns_cmp_eq_u32 s21, 1\ns_cbranch_scc1 .Lnext\n.Lnext:", "the branch depends on SCC"),
        ("v_cmp_lt_f32_e32 vcc, v9, v9\ns_cbranch_vccz .Lnext\n.Lnext:", "the branch depends on VCC"),
        ("s_bcnt1_i32_b32 s4, s30\nv_mov_b32_e32 v2, 0", "the address depends on the descriptor in s4"),
        ("s_load_dword s21, s[0:1], 0x0\nv_mov_b32_e32 v2, s21", "stored what the model does not know"),
    ] {
        let text = problem(chip.values(code));
        assert!(text.contains(what) && text.contains("unknown to the simulator"), "{code}: {text}");
        let names = ["buffer_store_dword", "s_cbranch_scc1", "s_cbranch_vccz"];
        assert!(names.iter().any(|name| text.contains(name)) && text.contains("0x"), "{text}");
    }
    // An overwritten register is known again.
    assert_eq!(chip.values("v_sin_f32_e32 v2, v0\nv_mov_b32_e32 v2, 3").unwrap(), [3; 64]);
}

/// Errors name the instruction with which an unknown value began, and a register that nothing wrote.
#[test]
fn unknown_values_name_their_origin() {
    let chip = chip("vega10", "");
    for (code, origin) in [
        ("v_add_u32_e32 v2, v9, v0\nv_add_u32_e32 v2, v2, v2", "v_add_u32 v2, v9, v0; nothing wrote v9"),
        ("v_mov_b32_e32 v2, v9\nv_mov_b32_e32 v9, 0", "v_mov_b32 v2, v9; nothing wrote v9"),
        ("v_sin_f32_e32 v9, v0\nv_mov_b32_e32 v3, v9\nv_mov_b32_e32 v9, 0\nv_mov_b32_e32 v2, v3", "v_sin_f32 v9, v0"),
        ("s_load_dword s21, s[0:1], 0x0\nv_mov_b32_e32 v2, s21", "s_load_dword s21, s[0:1], 0x0"),
        (
            "s_mov_b64 exec, 5\nv_mov_b32_e32 v9, 1\ns_mov_b64 exec, -1\nv_mov_b32_e32 v2, v9",
            "nothing wrote v9 in lane 1",
        ),
        (
            "s_add_u32 s21, s30, 1\ns_cmp_eq_u32 s21, 1\ns_cbranch_scc1 .Lnext\n.Lnext:",
            "s_add_u32 s21, s30, 1; nothing wrote s30",
        ),
        ("v_cmp_lt_f32_e32 vcc, v9, v9\ns_cbranch_vccz .Lnext\n.Lnext:", "v_cmp_lt_f32 vcc, v9, v9; nothing wrote v9"),
        ("s_cmp_eq_u32 s30, 1\ns_cbranch_scc1 .Lnext\n.Lnext:", "nothing wrote s30"),
    ] {
        let text = problem(chip.values(code));
        assert!(text.ends_with(origin), "{code}: {text}");
    }
}

#[test]
fn unallocated_registers_and_invalid_code_stop_the_wave() {
    let chip = chip("fiji", "");
    let text = problem(chip.values("v_mov_b32_e32 v24, 0\nv_mov_b32_e32 v2, 0"));
    assert!(text.contains("v24") && text.contains("24 VGPRs"), "{text}");
    let text = problem(chip.values(".long 0xffffffff\nv_mov_b32_e32 v2, 0"));
    assert!(text.contains("FFFFFFFF") && text.contains("0x"), "{text}");
    let text = problem(chip.values("s_sendmsghalt sendmsg(MSG_INTERRUPT)\nv_mov_b32_e32 v2, 0"));
    assert!(text.contains("does not execute it"), "{text}");
    // Stores must stay inside the allocation; the descriptor keeps them there, a wrong one does not.
    let text = problem(chip.values("s_mov_b32 s4, 0\ns_mov_b32 s5, 0\nv_mov_b32_e32 v2, 0"));
    assert!(text.contains("memory fault"), "{text}");
}

#[test]
fn endless_and_hanging_kernels_end() {
    let chip = chip("hawaii", "");
    let text = problem(chip.launch(".Lloop:\ns_branch .Lloop\n", 1, 64, 0));
    assert!(text.contains("100000 cycles") && text.contains("endless"), "{text}");
    let text = problem(chip.launch("s_nop 0\n", 1, 64, 0));
    assert!(text.contains("left the code") || text.contains("not an instruction"), "{text}");
}

#[test]
fn impossible_launches_are_refused() {
    let chip = chip("tahiti", "");
    for (groups, size, lds, what) in [
        (1, 257, 0, "257 work-items"),
        (1, 0, 0, "0 work-items"),
        (0, 64, 0, "0 work-groups"),
        (1, 64, 32769, "32769 bytes of LDS"),
        (1, 64, u32::MAX, "bytes of LDS"),
    ] {
        let text = problem(chip.launch("s_endpgm\n", groups, size, lds));
        assert!(text.contains(what), "{text}");
    }
    let wide = self::chip("tahiti", "[registers]\nvgprs = 16\n");
    assert!(problem(wide.launch("s_endpgm\n", 1, 64, 0)).contains("24 VGPRs"));
}

#[test]
fn groups_take_compute_units_in_turn_by_hw_id() {
    // Each wave stores its HW_ID at its own place.
    let hw_id = |chip: &Chip, groups: u32, lds: u32| {
        let code = format!(
            "{}s_getreg_b32 s20, hwreg(HW_REG_HW_ID)\nv_mov_b32_e32 v2, s20\ns_lshl_b32 s3, s2, 10\n{}",
            chip.prologue(),
            Chip::EPILOGUE.replace("s[4:7], 0 offen", "s[4:7], s3 offen")
        );
        let memory = chip.launch(&code, groups, 256, lds).unwrap().memory;
        (0..groups as usize * 4).map(|wave| memory[wave * 64]).collect::<Vec<_>>()
    };
    let chip = chip("fiji", "[simulation]\ncompute_units = 3\n");
    let unit = |id: u32| (id >> 8 & 0xf, id >> 12 & 1, id >> 13 & 3);
    let ids = hw_id(&chip, 6, 0);
    let units: std::collections::BTreeSet<_> = ids.iter().map(|id| unit(*id)).collect();
    assert_eq!(units.len(), 3, "{ids:x?}");
    for group in ids.chunks(4) {
        let mut simds: Vec<_> = group.iter().map(|id| id >> 4 & 3).collect();
        simds.sort_unstable();
        assert_eq!(simds, [0, 1, 2, 3], "one wave on each SIMD");
        assert!(group.iter().all(|id| unit(*id) == unit(group[0])), "a group stays together");
    }
    assert_eq!(unit(ids[0]), unit(ids[12]), "the fourth group is on the first unit again");
    assert_ne!(ids[0] & 0xf, ids[12] & 0xf, "in another slot");
    // A group with all of the LDS has its compute unit to itself: the fourth waits for the first to end, and takes its slot.
    let ids = hw_id(&chip, 6, 65536);
    assert_eq!(ids[0] & 0xf, ids[12] & 0xf);
}
