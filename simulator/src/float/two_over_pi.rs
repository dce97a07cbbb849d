//! V_TRIG_PREOP_F64: 53 bits of 2/π from a place on, which the argument's exponent and a segment number choose.
//!
//! Source: AMD "Vega ISA" and "MI300 ISA", VOP3 opcode table: 1201 bits of 2/π, then zeros. A capture of an RX 9070 shows 1184 bits there
//! (library "goc"); that is another generation, and reducing an argument reads no segment that reaches so far.

use crate::float::format::Format;
use crate::float::precision::Float64;
use crate::float::scaling::scaled;
use crate::state::mode::Mode;

/// How many bits there are.
const BITS: u32 = 1201;

/// 2/π, the bit that stands for 1/2 first.
const TWO_OVER_PI: [u64; 19] = [
    0xa2f9_836e_4e44_1529,
    0xfc27_57d1_f534_ddc0,
    0xdb62_9599_3c43_9041,
    0xfe51_63ab_debb_c561,
    0xb724_6e3a_424d_d2e0,
    0x0649_2eea_09d1_921c,
    0xfe1d_eb1c_b129_a73e,
    0xe882_35f5_2ebb_4484,
    0xe99c_7026_b45f_7e41,
    0x3991_d639_8353_39f4,
    0x9c84_5f8b_bdf9_283b,
    0x1ff8_97ff_de05_980f,
    0xef2f_118b_5a0a_6d1f,
    0x6d36_7ecf_27cb_09b7,
    0x4f46_3f66_9e5f_ea2d,
    0x7527_bac7_ebe5_f17b,
    0x3d07_39f7_8a52_92ea,
    0x6bfb_5fb1_1f8d_5d08,
    0x5603_3046_fc7b_6bab,
];

/// 53 bits from bit `first` on.
fn bits(first: u32) -> u64 {
    (first..first + 53).fold(0, |found, bit| {
        let is_set = bit < BITS && TWO_OVER_PI[bit as usize / 64] >> (63 - bit % 64) & 1 == 1;
        found << 1 | u64::from(is_set)
    })
}

/// The part of 2/π that segment `b` of argument `a` needs.
pub(crate) fn part(a: u64, b: u64, mode: &Mode) -> u64 {
    let exponent = (a >> 52) as u32 & 0x7ff;
    let first = 53 * (b as u32 & 31) + exponent.saturating_sub(1077);
    // Large arguments would make a denormal of the bits that the product with them needs.
    let scale = if exponent >= 1968 { 128 } else { 0 } - 53 - first as i32;
    Float64::flush(scaled(bits(first) as f64, scale).to_bits(), mode.flush64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_make_up_two_over_pi() {
        let mode = Mode::starting(0xf0, "gfx9");
        let of = |a: f64, segment: u64| f64::from_bits(part(a.to_bits(), segment, &mode));
        assert!((of(1.0, 0) - std::f64::consts::FRAC_2_PI).abs() <= 2.0_f64.powi(-53));
        assert_eq!(of(1.0, 0) + of(1.0, 1), std::f64::consts::FRAC_2_PI);
        // The first 24 bits are 0xa2f983, the next 0x6e4e44: an argument of 2^(54 + 24) begins with those.
        assert_eq!((of(2.0_f64.powi(78), 0) * 2.0_f64.powi(24 + 24)).floor(), f64::from(0x6e_4e44));
        // From 1968 on the result is larger by 2^128.
        assert!(part(1967 << 52, 0, &mode) >> 52 < 1023 - 890);
        assert!(part(1968 << 52, 0, &mode) >> 52 > 1023 - 891);
        // Beyond the last bit there is nothing: 891 + 53 × 6 is more than 1201.
        assert!(part(1968 << 52, 5, &mode) > 0);
        assert_eq!(part(1968 << 52, 6, &mode), 0);
    }
}
