//! Conversions from and to numbers of 8 bits and BF16, and what else CDNA 3 and 4 added for single lanes.
//!
//! Source: AMD "CDNA3 ISA" and "CDNA4 ISA", VOP1 and VOP3 opcode tables. What overflows is infinite, or a NaN where there is no infinity: FP16_OVFL, which
//! saturates instead, is not modelled. The conversions with stochastic rounding (V_CVT_SR_*) and with a scale (V_CVT_SCALEF32_*) have no function.

use crate::float::conversion;
use crate::float::format::Format;
use crate::float::precision::Float32;
use crate::float::small::SmallFormat;
use crate::state::mode::Mode;
use crate::vector::lanes::{Lanes, dword, two};
use gcn_model::isa::EightBitFloats;

/// A byte as a number of single precision.
#[inline(always)]
fn single(format: SmallFormat, bits: u32) -> u32 {
    let value = format.number(bits & 0xff);
    if value.is_nan() { 0x7fc0_0000 } else { value.to_bits() }
}

#[inline(always)]
fn pair_of_singles(format: SmallFormat, bits: u64) -> u64 {
    u64::from(single(format, bits as u32)) | u64::from(single(format, bits as u32 >> 8)) << 32
}

#[inline(always)]
fn pair_of_bytes(format: SmallFormat, a: u32, b: u32) -> u32 {
    format.nearest(f32::from_bits(a)) | format.nearest(f32::from_bits(b)) << 8
}

/// The nearest number of BF16, the even one of two.
#[inline(always)]
fn bf16(a: u32, mode: &Mode) -> u32 {
    let a = Float32::flush(a, mode.flush32);
    if Float32::is_nan(a) {
        return a >> 16 | 0x40;
    }
    a.wrapping_add(0x7fff + (a >> 16 & 1)) >> 16
}

/// A shifted number, as the nearest that a byte holds.
#[inline(always)]
fn shifted(a: u32, shift: u32, least: i32, most: i32) -> u32 {
    (a as i32 >> (shift & 31)).clamp(least, most) as u32 & 0xff
}

/// The function of an instruction.
pub(crate) fn of(name: &str, eight_bits: Option<EightBitFloats>) -> Option<Lanes> {
    if let Some(eight_bits) = eight_bits
        && let Some(lanes) = of_eight_bits(name, eight_bits)
    {
        return Some(lanes);
    }
    Some(match name {
        "V_CVT_F32_BF16" => dword!(|a, _, _, mode| Float32::flush(a << 16, mode.flush32)),
        "V_CVT_PK_BF16_F32" => dword!(|a, b, _, mode| bf16(a, mode) | bf16(b, mode) << 16),
        "V_CVT_PK_F16_F32" => {
            dword!(|a, b, _, mode| conversion::to_half(a, mode) | conversion::to_half(b, mode) << 16)
        }
        "V_ASHR_PK_I8_I32" => dword!(|a, b, c, _| shifted(a, c, -128, 127) | shifted(b, c, -128, 127) << 8),
        "V_ASHR_PK_U8_I32" => dword!(|a, b, c, _| shifted(a, c, 0, 255) | shifted(b, c, 0, 255) << 8),
        "V_PRNG_B32" => dword!(|a, _, _, _| a << 1 ^ if a >> 31 == 1 { 197 } else { 0 }),
        _ => return None,
    })
}

fn of_eight_bits(name: &str, eight_bits: EightBitFloats) -> Option<Lanes> {
    Some(match (name, eight_bits) {
        ("V_CVT_F32_FP8", EightBitFloats::Fnuz) => dword!(|a, _, _, _| single(SmallFormat::FP8_FNUZ, a)),
        ("V_CVT_F32_FP8", EightBitFloats::Ocp) => dword!(|a, _, _, _| single(SmallFormat::FP8, a)),
        ("V_CVT_F32_BF8", EightBitFloats::Fnuz) => dword!(|a, _, _, _| single(SmallFormat::BF8_FNUZ, a)),
        ("V_CVT_F32_BF8", EightBitFloats::Ocp) => dword!(|a, _, _, _| single(SmallFormat::BF8, a)),
        ("V_CVT_PK_F32_FP8", EightBitFloats::Fnuz) => two!(|a, _, _, _| pair_of_singles(SmallFormat::FP8_FNUZ, a)),
        ("V_CVT_PK_F32_FP8", EightBitFloats::Ocp) => two!(|a, _, _, _| pair_of_singles(SmallFormat::FP8, a)),
        ("V_CVT_PK_F32_BF8", EightBitFloats::Fnuz) => two!(|a, _, _, _| pair_of_singles(SmallFormat::BF8_FNUZ, a)),
        ("V_CVT_PK_F32_BF8", EightBitFloats::Ocp) => two!(|a, _, _, _| pair_of_singles(SmallFormat::BF8, a)),
        ("V_CVT_PK_FP8_F32", EightBitFloats::Fnuz) => dword!(|a, b, _, _| pair_of_bytes(SmallFormat::FP8_FNUZ, a, b)),
        ("V_CVT_PK_FP8_F32", EightBitFloats::Ocp) => dword!(|a, b, _, _| pair_of_bytes(SmallFormat::FP8, a, b)),
        ("V_CVT_PK_BF8_F32", EightBitFloats::Fnuz) => dword!(|a, b, _, _| pair_of_bytes(SmallFormat::BF8_FNUZ, a, b)),
        ("V_CVT_PK_BF8_F32", EightBitFloats::Ocp) => dword!(|a, b, _, _| pair_of_bytes(SmallFormat::BF8, a, b)),
        _ => return None,
    })
}

/// Whether it reads parts of a source that only SDWA selects, so that the other ways to select or change them have no meaning.
pub(crate) fn reads_bytes(name: &str) -> bool {
    matches!(name, "V_CVT_F32_FP8" | "V_CVT_F32_BF8" | "V_CVT_PK_F32_FP8" | "V_CVT_PK_F32_BF8")
}

/// Whether the result is two bytes, in the half of the register that OP_SEL names, where the other one is kept.
pub(crate) fn writes_half(name: &str) -> bool {
    matches!(name, "V_CVT_PK_FP8_F32" | "V_CVT_PK_BF8_F32" | "V_ASHR_PK_I8_I32" | "V_ASHR_PK_U8_I32")
}

/// Whether the result is two numbers, of which no source says how they are clamped.
pub(crate) fn packs_floats(name: &str) -> bool {
    matches!(
        name,
        "V_CVT_PK_FP8_F32"
            | "V_CVT_PK_BF8_F32"
            | "V_CVT_PK_BF16_F32"
            | "V_CVT_PK_F16_F32"
            | "V_CVT_PK_F32_FP8"
            | "V_CVT_PK_F32_BF8"
    )
}
