//! What vector and matrix instructions of CDNA compute, in single instructions. The values are worked out by hand from the sources that the code cites.
//! What CDNA 4 added is in `cdna4.rs`.

use gcn_tests::chip;

use super::{check, with_values};

/// Moves of dwords into the registers from v4 on.
fn with(values: &[u32], code: &str) -> String {
    with_values(4, values, code)
}

/// The same, for an instruction whose result is the dword after v2.
fn high(values: &[u32], code: &str) -> String {
    with(values, &format!("{code}\ns_nop 7\nv_mov_b32_e32 v2, v3"))
}

fn bits(value: f32) -> u32 {
    value.to_bits()
}

#[test]
fn packed_single_precision_takes_the_dwords_that_are_selected() {
    let chip = chip("mi210", "");
    let values = [1.0, 4.0, 2.0, 0.5].map(bits);
    let add = "v_pk_add_f32 v[2:3], v[4:5], v[6:7]";
    let crossed = "v_pk_add_f32 v[2:3], v[4:5], v[6:7] op_sel:[1,0] op_sel_hi:[0,1]";
    let multiplied = "v_pk_mul_f32 v[2:3], v[4:5], 2.0 op_sel_hi:[1,0]";
    let moved = "v_pk_mov_b32 v[2:3], v[4:5], v[6:7] op_sel:[1,0]";
    let negated = "v_pk_fma_f32 v[2:3], v[4:5], v[6:7], v[6:7] neg_lo:[1,0,0] neg_hi:[0,0,1]";
    check(
        &chip,
        &[
            (&with(&values, add), bits(3.0)),
            (&high(&values, add), bits(4.5)),
            (&with(&values, crossed), bits(6.0)),
            (&high(&values, crossed), bits(1.5)),
            (&with(&values, multiplied), bits(2.0)),
            (&high(&values, multiplied), bits(8.0)),
            (&with(&values, moved), bits(4.0)),
            (&high(&values, moved), bits(2.0)),
            (&with(&values, negated), bits(0.0)),
            (&high(&values, negated), bits(1.5)),
        ],
    );
}

#[test]
fn dot_products_and_packed_halves_add_to_their_destination() {
    let chip = chip("mi100", "");
    let halves = [0x4000_3c00, 0x4400_4200];
    let one = |code: &str| format!("v_mov_b32_e32 v2, 0x3c003c00\n{}", with(&halves, code));
    check(
        &chip,
        &[
            // 1 × 3 + 1 and 2 × 4 + 1.
            (&one("v_pk_fmac_f16 v2, v4, v5"), 0x4880_4400),
            (&format!("v_mov_b32_e32 v2, 1.0\n{}", with(&halves, "v_dot2c_f32_f16_e32 v2, v4, v5")), bits(12.0)),
            // 1 × −2 + 2 × 3 + 3 × 4 + 4 × −1 + 100.
            (
                &format!(
                    "v_mov_b32_e32 v2, 100\n{}",
                    with(&[0x0403_0201, 0xff04_03fe], "v_dot4c_i32_i8_e32 v2, v4, v5")
                ),
                112,
            ),
        ],
    );
}

#[test]
fn numbers_of_eight_bits_are_those_of_the_generation() {
    let cdna3 = chip("mi300x", "");
    let byte = with(&[0x38c0_4038], "v_cvt_f32_fp8_e32 v2, v4");
    check(&cdna3, &[(&byte, bits(0.5))]);
    let packed = |kept: &str, code: &str| format!("v_mov_b32_e32 v2, {kept}\n{}", with(&[bits(1.0), bits(-3.0)], code));
    check(
        &cdna3,
        &[
            (&with(&[0x38c0_4038], "v_cvt_f32_fp8_sdwa v2, v4 src0_sel:BYTE_1"), bits(1.0)),
            (&with(&[0x0000_0080], "v_cvt_f32_fp8_e32 v2, v4"), 0x7fc0_0000),
            (&with(&[0x0000_4038], "v_cvt_pk_f32_bf8_e32 v[2:3], v4"), bits(0.25)),
            (&high(&[0x0000_4038], "v_cvt_pk_f32_bf8_e32 v[2:3], v4"), bits(1.0)),
            (&high(&[0x4038_0000], "v_cvt_pk_f32_bf8_sdwa v[2:3], v4 src0_sel:WORD_1"), bits(1.0)),
            (&packed("0x12345678", "v_cvt_pk_fp8_f32 v2, v4, v5"), 0x1234_cc40),
            (&packed("0x12345678", "v_cvt_pk_fp8_f32 v2, v4, v5 op_sel:[0,0,1]"), 0xcc40_5678),
        ],
    );
}

