//! Conversions from and to numbers of 8 bits and BF16, and what else CDNA 3 and 4 added for single lanes.
//!
//! Source: AMD "CDNA3 ISA" and "CDNA4 ISA", VOP1 and VOP3 opcode tables. What overflows is infinite, or a NaN where there is no infinity: FP16_OVFL, which
//! saturates instead, is not modelled. The conversions with a scale (V_CVT_SCALEF32_*) have no function, nor has V_CVT_SR_F16_F32 and its like.
//! V_CVT_SR_FP8_F32: on gfx12 as AMD's simulator has it from an RX 9070 XT (`ROCm/rocm-systems`, `emulation/rocjitsu`, `shared/conversion.h`), which the
//! manuals' pseudocode contradicts; on CDNA, whose manuals have the same pseudocode, known where both give the same.

use crate::float::conversion;
use crate::float::format::Format;
use crate::float::precision::Float32;
use crate::float::small::SmallFormat;
use crate::state::mode::Mode;
use crate::vector::lanes::{Lanes, carry_dword, dword, two};
use crate::vector::sub_dword::Parts;
use gcn_model::isa::{EightBitFloats, VectorFacts};

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
pub(crate) fn of(name: &str, eight_bits: Option<EightBitFloats>, vector: &VectorFacts) -> Option<Lanes> {
    if let Some(eight_bits) = eight_bits
        && let Some(lanes) = of_eight_bits(name, eight_bits, vector.stochastic_sums_are_truncated)
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

/// The functions of a format, by the names of FP8.
macro_rules! of_format {
    ($name:expr, $format:expr, $is_truncated:expr) => {
        match $name {
            "V_CVT_F32_FP8" => dword!(|a, _, _, _| single($format, a)),
            "V_CVT_PK_F32_FP8" => two!(|a, _, _, _| pair_of_singles($format, a)),
            "V_CVT_PK_FP8_F32" => dword!(|a, b, _, _| pair_of_bytes($format, a, b)),
            "V_CVT_SR_FP8_F32" if $is_truncated => dword!(|a, b, _, _| $format.stochastic(f32::from_bits(a), b)),
            "V_CVT_SR_FP8_F32" => carry_dword!(|a, b, _, _, _| {
                let cut = $format.stochastic(f32::from_bits(a), b);
                (cut, cut == $format.stochastic_of_text(f32::from_bits(a), b))
            }),
            _ => return None,
        }
    };
}

fn of_eight_bits(name: &str, eight_bits: EightBitFloats, is_truncated: bool) -> Option<Lanes> {
    let of_fp8 = name.replacen("BF8", "FP8", 1);
    Some(match (name.contains("BF8"), eight_bits) {
        (false, EightBitFloats::Fnuz) => of_format!(&*of_fp8, SmallFormat::FP8_FNUZ, is_truncated),
        (false, EightBitFloats::Ocp) => of_format!(&*of_fp8, SmallFormat::FP8, is_truncated),
        (true, EightBitFloats::Fnuz) => of_format!(&*of_fp8, SmallFormat::BF8_FNUZ, is_truncated),
        (true, EightBitFloats::Ocp) => of_format!(&*of_fp8, SmallFormat::BF8, is_truncated),
    })
}

/// Whether an instruction's bits say in which lanes its result is known.
pub(crate) fn says_what_is_known(name: &str, vector: &VectorFacts) -> bool {
    matches!(name, "V_CVT_SR_FP8_F32" | "V_CVT_SR_BF8_F32") && !vector.stochastic_sums_are_truncated
}

/// Whether it reads parts of a source that only SDWA selects, so that the other ways to select or change them have no meaning.
pub(crate) fn reads_bytes(name: &str) -> bool {
    matches!(name, "V_CVT_F32_FP8" | "V_CVT_F32_BF8" | "V_CVT_PK_F32_FP8" | "V_CVT_PK_F32_BF8")
}

/// Which byte OP_SEL picks in the VOP3 form.
///
/// Source: AMD "CDNA3 ISA" and "RDNA4 ISA", VOP1 and VOP3 opcode tables: of the source the bits are reversed.
pub(crate) fn parts(name: &str, op_sel: [bool; 4]) -> Option<Parts> {
    let byte = |high: bool, low: bool| u8::from(high) << 1 | u8::from(low);
    match name {
        "V_CVT_F32_FP8" | "V_CVT_F32_BF8" if op_sel[..2] != [false; 2] => {
            Some(Parts::of_source_byte(byte(op_sel[0], op_sel[1])))
        }
        "V_CVT_SR_FP8_F32" | "V_CVT_SR_BF8_F32" => Some(Parts::of_result_byte(byte(op_sel[3], op_sel[2]))),
        _ => None,
    }
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
