//! Vector instructions of floating-point numbers, and conversions.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", VOP1, VOP2 and VOP3 opcode tables; V_CVT_PK_I16_F32 of AMD "RDNA3 ISA" rounds toward zero, as an RX 9070 XT
//! does (`ROCm/rocm-systems`, `emulation/rocjitsu`, `shared/conversion.h`). Reciprocals, square roots, logarithms and the like
//! are approximations whose bits no manual gives: they have no function here. Their results are unknown, or those of
//! [`approximate`](crate::vector::approximate) where these are asked for. The one exception is V_RCP_IFLAG_F32, which only integer
//! division is made of: its expansions correct any answer inside the manual's 1 ulp, of which the correctly rounded one is given.

use crate::float::conversion;
use crate::float::division;
use crate::float::format::Format;
use crate::float::half::half_of;
use crate::float::precision::{Float16, Float32, Float64};
use crate::float::two_over_pi;
use crate::vector::lanes::{Lanes, carry_dword, carry_two, dword, fuses, two};

const BIT_63: u64 = 1 << 63;

fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

fn d(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The function of an instruction of single precision.
pub(crate) fn of_single(name: &str) -> Option<Lanes> {
    // Long: a table, with an arm for each name.
    Some(match name {
        "V_ADD_F32" => dword!(|a, b, _, mode| Float32::add(a, b, mode)),
        "V_SUB_F32" => dword!(|a, b, _, mode| Float32::subtract(a, b, mode)),
        "V_SUBREV_F32" => dword!(|a, b, _, mode| Float32::subtract(b, a, mode)),
        "V_MUL_F32" => dword!(|a, b, _, mode| Float32::multiply(a, b, mode)),
        "V_MUL_LEGACY_F32" | "V_MUL_DX9_ZERO_F32" => dword!(|a, b, _, mode| Float32::multiply_legacy(a, b, mode)),
        // V_MADMK and V_MADAK have their operands in the order in which they are multiplied and added.
        "V_MAD_F32" | "V_MAC_F32" | "V_MADAK_F32" => dword!(|a, b, c, _| Float32::multiply_add(a, b, c)),
        "V_MADMK_F32" => dword!(|a, b, c, _| Float32::multiply_add(a, b, c)),
        // Where the host has no such instruction, double precision is faster than what takes its place.
        "V_FMA_F32" | "V_FMAC_F32" | "V_FMAAK_F32" | "V_FMAMK_F32" if fuses() => {
            dword!(|a, b, c, mode| Float32::fused_by(f32::mul_add, [a, b, c], mode))
        }
        "V_FMA_F32" | "V_FMAC_F32" | "V_FMAAK_F32" | "V_FMAMK_F32" => {
            dword!(|a, b, c, mode| Float32::fused(a, b, c, mode))
        }
        // Zero times anything is zero.
        "V_FMA_LEGACY_F32" | "V_FMAC_LEGACY_F32" => dword!(|a, b, c, mode| Float32::fused_legacy(a, b, c, mode)),
        "V_TRUNC_F32" => dword!(|a, _, _, mode| Float32::truncate(a, mode)),
        "V_CEIL_F32" => dword!(|a, _, _, mode| Float32::ceiling(a, mode)),
        "V_RNDNE_F32" => dword!(|a, _, _, mode| Float32::nearest(a, mode)),
        "V_FLOOR_F32" => dword!(|a, _, _, mode| Float32::floor(a, mode)),
        "V_FRACT_F32" => dword!(|a, _, _, mode| Float32::fraction(a, mode)),
        "V_LDEXP_F32" => dword!(|a, b, _, mode| Float32::scale(a, b, mode)),
        "V_FREXP_EXP_I32_F32" => dword!(|a, _, _, mode| Float32::exponent(a, mode) as u32),
        "V_FREXP_MANT_F32" => dword!(|a, _, _, mode| Float32::mantissa(a, mode)),
        "V_RCP_IFLAG_F32" => dword!(|a, _, _, mode| Float32::one(a, mode, |a| 1.0 / a)),
        "V_DIV_SCALE_F32" => carry_dword!(|a, b, c, _, mode| division::scale32(a, b, c, mode)),
        "V_DIV_FMAS_F32" => {
            carry_dword!(|a, b, c, flag, mode| (division::fused::<Float32>([a, b, c], flag, 64, mode), false))
        }
        "V_DIV_FIXUP_F32" => dword!(|a, b, c, mode| division::fixup::<Float32>([a, b, c], -150, mode)),
        "V_CVT_F32_I32" => dword!(|a, _, _, _| (a as i32 as f32).to_bits()),
        "V_CVT_F32_U32" => dword!(|a, _, _, _| (a as f32).to_bits()),
        "V_CVT_U32_F32" => dword!(|a, _, _, _| f(a) as u32),
        "V_CVT_I32_F32" => dword!(|a, _, _, _| f(a) as i32 as u32),
        // The sum is rounded, too (LLVM selects it for that).
        "V_CVT_RPI_I32_F32" => dword!(|a, _, _, _| (f(a) + 0.5).floor() as i32 as u32),
        "V_CVT_FLR_I32_F32" => dword!(|a, _, _, _| f(a).floor() as i32 as u32),
        "V_CVT_OFF_F32_I4" => dword!(|a, _, _, _| (((a << 28) as i32 >> 28) as f32 / 16.0).to_bits()),
        "V_CVT_F32_UBYTE0" => dword!(|a, _, _, _| ((a & 0xff) as f32).to_bits()),
        "V_CVT_F32_UBYTE1" => dword!(|a, _, _, _| ((a >> 8 & 0xff) as f32).to_bits()),
        "V_CVT_F32_UBYTE2" => dword!(|a, _, _, _| ((a >> 16 & 0xff) as f32).to_bits()),
        "V_CVT_F32_UBYTE3" => dword!(|a, _, _, _| ((a >> 24) as f32).to_bits()),
        "V_CVT_F16_F32" => dword!(|a, _, _, mode| conversion::to_half(a, mode)),
        "V_CVT_F32_F16" => dword!(|a, _, _, mode| conversion::of_half_bits(a, mode)),
        "V_CVT_PKRTZ_F16_F32" => {
            dword!(|a, b, _, mode| conversion::to_half_toward_zero(a, mode)
                | conversion::to_half_toward_zero(b, mode) << 16)
        }
        "V_CVT_PK_U16_U32" => dword!(|a, b, _, _| a.min(0xffff) | b.min(0xffff) << 16),
        "V_CVT_PK_I16_F32" => dword!(|a, b, _, _| u32::from(f(a) as i16 as u16) | u32::from(f(b) as i16 as u16) << 16),
        "V_CVT_PK_U16_F32" => dword!(|a, b, _, _| u32::from(f(a) as u16) | u32::from(f(b) as u16) << 16),
        "V_CVT_PK_I16_I32" => {
            dword!(|a, b, _, _| {
                let of = |value: u32| u32::from((value as i32).clamp(-0x8000, 0x7fff) as u16);
                of(a) | of(b) << 16
            })
        }
        _ => return None,
    })
}

/// The function of an instruction of double precision.
pub(crate) fn of_double(name: &str) -> Option<Lanes> {
    Some(match name {
        "V_ADD_F64" => two!(|a, b, _, mode| Float64::add(a, b, mode)),
        "V_MUL_F64" => two!(|a, b, _, mode| Float64::multiply(a, b, mode)),
        "V_FMA_F64" | "V_FMAC_F64" => two!(|a, b, c, mode| Float64::fused(a, b, c, mode)),
        "V_TRUNC_F64" => two!(|a, _, _, mode| Float64::truncate(a, mode)),
        "V_CEIL_F64" => two!(|a, _, _, mode| Float64::ceiling(a, mode)),
        "V_RNDNE_F64" => two!(|a, _, _, mode| Float64::nearest(a, mode)),
        "V_FLOOR_F64" => two!(|a, _, _, mode| Float64::floor(a, mode)),
        "V_FRACT_F64" => two!(|a, _, _, mode| Float64::fraction(a, mode)),
        "V_LDEXP_F64" => two!(|a, b, _, mode| Float64::scale(a, b as u32, mode)),
        "V_FREXP_EXP_I32_F64" => two!(|a, _, _, mode| u64::from(Float64::exponent(a, mode) as u32)),
        "V_FREXP_MANT_F64" => two!(|a, _, _, mode| Float64::mantissa(a, mode)),
        "V_DIV_SCALE_F64" => carry_two!(|a, b, c, _, mode| division::scale64(a, b, c, mode)),
        "V_DIV_FMAS_F64" => {
            carry_two!(|a, b, c, flag, mode| (division::fused::<Float64>([a, b, c], flag, 128, mode), false))
        }
        "V_DIV_FIXUP_F64" => two!(|a, b, c, mode| division::fixup::<Float64>([a, b, c], -1075, mode)),
        "V_TRIG_PREOP_F64" => two!(|a, b, _, mode| two_over_pi::part(a, b, mode)),
        "V_CVT_I32_F64" => two!(|a, _, _, _| u64::from(d(a) as i32 as u32)),
        "V_CVT_U32_F64" => two!(|a, _, _, _| u64::from(d(a) as u32)),
        "V_CVT_F64_I32" => two!(|a, _, _, _| f64::from(a as u32 as i32).to_bits()),
        "V_CVT_F64_U32" => two!(|a, _, _, _| f64::from(a as u32).to_bits()),
        "V_CVT_F32_F64" => two!(|a, _, _, mode| u64::from(conversion::of_double(a, mode))),
        "V_CVT_F64_F32" => two!(|a, _, _, mode| conversion::to_double(a as u32, mode)),
        _ => return None,
    })
}

/// The function of an instruction of half precision; the upper bits of the result are zero.
pub(crate) fn of_half_precision(name: &str) -> Option<Lanes> {
    Some(match name {
        "V_ADD_F16" => dword!(|a, b, _, mode| Float16::add(a, b, mode)),
        "V_SUB_F16" => dword!(|a, b, _, mode| Float16::subtract(a, b, mode)),
        "V_SUBREV_F16" => dword!(|a, b, _, mode| Float16::subtract(b, a, mode)),
        "V_MUL_F16" => dword!(|a, b, _, mode| Float16::multiply(a, b, mode)),
        "V_MAD_F16" | "V_MAC_F16" | "V_MADAK_F16" | "V_MADMK_F16" | "V_MAD_LEGACY_F16" => {
            dword!(|a, b, c, _| Float16::multiply_add(a, b, c))
        }
        "V_FMA_F16" | "V_FMAC_F16" | "V_FMA_LEGACY_F16" | "V_FMAAK_F16" | "V_FMAMK_F16" => {
            dword!(|a, b, c, mode| Float16::fused(a, b, c, mode))
        }
        "V_TRUNC_F16" => dword!(|a, _, _, mode| Float16::truncate(a, mode)),
        "V_CEIL_F16" => dword!(|a, _, _, mode| Float16::ceiling(a, mode)),
        "V_RNDNE_F16" => dword!(|a, _, _, mode| Float16::nearest(a, mode)),
        "V_FLOOR_F16" => dword!(|a, _, _, mode| Float16::floor(a, mode)),
        "V_FRACT_F16" => dword!(|a, _, _, mode| Float16::fraction(a, mode)),
        "V_LDEXP_F16" => dword!(|a, b, _, mode| Float16::scale(a, b, mode)),
        "V_FREXP_EXP_I16_F16" => dword!(|a, _, _, mode| Float16::exponent(a, mode) as u32 & 0xffff),
        "V_FREXP_MANT_F16" => dword!(|a, _, _, mode| Float16::mantissa(a, mode)),
        "V_DIV_FIXUP_F16" | "V_DIV_FIXUP_LEGACY_F16" => {
            dword!(|a, b, c, mode| division::fixup::<Float16>([a, b, c], i32::MIN, mode))
        }
        "V_CVT_F16_U16" => dword!(|a, _, _, _| half_of(f64::from(a & 0xffff))),
        "V_CVT_F16_I16" => dword!(|a, _, _, _| half_of(f64::from(a as i16))),
        "V_CVT_U16_F16" => dword!(|a, _, _, mode| u32::from(Float16::read(a, mode) as u16)),
        "V_CVT_I16_F16" => dword!(|a, _, _, mode| u32::from(Float16::read(a, mode) as i16 as u16)),
        _ => return None,
    })
}

/// The sign bit of a number of this many bits.
pub(crate) fn sign_of(bits: u8) -> u64 {
    match bits {
        16 => 0x8000,
        32 => u64::from(Float32::SIGN),
        _ => BIT_63,
    }
}
