//! New behaviour of RDNA 3, in single instructions, in waves of 32 and of 64 lanes. The values are worked out by hand from the sources that the code
//! cites.

use gcn_tests::{Chip, chip};

use super::{check, with_values};

/// The same chip in both sizes of waves.
fn both(name: &str) -> [Chip; 2] {
    let chip = chip(name, "");
    [32, 64].map(|lanes| chip.in_waves_of(lanes))
}

#[test]
fn two_instructions_in_one_read_before_either_writes() {
    let [narrow, _] = both("rx7900xtx");
    let two = |code: &str, result: u8| {
        with_values(
            4,
            &[0x3f80_0000, 0x4000_0000, 0x4040_0000, 0x4080_0000],
            &format!("{code}\nv_mov_b32_e32 v2, v{result}"),
        )
    };
    let exchanged = "v_dual_mov_b32 v4, v5 :: v_dual_mov_b32 v5, v4";
    let sums = "v_dual_add_f32 v8, v4, v5 :: v_dual_mul_f32 v9, v5, v6";
    let chosen = "s_mov_b32 vcc_lo, -1\nv_dual_cndmask_b32 v8, v4, v5 :: v_dual_add_nc_u32 v9, 1, v6";
    let onto = "v_dual_fmac_f32 v4, v5, v6 :: v_dual_fmaak_f32 v9, v6, v7, 0x3f800000";
    check(
        &narrow,
        &[
            (&two(exchanged, 4), 0x4000_0000),
            (&two(exchanged, 5), 0x3f80_0000),
            (&two(sums, 8), 3.0_f32.to_bits()),
            (&two(sums, 9), 6.0_f32.to_bits()),
            (&two(chosen, 8), 0x4000_0000),
            (&two(chosen, 9), 0x4040_0001),
            (&two(onto, 4), 7.0_f32.to_bits()),
            (&two(onto, 9), 13.0_f32.to_bits()),
        ],
    );
}

#[test]
fn halves_of_registers_are_registers() {
    for chip in both("rx7900xtx") {
        let of = |code: &str| with_values(4, &[0x4000_3c00, 0x4400_4200], code);
        check(
            &chip,
            &[
                (&of("v_mov_b32_e32 v2, 0x12345678\nv_mov_b16_e32 v2.h, v5.l"), 0x4200_5678),
                (&of("v_mov_b32_e32 v2, 0x12345678\nv_add_f16_e32 v2.l, v4.h, v5.h"), 0x1234_4600),
                (&of("v_mov_b32_e32 v2, v4\nv_swap_b16 v2.l, v5.h"), 0x4000_4400),
                (&of("v_mov_b32_e32 v2, v4\nv_swap_b16 v2.l, v2.h"), 0x3c00_4000),
                (&of("v_mov_b32_e32 v2, 0\nv_xor_b16 v2.h, v4.h, v5.l"), 0x0200_0000),
                (&of("v_cvt_f32_f16_e32 v2, v5.h"), 4.0_f32.to_bits()),
                (&of("v_pack_b32_f16 v2, v4.h, v5.l"), 0x4200_4000),
                (&of("v_cvt_u32_u16_e32 v2, v5.h"), 0x4400),
            ],
        );
    }
}

/// An unknown half does not keep the other one from being known.
#[test]
fn a_half_is_known_by_itself() {
    for chip in both("rx7900xtx") {
        let put = "v_mov_b32_e32 v4, 0x40003c00\nbuffer_store_b32 v4, v1, s[4:7], 0 offen\ns_waitcnt_vscnt null, 0x0\n";
        let load =
            "buffer_load_d16_b16 v9, v1, s[4:7], 0 offen\nbuffer_load_d16_hi_b16 v9, v1, s[4:7], 0 offen offset:2\n";
        let both = format!("{put}{load}s_waitcnt vmcnt(0)\nv_mov_b32_e32 v2, v9");
        assert_eq!(chip.values(&both).unwrap()[7], 0x4000_3c00);
        let low =
            format!("{put}buffer_load_d16_b16 v9, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)\nv_cvt_f32_f16_e32 v2, v9.l");
        assert_eq!(chip.values(&low).unwrap()[7], 1.0_f32.to_bits());
        let other = low.replace("v9.l", "v9.h");
        assert!(chip.values(&other).is_err(), "nothing was ever written there");
    }
}

