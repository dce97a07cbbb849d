//! What vector instructions compute beyond what compiled kernels show: constants, modifiers, media instructions. The values are worked
//! out by hand from the sources that the code cites.

use gcn_tests::chip;

use super::{check, problem, with_values};

/// MODE's IEEE bit off.
const WITHOUT_IEEE: &str = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 9, 1), 0\n";
/// Denormals of single precision flushed, of half and double precision kept: the mode that these kernels start in, said aloud.
const ALL_FLUSHED: &str = "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 4), 0\n";

/// Moves of dwords into the registers from v3 on.
fn with(values: &[u32], code: &str) -> String {
    with_values(3, values, code)
}

#[test]
fn packed_instructions_read_constants_as_the_hardware_does() {
    let chip = chip("vega10", "");
    check(
        &chip,
        &[
            // −3 is 0xfffffffd: the high half is multiplied by −1 unless OP_SEL_HI takes the low one; 7 is 0x00000007.
            (&with(&[0x0005_0004], "v_pk_mul_lo_u16 v2, v3, -3 op_sel_hi:[1,0]"), 0xfff1_fff4),
            (&with(&[0x0005_0004], "v_pk_mul_lo_u16 v2, v3, -3"), 0xfffb_fff4),
            (&with(&[0x0005_0004], "v_pk_add_u16 v2, v3, 7"), 0x0005_000b),
            (&with(&[0x0005_0004], "v_pk_add_u16 v2, v3, 7 op_sel_hi:[1,0]"), 0x000c_000b),
            // 1.0 is 0x3f800000 for integers, 0x00003c00 for floating-point numbers.
            (&with(&[0x0005_0004], "v_pk_add_u16 v2, v3, 1.0"), 0x3f85_0004),
            (&with(&[0x4000_4000], "v_pk_add_f16 v2, v3, 1.0"), 0x4000_4200),
            (&with(&[0x4000_4000], "v_pk_add_f16 v2, v3, 1.0 op_sel_hi:[1,0]"), 0x4200_4200),
            (&with(&[0x0102_0304], "v_pk_lshlrev_b16 v2, 4, v3"), 0x0102_3040),
        ],
    );
}

#[test]
fn integers_of_64_bits_extend_their_literal() {
    let chip = chip("fiji", "");
    let compare = |kind: &str, literal: &str, low: u32, high: u32| {
        let code = format!("v_cmp_eq_{kind}_e32 vcc, {literal}, v[3:4]\nv_cndmask_b32_e64 v2, 0, 1, vcc");
        chip.values(&with(&[low, high], &code)).unwrap()[0]
    };
    assert_eq!(compare("u64", "0x12345678", 0x1234_5678, 0), 1);
    assert_eq!(compare("i64", "0x12345678", 0x1234_5678, 0), 1);
    assert_eq!(compare("u64", "0x80000001", 0x8000_0001, 0), 1, "zeros above");
    assert_eq!(compare("i64", "0xffffffff80000001", 0x8000_0001, u32::MAX), 1, "the sign above");
    assert_eq!(compare("f64", "0x40080000", 0, 0x4008_0000), 1, "the high half of a floating-point number");
}

#[test]
fn output_modifiers_follow_the_mode() {
    let chip = chip("fiji", "");
    let add = |mode: &str, values: [u32; 2], modifier: &str| {
        let code = format!("{mode}v_add_f32_e64 v2, v3, v4 {modifier}");
        chip.values(&with(&values, &code)).unwrap()[0]
    };
    let [one, minus_zero, tiny] = [0x3f80_0000, 0x8000_0000, 0x0080_0000];
    assert_eq!(add("", [one, one], "mul:2"), 0x4000_0000, "ignored with the IEEE bit");
    assert_eq!(add(WITHOUT_IEEE, [one, one], "mul:2"), 0x4080_0000);
    assert_eq!(add(WITHOUT_IEEE, [one, one], "mul:4"), 0x4100_0000);
    assert_eq!(add(WITHOUT_IEEE, [one, one], "div:2"), one);
    let keeps = format!("{WITHOUT_IEEE}s_setreg_imm32_b32 hwreg(HW_REG_MODE, 4, 2), 3\n");
    assert_eq!(add(&keeps, [one, one], "mul:2"), 0x4000_0000, "ignored where results may be denormals");
    assert_eq!(add(WITHOUT_IEEE, [minus_zero, minus_zero], ""), minus_zero);
    assert_eq!(add(WITHOUT_IEEE, [minus_zero, minus_zero], "mul:2"), 0, "-0 becomes +0");
    assert_eq!(add(WITHOUT_IEEE, [tiny, minus_zero], "div:2"), 0, "what becomes a denormal is flushed");
    // Half and double precision have their own mode of denormals.
    let half = |mode: &str| chip.values(&with(&[0x3c00], &format!("{mode}v_add_f16_e64 v2, v3, v3 mul:2"))).unwrap()[0];
    assert_eq!((half(WITHOUT_IEEE), half(&format!("{WITHOUT_IEEE}{ALL_FLUSHED}"))), (0x4000, 0x4400));
    let double = |mode: &str| {
        let code = format!("{mode}v_add_f64 v[5:6], v[3:4], v[3:4] mul:2\nv_mov_b32_e32 v2, v6");
        chip.values(&with(&[0, 0x3ff0_0000], &code)).unwrap()[0]
    };
    assert_eq!((double(WITHOUT_IEEE), double(&format!("{WITHOUT_IEEE}{ALL_FLUSHED}"))), (0x4000_0000, 0x4010_0000));
}

