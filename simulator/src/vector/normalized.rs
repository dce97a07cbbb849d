//! Conversions to small and to normalized integers.
//!
//! Source: AMD "Vega ISA" and "MI300 ISA", VOP1, VOP2 and VOP3 opcode tables (f32_to_snorm, f32_to_u8 and the like). How they round the
//! manuals leave to MODE; nearest even, NaN as 0 and −1 as −32767 are what captures of an RX 9070 show (library "goc"). The model
//! executes no other rounding mode.

use crate::float::format::Format;
use crate::float::half::of_half;
use crate::float::precision::{Float16, Float32};
use crate::state::mode::Mode;
use crate::vector::lanes::{Lanes, dword};

/// A number of single precision; NaN as 0.
#[inline(always)]
fn single(bits: u32, mode: &Mode) -> f64 {
    let bits = Float32::flush(bits, mode.flush32);
    if Float32::is_nan(bits) { 0.0 } else { f64::from(f32::from_bits(bits)) }
}

/// A number of half precision; NaN as 0.
#[inline(always)]
fn half(bits: u32, mode: &Mode) -> f64 {
    let bits = Float16::flush(bits, mode.flush16);
    if Float16::is_nan(bits) { 0.0 } else { of_half(bits) }
}

/// −1 to 1 as −32767 to 32767, in the low half. The product is exact, so this rounds once.
#[inline(always)]
fn signed(value: f64) -> u32 {
    (value.clamp(-1.0, 1.0) * 32767.0).round_ties_even() as i32 as u32 & 0xffff
}

/// 0 to 1 as 0 to 65535.
#[inline(always)]
fn unsigned(value: f64) -> u32 {
    (value.clamp(0.0, 1.0) * 65535.0).round_ties_even() as u32
}

/// Byte `b` of `c` replaced by the number.
#[inline(always)]
fn byte_in(value: f64, b: u32, c: u32) -> u32 {
    let shift = 8 * (b & 3);
    let byte = value.clamp(0.0, 255.0).round_ties_even() as u32;
    c & !(0xff << shift) | byte << shift
}

/// The nearest unsigned number of 8 bits.
#[inline(always)]
fn byte_of(value: u32) -> u32 {
    i32::from(value as i16).clamp(0, 255) as u32
}

/// The function of an instruction.
pub(crate) fn of(name: &str) -> Option<Lanes> {
    Some(match name {
        // The one replaces a byte of its third source, the other one of its destination, which comes last here.
        "V_CVT_PK_U8_F32" | "V_CVT_PKACCUM_U8_F32" => dword!(|a, b, c, mode| byte_in(single(a, mode), b, c)),
        "V_CVT_PKNORM_I16_F32" => dword!(|a, b, _, mode| signed(single(a, mode)) | signed(single(b, mode)) << 16),
        "V_CVT_PKNORM_U16_F32" => dword!(|a, b, _, mode| unsigned(single(a, mode)) | unsigned(single(b, mode)) << 16),
        "V_CVT_PKNORM_I16_F16" => dword!(|a, b, _, mode| signed(half(a, mode)) | signed(half(b, mode)) << 16),
        "V_CVT_PKNORM_U16_F16" => dword!(|a, b, _, mode| unsigned(half(a, mode)) | unsigned(half(b, mode)) << 16),
        "V_CVT_NORM_I16_F16" => dword!(|a, _, _, mode| signed(half(a, mode))),
        "V_CVT_NORM_U16_F16" => dword!(|a, _, _, mode| unsigned(half(a, mode))),
        "V_SAT_PK_U8_I16" => dword!(|a, _, _, _| byte_of(a) | byte_of(a >> 16) << 8),
        _ => return None,
    })
}
