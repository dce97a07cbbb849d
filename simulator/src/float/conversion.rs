//! Conversions between the floating-point formats.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", VOP1 and VOP2 opcode tables.

use crate::float::format::Format;
use crate::float::half::{half_of, of_half};
use crate::float::precision::{Float16, Float32, Float64};
use crate::state::mode::Mode;

/// Rounded to nearest, infinite where it overflows.
#[inline(always)]
pub(crate) fn to_half(a: u32, mode: &Mode) -> u32 {
    let a = Float32::flush(a, mode.flush32);
    if Float32::is_nan(a) {
        return a >> 16 & 0x8000 | 0x7e00 | a >> 13 & 0x3ff;
    }
    Float16::settle(f64::from(f32::from_bits(a)), [0; 3], mode.flush16)
}

/// Rounded toward zero.
#[inline(always)]
pub(crate) fn to_half_toward_zero(a: u32, mode: &Mode) -> u32 {
    let a = Float32::flush(a, mode.flush32);
    if Float32::is_nan(a) {
        return a >> 16 & 0x8000 | 0x7e00 | a >> 13 & 0x3ff;
    }
    let value = f64::from(f32::from_bits(a));
    if value.is_infinite() {
        return half_of(value);
    }
    let nearest = half_of(value);
    // One step back where rounding went away from zero; infinity is one step beyond the largest number.
    let is_beyond = of_half(nearest).abs() > value.abs();
    Float16::flush(if is_beyond { nearest - 1 } else { nearest }, mode.flush16)
}

#[inline(always)]
pub(crate) fn of_half_bits(a: u32, mode: &Mode) -> u32 {
    let a = Float16::flush(a, mode.flush16);
    if Float16::is_nan(a) {
        return (a & 0x8000) << 16 | 0x7fc0_0000 | (a & 0x3ff) << 13;
    }
    Float32::flush((of_half(a) as f32).to_bits(), mode.flush32)
}

#[inline(always)]
pub(crate) fn of_double(a: u64, mode: &Mode) -> u32 {
    let a = Float64::flush(a, mode.flush64);
    if Float64::is_nan(a) {
        return (a >> 32) as u32 & 0x8000_0000 | 0x7fc0_0000 | (a >> 29) as u32 & 0x7f_ffff;
    }
    Float32::flush((f64::from_bits(a) as f32).to_bits(), mode.flush32)
}

#[inline(always)]
pub(crate) fn to_double(a: u32, mode: &Mode) -> u64 {
    let a = Float32::flush(a, mode.flush32);
    if Float32::is_nan(a) {
        return u64::from(a & 0x8000_0000) << 32 | 0x7ff8 << 48 | u64::from(a & 0x7f_ffff) << 29;
    }
    f64::from(f32::from_bits(a)).to_bits()
}
