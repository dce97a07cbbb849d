//! What CDNA 4 added, in single instructions. The values are worked out by hand from the sources that the code cites.

use gcn_tests::chip;

use super::{check, cycles, problem, with_values};

fn with(values: &[u32], code: &str) -> String {
    with_values(4, values, code)
}

fn bits(value: f32) -> u32 {
    value.to_bits()
}

#[test]
fn numbers_of_eight_and_sixteen_bits_are_those_of_ocp() {
    let kept = |code: &str| format!("v_mov_b32_e32 v2, 0x12345678\n{}", with(&[bits(1.0), bits(-3.0)], code));
    check(
        &chip("mi355x", ""),
        &[
            // 1 where CDNA 3 has 0.5; a NaN where it has −0.
            (&with(&[0x38c0_4038], "v_cvt_f32_fp8_e32 v2, v4"), bits(1.0)),
            (&with(&[0x0000_0080], "v_cvt_f32_fp8_e32 v2, v4"), bits(-0.0)),
            (&kept("v_cvt_pk_fp8_f32 v2, v4, v5"), 0x1234_c438),
            (&with(&[0x1234_3f80], "v_cvt_f32_bf16_e32 v2, v4"), bits(1.0)),
            // Half way to the even one, and below half way.
            (&with(&[0x3f81_8000, 0x4049_0fdb], "v_cvt_pk_bf16_f32 v2, v4, v5"), 0x4049_3f82),
            (&with(&[bits(1.0), bits(-2.0)], "v_cvt_pk_f16_f32 v2, v4, v5"), 0xc000_3c00),
            // 1 × 3 + 2 × 4 + 1.
            (&with(&[0x4000_3f80, 0x4080_4040, bits(1.0)], "v_dot2_f32_bf16 v2, v4, v5, v6"), bits(12.0)),
        ],
    );
}

#[test]
fn integers_are_combined_by_a_table_shifted_and_drawn() {
    let three = [0xff00_f0f0, 0x0ff0_cccc, 0x00ff_aaaa];
    let kept = |code: &str| format!("v_mov_b32_e32 v2, 0x12345678\n{}", with(&[0x1000, 0xffff_fe00_u32, 4], code));
    check(
        &chip("mi355x", ""),
        &[
            (&with(&three, "v_bitop3_b32 v2, v4, v5, v6 bitop3:0x96"), three[0] ^ three[1] ^ three[2]),
            (&with(&three, "v_bitop3_b32 v2, v4, v5, v6 bitop3:0x80"), three[0] & three[1] & three[2]),
            (&with(&three, "v_bitop3_b32 v2, v4, v5, v6 bitop3:0xf0"), three[0]),
            (&kept("v_ashr_pk_i8_i32 v2, v4, v5, v6"), 0x1234_e07f),
            (&kept("v_ashr_pk_u8_i32 v2, v4, v5, v6"), 0x1234_00ff),
            (&with(&[0x8000_0001], "v_prng_b32_e32 v2, v4"), 2 ^ 197),
            (&with(&[0x4000_0001], "v_prng_b32_e32 v2, v4"), 0x8000_0002),
        ],
    );
}

#[test]
fn the_least_and_the_most_of_three_are_no_number_if_any_is_none() {
    let numbers = [1.0, -2.0, 3.0].map(bits);
    let with_nan = [bits(1.0), 0x7fc0_0000, bits(3.0)];
    check(
        &chip("mi355x", ""),
        &[
            (&with(&numbers, "v_maximum3_f32 v2, v4, v5, v6"), bits(3.0)),
            (&with(&numbers, "v_minimum3_f32 v2, v4, v5, v6"), bits(-2.0)),
            (&with(&with_nan, "v_maximum3_f32 v2, v4, v5, v6"), 0x7fc0_0000),
            (&with(&[0x4000_3c00, 0x3c00_4000, 0x4200_c000], "v_pk_maximum3_f16 v2, v4, v5, v6"), 0x4200_4000),
        ],
    );
}