#[test]
fn differences_are_summed() {
    let [a, b] = [0x10_20_30_40, 0x11_00_35_3c];
    // By byte: 1, 0x20, 5, 4; without the byte where the reference is 0: 1, 5, 4.
    let cases = [
        (with(&[a, b, 7], "v_sad_u8 v2, v3, v4, v5"), 0x2a + 7),
        (with(&[a, b, 7], "v_msad_u8 v2, v3, v4, v5"), 0x0a + 7),
        (with(&[0x0010_fff0, 0x0020_0001, 5], "v_sad_u16 v2, v3, v4, v5"), 0x10 + 0xffef + 5),
        (with(&[0x0010_fff0, 0x0020_0001, u32::MAX], "v_sad_u16 v2, v3, v4, v5"), 0x10 + 0xffef - 1),
        (with(&[0x0010_fff0, 0x0020_0001], "v_sad_u16 v2, v3, v4, -1"), 0x10 + 0xffef - 1),
    ];
    check(&chip("tahiti", ""), &cases.each_ref().map(|(code, expected)| (code.as_str(), *expected)));
    // Windows of 0x…_08070605_04030201: 04030201, 05040302, 06050403, 07060504; against 01000302.
    let quad = |name: &str, of: u32| {
        let values = [0x0403_0201, 0x0807_0605, 0x0100_0302, 0xfffe_0100, 0x0300_0200];
        with(&values, &format!("{name} v[8:9], v[3:4], v5, v[6:7]\nv_mov_b32_e32 v2, v{of}"))
    };
    // 04030201: 3 + 3 + 1 + 1 = 8; 05040302: 4 + 4 = 8; 06050403: 5 + 5 + 1 + 1 = 12; 07060504: 6 + 6 + 2 + 2 = 16.
    let cases = [
        (quad("v_qsad_pk_u16_u8", 8), 0x0006_0108),
        (quad("v_qsad_pk_u16_u8", 9), 0x0310_020c),
        // Without the byte where the reference is 0: 5, 4, 7, 10.
        (quad("v_mqsad_pk_u16_u8", 8), 0x0002_0105),
        (quad("v_mqsad_pk_u16_u8", 9), 0x030a_0207),
    ];
    check(&chip("hawaii", ""), &cases.each_ref().map(|(code, expected)| (code.as_str(), *expected)));
    for (register, expected) in [(10, 0x105), (11, 0x204), (12, 0x307), (13, 9)] {
        let values = [0x0403_0201, 0x0807_0605, 0x0100_0302, 0x100, 0x200, 0x300, u32::MAX];
        let code = format!("v_mqsad_u32_u8 v[10:13], v[3:4], v5, v[6:9]\nv_mov_b32_e32 v2, v{register}");
        check(&chip("fiji", ""), &[(&with(&values, &code), expected)]);
    }
    // Every sum is known that needs the low dword alone.
    let code = "v_mqsad_u32_u8 v[10:13], v[3:4], v3, v[3:6]\nv_mov_b32_e32 v2, v10";
    check(&chip("fiji", ""), &[(&with(&[1], code), 1)]);
}