#[test]
fn the_halves_of_a_wave_change_places() {
    let [narrow, wide] = both("rx7900xtx");
    let code = "v_mov_b32_e32 v4, v0\nv_and_b32_e32 v4, 63, v4\nv_mov_b32_e32 v2, 7\nv_permlane64_b32 v2, v4";
    let values = wide.values(code).unwrap();
    assert_eq!((values[0], values[31], values[32], values[63]), (32, 63, 0, 31));
    assert_eq!(narrow.values(code).unwrap()[5], 7, "nothing happens in a wave of 32 lanes");
}

#[test]
fn compared_values_follow_the_new_value() {
    for chip in both("rx7900xtx") {
        let code = "v_mov_b32_e32 v4, 5\nds_store_b32 v1, v4\nv_mov_b32_e32 v5, 9\nv_mov_b32_e32 v6, 5\n\
                    ds_cmpstore_rtn_b32 v7, v1, v5, v6\nds_load_b32 v2, v1\ns_waitcnt lgkmcnt(0)";
        assert_eq!(chip.values_with_lds(512, code).unwrap()[3], 9);
    }
}

#[test]
fn m0_and_the_register_that_is_zero_have_changed_places() {
    for chip in both("rx7900xtx") {
        assert_eq!(chip.scalar("s_mov_b32 m0, 77\ns_mov_b32 s20, m0"), Ok(77));
        assert_eq!(chip.scalar("s_mov_b32 m0, 77\ns_mov_b32 null, 5\ns_mov_b32 s20, null"), Ok(0));
        let lane = "v_mov_b32_e32 v2, v0\ns_mov_b32 m0, 3\ns_mov_b32 s20, 99\nv_writelane_b32 v2, s20, m0";
        assert_eq!(chip.values(lane).unwrap()[2..5], [2, 99, 4]);
    }
}

#[test]
fn long_forms_read_other_lanes() {
    for chip in both("rx7900xtx") {
        let lanes = "v_mov_b32_e32 v4, v0\nv_mov_b32_e32 v5, 1\nv_mov_b32_e32 v6, 0\n";
        let code = format!("{lanes}v_add3_u32_e64_dpp v2, v4, v5, v6 row_xmask:1 row_mask:0xf bank_mask:0xf");
        assert_eq!(chip.values(&code).unwrap()[..4], [2, 1, 4, 3]);
    }
}

#[test]
fn a_message_brings_the_time() {
    for chip in both("rx7900xtx") {
        let read =
            |pair: &str| format!("s_sendmsg_rtn_b64 {pair}, sendmsg(MSG_RTN_GET_REALTIME)\ns_waitcnt lgkmcnt(0)\n");
        let code = format!("{}s_sleep 100\n{}s_sub_u32 s20, s10, s8", read("s[8:9]"), read("s[10:11]"));
        let ticks = chip.scalar(&code).unwrap();
        // 6,400 cycles of 2,526 MHz in ticks of 100 MHz.
        assert!((250..270).contains(&ticks), "{ticks}");
    }
}

#[test]
fn a_register_of_twenty_bits_counts_cycles() {
    for chip in both("rx7900xtx") {
        let read = |register: &str| format!("s_getreg_b32 {register}, hwreg(HW_REG_SHADER_CYCLES, 0, 20)\n");
        let code = format!("{}s_sleep 5\n{}s_sub_u32 s20, s9, s8\ns_and_b32 s20, s20, 0xfffff", read("s8"), read("s9"));
        let paused = chip.scalar(&code).unwrap();
        assert!((4 * 64..5 * 64 + 12).contains(&paused), "{paused}");
        assert!(chip.scalar(&read("s20")).unwrap() < 1 << 20);
    }
}

#[test]
fn the_middle_of_three_is_found_from_either_side() {
    for chip in both("rx7900xtx") {
        let of = |code: &str| with_values(4, &[7, 3, 5], code);
        let floats = |code: &str| with_values(4, &[0x40e0_0000, 0x4040_0000, 0x40a0_0000], code);
        check(
            &chip,
            &[
                (&of("v_maxmin_u32 v2, v4, v5, v6"), 5),
                (&of("v_minmax_i32 v2, v4, v5, v6"), 5),
                (&of("v_minmax_u32 v2, v5, v6, v4"), 7),
                (&floats("v_maxmin_f32 v2, v4, v5, v6"), 5.0_f32.to_bits()),
                (&floats("v_minmax_f32 v2, v5, v4, v6"), 5.0_f32.to_bits()),
            ],
        );
    }
}