#[test]
fn rows_of_lanes_change_places_between_registers() {
    let chip = chip("mi355x", "");
    let lanes = |code: &str| {
        let moved = "v_mov_b32_e32 v2, v0\nv_add_u32_e32 v3, 100, v0\ns_nop 1\n";
        chip.values(&format!("{moved}{code}")).unwrap_or_else(|error| panic!("{error}"))
    };
    let first = lanes("v_permlane32_swap_b32_e32 v2, v3");
    assert!((0..64).all(|lane| first[lane as usize] == if lane < 32 { lane } else { lane + 68 }), "{first:?}");
    let second = lanes("v_permlane32_swap_b32_e32 v2, v3\ns_nop 1\nv_mov_b32_e32 v2, v3");
    assert!((0..64).all(|lane| second[lane as usize] == if lane < 32 { lane + 32 } else { lane + 100 }), "{second:?}");
    let rows = lanes("v_permlane16_swap_b32_e32 v2, v3");
    let expected = |lane: u32| if lane & 16 == 0 { lane } else { lane + 84 };
    assert!((0..64).all(|lane| rows[lane as usize] == expected(lane)), "{rows:?}");
}

#[test]
fn results_without_exact_bits_are_unknown() {
    let chip = chip("mi355x", "");
    for code in
        ["v_cvt_scalef32_pk_fp8_f32 v2, v4, v5, v6", "v_cvt_sr_bf16_f32 v2, v4, v5", "v_cvt_sr_fp8_f32 v2, v4, v5"]
    {
        let code = with(&[bits(1.0); 3], code);
        assert!(problem(chip.values(&code)).contains("unknown"), "{code}");
    }
    let transposed = "v_lshlrev_b32_e32 v3, 3, v0\nv_mov_b32_e32 v4, 1\nv_mov_b32_e32 v5, 1\nds_write_b64 v3, v[4:5]\n\
                      s_waitcnt lgkmcnt(0)\nds_read_b64_tr_b16 v[6:7], v3\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, v6";
    assert!(problem(chip.values_with_lds(4096, transposed)).contains("unknown"));
    let plain = transposed.replace("_tr_b16", "");
    assert_eq!(chip.values_with_lds(4096, &plain).unwrap()[0], 1);
    // Zeros dealt to lanes in any way are zeros: a chain of such loads goes on.
    let zeros = transposed.replace("v4, 1\n", "v4, 0\n").replace("v5, 1\n", "v5, 0\n");
    assert_eq!(chip.values_with_lds(4096, &zeros).unwrap()[..], [0; 64]);
}

#[test]
fn loads_to_lds_have_three_and_four_dwords() {
    let chip = chip("mi355x", "");
    let code = "v_add_u32_e32 v3, 100, v0\nbuffer_store_dword v3, v1, s[4:7], 0 offen\ns_waitcnt vmcnt(0)\ns_mov_b32 m0, 0x100\n\
                v_mov_b32_e32 v5, 0\nglobal_load_lds_dwordx4 v5, s[4:5]\ns_waitcnt vmcnt(0)\nv_add_u32_e32 v4, 0x100, v1\n\
                ds_read_b32 v2, v4\ns_waitcnt lgkmcnt(0)";
    // Each lane loads the first dwords, which follow one another for each lane.
    for (code, dwords) in [(code.to_owned(), 4), (code.replace("x4", "x3"), 3)] {
        let found = chip.values_with_lds(4096, &code).unwrap_or_else(|error| panic!("{error}"));
        assert!(found.iter().zip(0..).all(|(value, lane)| *value == 100 + lane % dwords), "{found:?}");
    }
}

/// Instructions that follow one another: each holds the matrix unit for its passes.
#[test]
fn passes_follow_the_formats_of_a_and_b() {
    let chip = chip("mi355x", "");
    // There is room for one result of the longer one: it is added to, which makes it one cycle later (`accumulator_cycles`).
    for (name, results, addend, narrow, late) in [
        ("v_mfma_f32_16x16x128_f8f6f4", &["v[8:11]", "v[12:15]", "v[16:19]", "v[20:23]"][..], "0", 16, 0),
        ("v_mfma_f32_32x32x64_f8f6f4", &["v[8:23]"], "v[8:23]", 32, 1),
    ] {
        for (cbsz, blgp) in (0..5).flat_map(|cbsz| (0..5).map(move |blgp| (cbsz, blgp))) {
            let last = |format: usize| [7, 7, 5, 5, 3][format];
            let (a, b) = (last(cbsz), last(blgp));
            let one = |d: &str| format!("{name} {d}, v[0:{a}], v[0:{b}], {addend} cbsz:{cbsz} blgp:{blgp}\n");
            let several = |count: usize| results.iter().cycle().take(count).map(|d| one(d)).collect::<String>();
            let taken = cycles(&chip, &several(24)) - cycles(&chip, &several(8));
            let each = if cbsz < 2 || blgp < 2 { 2 * narrow } else { narrow };
            assert_eq!(taken, 16 * (each + late), "{}", one("D"));
        }
    }
}