#[test]
fn instructions_of_64_bits_take_pairs() {
    let chip = chip("mi300x", "");
    let double = |value: f64| [value.to_bits() as u32, (value.to_bits() >> 32) as u32];
    let [one, two, three] = [1.0, 2.0, 3.0].map(double);
    let fused = format!(
        "v_mov_b32_e32 v2, {:#x}\nv_mov_b32_e32 v3, {:#x}\n{}",
        one[0],
        one[1],
        high(&[two, three].concat(), "v_fmac_f64_e32 v[2:3], v[4:5], v[6:7]")
    );
    check(
        &chip,
        &[
            (&high(&[5, 0x8000_0000, 7, 1], "v_lshl_add_u64 v[2:3], v[4:5], 1, v[6:7]"), 1),
            (&with(&[0xffff_ffff, 0, 1, 1], "v_lshl_add_u64 v[2:3], v[4:5], 0, v[6:7]"), 0),
            (&high(&[0xffff_ffff, 0, 1, 1], "v_lshl_add_u64 v[2:3], v[4:5], 0, v[6:7]"), 2),
            (&high(&[1, 2], "v_mov_b64_e32 v[2:3], v[4:5]"), 2),
            (&fused, double(7.0)[1]),
        ],
    );
}

#[test]
fn matrix_instructions_take_vgprs_agprs_and_constants() {
    let values = [bits(2.0), bits(3.0)];
    let read = "\ns_nop 7\ns_nop 7\nv_accvgpr_read_b32 v2, a1";
    // No inline constants there: LLVM's FeatureMFMAInlineLiteralBug.
    let ones = "v_mov_b32_e32 v6, 1.0\nv_accvgpr_write_b32 a0, v6\nv_accvgpr_write_b32 a1, v6\nv_accvgpr_write_b32 a2, v6\nv_accvgpr_write_b32 a3, v6\n";
    let cdna1 = with(&values, &format!("{ones}s_nop 7\nv_mfma_f32_4x4x1f32 a[0:3], v4, v5, a[0:3]{read}"));
    check(&chip("mi100", ""), &[(&cdna1, bits(7.0))]);
    let cdna3 = chip("mi300x", "");
    let written = "v_accvgpr_write_b32 a4, v4\ns_nop 7\nv_mfma_f32_4x4x1_16b_f32 v[8:11], a4, v5, 1.0\ns_nop 7\n";
    // Result and accumulators are in one file.
    let chained = "v_mfma_f32_4x4x1_16b_f32 v[8:11], v4, v5, v[8:11]\ns_nop 7\nv_mov_b32_e32 v2, v9";
    check(
        &cdna3,
        &[
            (&with(&values, &format!("{written}v_mov_b32_e32 v2, v9")), bits(7.0)),
            (&with(&values, &format!("{written}{chained}")), bits(13.0)),
            // EXEC is ignored.
            (
                &with(
                    &values,
                    "v_accvgpr_write_b32 a4, v4\ns_mov_b64 s[20:21], exec\ns_mov_b64 exec, 0\ns_nop 7\n\
                         v_mfma_f32_4x4x1_16b_f32 v[8:11], a4, v5, 1.0\ns_nop 7\ns_mov_b64 exec, s[20:21]\nv_mov_b32_e32 v2, v9",
                ),
                bits(7.0),
            ),
        ],
    );
    // A value that depends on an unwritten lane cannot be stored.
    let unknown = with(&values, "v_mfma_f32_4x4x1_16b_f32 v[8:11], v4, v12, 0\ns_nop 7\nv_mov_b32_e32 v2, v9");
    assert!(super::problem(cdna3.values(&unknown)).contains("unknown"));
}