#[test]
fn conversions_pack_rounded_values() {
    let [quarter, minus_quarter, tenth, minus_two, nan] =
        [0x3e80_0000, 0xbe80_0000, 0x3dcc_cccd, 0xc000_0000, 0x7fc0_0000];
    let packed = |name: &str, a: u32, b: u32| with(&[a, b], &format!("{name} v2, v3, v4"));
    // 0.25 × 32767 = 8191.75, 0.1 × 32767 = 3276.7, 0.25 × 65535 = 16383.75, 0.1 × 65535 = 6553.5: the double of 0.1 is a little more.
    let cases = [
        (packed("v_cvt_pknorm_i16_f32", quarter, minus_quarter), 0xe000_2000),
        (packed("v_cvt_pknorm_i16_f32", tenth, minus_two), 0x8001_0ccd),
        (packed("v_cvt_pknorm_u16_f32", quarter, minus_quarter), 0x0000_4000),
        (packed("v_cvt_pknorm_u16_f32", tenth, nan), 0x0000_199a),
        // Byte 2 of 0x11223344 becomes 2: 2.5 is rounded to even.
        (with(&[0x4020_0000, 2, 0x1122_3344], "v_cvt_pk_u8_f32 v2, v3, v4, v5"), 0x1102_3344),
        (with(&[0x4395_0000, 7, 0x1122_3344], "v_cvt_pk_u8_f32 v2, v3, v4, v5"), 0xff22_3344),
        (with(&[minus_two, 0, 0x1122_3344], "v_cvt_pk_u8_f32 v2, v3, v4, v5"), 0x1122_3300),
        (with(&[0x4060_0000, 1], "v_mov_b32_e32 v2, 0x11223344\nv_cvt_pkaccum_u8_f32 v2, v3, v4"), 0x1122_0444),
    ];
    for name in ["tahiti", "fiji", "vega10"] {
        let cases: Vec<_> = cases.iter().map(|(code, expected)| (code.as_str(), *expected)).collect();
        // GCN 1.0 has the two-source ones in VOP2, later ones in VOP3; the text is the same.
        check(&chip(name, ""), &cases);
    }
    let vega = chip("vega10", "");
    // Half 0.1 is 0x2e66: times 32767 it is 3275.9, times 65535 6552.0.
    check(
        &vega,
        &[
            (&packed("v_cvt_pknorm_i16_f16", 0x2e66, 0xbc00), 0x8001_0ccc),
            (&packed("v_cvt_pknorm_u16_f16", 0x2e66, 0x3c00), 0xffff_1998),
            (&with(&[0xbc00], "v_cvt_norm_i16_f16_e32 v2, v3"), 0x8001),
            (&with(&[0x3800], "v_cvt_norm_u16_f16_e32 v2, v3"), 0x8000),
            (&with(&[0xff85_012c], "v_sat_pk_u8_i16_e32 v2, v3"), 0x0000_00ff),
            (&with(&[0x0085_ff00], "v_sat_pk_u8_i16_e32 v2, v3"), 0x0000_8500),
        ],
    );
}

#[test]
fn cube_maps_have_six_faces() {
    let [one, two, three] = [0x3f80_0000_u32, 0x4000_0000, 0x4040_0000];
    let minus = 0x8000_0000;
    let faces = [
        // x, y, z; face, s, t, twice the longest axis.
        ([three, one, two], [0, two | minus, one | minus, 0x40c0_0000]),
        ([three | minus, one, two], [one, two, one | minus, 0xc0c0_0000]),
        ([one, three, two], [two, one, two, 0x40c0_0000]),
        ([one, three | minus, two], [three, one, two | minus, 0xc0c0_0000]),
        ([one, two, three], [0x4080_0000, one, two | minus, 0x40c0_0000]),
        ([one, two, three | minus], [0x40a0_0000, one | minus, two | minus, 0xc0c0_0000]),
        // z before y before x.
        ([one, one, one], [0x4080_0000, one, one | minus, two]),
        ([one, one, 0], [two, one, 0, two]),
    ];
    for name in ["tahiti", "vega10"] {
        let chip = chip(name, "");
        for (direction, expected) in faces {
            for (result, expected) in ["id", "sc", "tc", "ma"].iter().zip(expected) {
                check(&chip, &[(&with(&direction, &format!("v_cube{result}_f32 v2, v3, v4, v5")), expected)]);
            }
        }
    }
}

#[test]
fn trigonometric_arguments_meet_their_bits_of_two_over_pi() {
    let part = |exponent: u32, segment: u32, register: u32| {
        let code = format!("v_trig_preop_f64 v[6:7], v[3:4], v5\nv_mov_b32_e32 v2, v{register}");
        with(&[0, exponent << 20, segment], &code)
    };
    // 2/π = 0.a2f9836e4e4415 2 9fc2757…: 53 bits are a2f9836e4e4415 and the first bit (0) of 2.
    let cases = [
        (part(1023, 0, 7), 0x3fe4_5f30),
        (part(1023, 0, 6), 0x6dc9_c882),
        // 53 bits further on: 0xa53f84eafa3ea69 … × 2^-107, whose first bit is set.
        (part(1023, 1, 7), 0x3c94_a7f0),
        (part(1023, 1, 6), 0x9d5f_47d4),
    ];
    for name in ["tahiti", "fiji"] {
        check(&chip(name, ""), &cases.each_ref().map(|(code, expected)| (code.as_str(), *expected)));
    }
}

