//! Sums of absolute differences of bytes and words.
//!
//! Source: AMD "Vega ISA" and "MI300 ISA", VOP3 opcode tables (V_SAD_*, V_MSAD_U8, V_QSAD_*, V_MQSAD_*). With clamp each sum stops at
//! the largest number of its width: no manual says more than "integer clamp"; captures of an RX 9070 show this, in the tests of the
//! library "goc".

use crate::vector::lanes::{Lanes, dword, two};

/// The sum of the differences of the four bytes; with `is_masked` without those where the byte of `b`, the reference, is 0.
#[inline(always)]
pub(crate) fn of_bytes(a: u32, b: u32, is_masked: bool) -> u32 {
    (0..4)
        .map(|byte| (a >> (8 * byte) & 0xff, b >> (8 * byte) & 0xff))
        .fold(0, |sum, (a, b)| if is_masked && b == 0 { sum } else { sum + a.abs_diff(b) })
}

/// The sum of the differences of the two words.
#[inline(always)]
fn of_words(a: u32, b: u32) -> u32 {
    (a & 0xffff).abs_diff(b & 0xffff) + (a >> 16).abs_diff(b >> 16)
}

/// The four bytes of `a` from byte `first` on.
#[inline(always)]
fn window(a: u64, first: u32) -> u32 {
    (a >> (8 * first)) as u32
}

/// For each of the four windows of `a` the differences from `b`, added to a word of `c`.
#[inline(always)]
fn quad(a: u64, b: u64, c: u64, is_masked: bool, saturates: bool) -> u64 {
    (0..4).fold(0, |result, first| {
        let sum = (c >> (16 * first)) as u32 & 0xffff;
        let sum = sum + of_bytes(window(a, first), b as u32, is_masked);
        let sum = if saturates { sum.min(0xffff) } else { sum & 0xffff };
        result | u64::from(sum) << (16 * first)
    })
}

/// Dword `first` of the result of V_MQSAD_U32_U8.
#[inline(always)]
pub(crate) fn masked_quad(a: u64, b: u32, c: u32, first: u32) -> u32 {
    of_bytes(window(a, first), b, true).wrapping_add(c)
}

/// The function of an instruction.
pub(crate) fn of(name: &str) -> Option<Lanes> {
    Some(match name {
        "V_SAD_U8" => dword!(|a, b, c, _| of_bytes(a, b, false).wrapping_add(c)),
        "V_SAD_HI_U8" => dword!(|a, b, c, _| (of_bytes(a, b, false) << 16).wrapping_add(c)),
        "V_MSAD_U8" => dword!(|a, b, c, _| of_bytes(a, b, true).wrapping_add(c)),
        "V_SAD_U16" => dword!(|a, b, c, _| of_words(a, b).wrapping_add(c)),
        "V_SAD_U32" => dword!(|a, b, c, _| a.abs_diff(b).wrapping_add(c)),
        "V_QSAD_U8" | "V_QSAD_PK_U16_U8" => two!(|a, b, c, _| quad(a, b, c, false, false)),
        "V_MQSAD_U8" | "V_MQSAD_PK_U16_U8" => two!(|a, b, c, _| quad(a, b, c, true, false)),
        _ => return None,
    })
}

/// With the clamp bit.
pub(crate) fn saturating(name: &str) -> Option<Lanes> {
    Some(match name {
        "V_SAD_U8" => dword!(|a, b, c, _| of_bytes(a, b, false).saturating_add(c)),
        "V_SAD_HI_U8" => dword!(|a, b, c, _| (of_bytes(a, b, false) << 16).saturating_add(c)),
        "V_MSAD_U8" => dword!(|a, b, c, _| of_bytes(a, b, true).saturating_add(c)),
        "V_SAD_U16" => dword!(|a, b, c, _| of_words(a, b).saturating_add(c)),
        "V_SAD_U32" => dword!(|a, b, c, _| a.abs_diff(b).saturating_add(c)),
        "V_QSAD_PK_U16_U8" => two!(|a, b, c, _| quad(a, b, c, false, true)),
        "V_MQSAD_PK_U16_U8" => two!(|a, b, c, _| quad(a, b, c, true, true)),
        _ => return None,
    })
}