#[test]
fn mixed_precision_reads_halves_and_singles() {
    let chip = chip("vega10", "");
    // 0x4200_3c00: 3 above 1; 0x40a0_0000: 5; 0x4080_0000: 4.
    let values = [0x4200_3c00, 0x40a0_0000, 0x4080_0000];
    let mixed = |code: &str| with(&values, &format!("v_mov_b32_e32 v2, 0x11112222\n{code}"));
    check(
        &chip,
        &[
            (&mixed("v_mad_mix_f32 v2, v3, v4, v5 op_sel_hi:[1,0,0]"), 0x4110_0000),
            (&mixed("v_mad_mix_f32 v2, v3, v4, v5 op_sel:[1,0,0] op_sel_hi:[1,0,0]"), 0x4198_0000),
            (&mixed("v_mad_mix_f32 v2, -v3, |v4|, -v5 op_sel_hi:[1,0,0]"), 0xc110_0000),
            (&mixed("v_mad_mix_f32 v2, v3, v4, 1.0 op_sel_hi:[1,0,0]"), 0x40c0_0000),
            (&mixed("v_mad_mixlo_f16 v2, v3, v4, v5 op_sel_hi:[1,0,0]"), 0x1111_4880),
            (&mixed("v_mad_mixhi_f16 v2, v3, v4, v5 op_sel_hi:[1,0,0]"), 0x4880_2222),
            (&mixed("v_mad_mixlo_f16 v2, v3, v4, v5 op_sel_hi:[1,0,0] clamp"), 0x1111_3c00),
        ],
    );
    // Whether 2 is a denormal of half or of single precision no source says.
    problem(chip.values(&mixed("v_mad_mix_f32 v2, v3, v4, 2 op_sel_hi:[1,0,0]")));
}

#[test]
fn integers_saturate_with_clamp() {
    let cases = [
        (with(&[0xffff_fff0, 0x20], "v_add_u32_e64 v2, vcc, v3, v4 clamp"), u32::MAX),
        (with(&[0x10, 0x20], "v_sub_u32_e64 v2, vcc, v3, v4 clamp"), 0),
        (with(&[0x10, 0x20], "v_subrev_u32_e64 v2, vcc, v3, v4 clamp"), 0x10),
        (with(&[0x10, 0x20], "v_sub_u32_e64 v2, vcc, v3, v4 clamp\nv_cndmask_b32_e64 v2, 0, 1, vcc"), 1),
        (with(&[0xfff0, 0x20], "v_add_u16_e64 v2, v3, v4 clamp"), 0xffff),
        (with(&[0x10, 0x20], "v_sub_u16_e64 v2, v3, v4 clamp"), 0),
        (with(&[0x100, 0x100, 1], "v_mad_u16 v2, v3, v4, v5 clamp"), 0xffff),
        (with(&[0xff00, 0x100, 1], "v_mad_i16 v2, v3, v4, v5 clamp"), 0x8000),
        (with(&[0xff_ffff, 0xff_ffff, 1], "v_mad_u32_u24 v2, v3, v4, v5 clamp"), u32::MAX),
        (with(&[0x80_0000, 0x7f_ffff, 1], "v_mad_i32_i24 v2, v3, v4, v5 clamp"), 0x8000_0000),
        (with(&[0, 0x10, u32::MAX], "v_sad_u32 v2, v3, v4, v5 clamp"), u32::MAX),
    ];
    check(&chip("fiji", ""), &cases.each_ref().map(|(code, expected)| (code.as_str(), *expected)));
    let cases = [
        (with(&[0xffff_fff0, 0x20], "v_add_u32_e64 v2, v3, v4 clamp"), u32::MAX),
        (with(&[0x7fff_fff0, 0x20], "v_add_i32 v2, v3, v4 clamp"), 0x7fff_ffff),
        (with(&[0x8000_0000, 0x20], "v_sub_i32 v2, v3, v4 clamp"), 0x8000_0000),
        (with(&[0x7ff0_fff0, 0x0020_0020], "v_pk_add_u16 v2, v3, v4 clamp"), 0x8010_ffff),
        (with(&[0x7ff0_fff0, 0x0020_0020], "v_pk_add_i16 v2, v3, v4 clamp"), 0x7fff_0010),
        (with(&[0x0010_fff0, 0x0020_0020], "v_pk_sub_u16 v2, v3, v4 clamp"), 0x0000_ffd0),
    ];
    check(&chip("vega10", ""), &cases.each_ref().map(|(code, expected)| (code.as_str(), *expected)));
    // Of this one no source says it.
    problem(
        chip("fiji", "")
            .values(&with(&[1, 2, 3, 4], "v_mad_u64_u32 v[7:8], vcc, v3, v4, v[5:6] clamp\nv_mov_b32_e32 v2, v7")),
    );
}
