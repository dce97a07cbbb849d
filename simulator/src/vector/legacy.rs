//! Products of Direct3D 9, where zero times anything is zero.
//!
//! Source: AMD "Southern Islands ISA", VOP2 and VOP3 opcode tables, for V_MAD_LEGACY_F32 and V_MAC_LEGACY_F32; AMD "RDNA2 ISA" and "RDNA4 ISA",
//! V_MULLIT_F32, whose text has that rule and whose pseudocode has it not: what they contradict each other about is unknown.

use crate::float::format::Format;
use crate::float::precision::Float32;
use crate::state::mode::Mode;
use crate::vector::lanes::{Lanes, carry_dword, dword};

/// The function of an instruction.
pub(crate) fn of(name: &str) -> Option<Lanes> {
    Some(match name {
        "V_MAD_LEGACY_F32" | "V_MAC_LEGACY_F32" => dword!(|a, b, c, _| multiply_add(a, b, c)),
        "V_MULLIT_F32" => carry_dword!(|a, b, c, _, mode| lit(a, b, c, mode)),
        _ => return None,
    })
}

/// Whether an instruction's bits say in which lanes its result is known.
pub(crate) fn says_what_is_known(name: &str) -> bool {
    name == "V_MULLIT_F32"
}

/// Rounded after the product and after the sum, without denormals.
#[inline(always)]
fn multiply_add(a: u32, b: u32, c: u32) -> u32 {
    let is_zero = Float32::positive_zero(a) == 0 || Float32::positive_zero(b) == 0;
    let product = if is_zero { 0 } else { Float32::two(a, b, true, |a, b| a * b) };
    Float32::two(product, c, true, |product, c| product + c)
}

/// A product of lighting, and whether it is known.
#[inline(always)]
fn lit(a: u32, b: u32, c: u32, mode: &Mode) -> (u32, bool) {
    const LEAST: u32 = f32::MIN.to_bits();
    let (factor, shine) = (Float32::read(b, mode), Float32::read(c, mode));
    if factor <= f32::MIN || factor.is_nan() || shine <= 0.0 || shine.is_nan() {
        return (LEAST, true);
    }
    let product = Float32::multiply(a, b, mode);
    (product, product == Float32::multiply_legacy(a, b, mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_times_anything_is_zero() {
        let of = |a: f32, b: f32, c: f32| f32::from_bits(multiply_add(a.to_bits(), b.to_bits(), c.to_bits()));
        assert_eq!(of(0.0, f32::INFINITY, 2.0), 2.0);
        assert_eq!(of(f32::NAN, -0.0, 2.0), 2.0);
        // A denormal is zero.
        assert_eq!(of(1.0e-40, f32::INFINITY, 3.0), 3.0);
        assert_eq!(of(1.5, 4.0, 1.0), 7.0);
        // Rounded twice: the product of 1 + 2^-23 and itself loses 2^-46.
        let above = 1.0 + f32::EPSILON;
        assert_eq!(of(above, above, -1.0 - 2.0 * f32::EPSILON), 0.0);
    }

    #[test]
    fn light_is_the_least_number_where_nothing_shines() {
        let mode = Mode::starting(0xf0, "gfx11");
        let of = |a: f32, b: f32, c: f32| {
            let (value, is_known) = lit(a.to_bits(), b.to_bits(), c.to_bits(), &mode);
            is_known.then_some(f32::from_bits(value))
        };
        for (b, c) in
            [(f32::MIN, 1.0), (f32::NEG_INFINITY, 1.0), (f32::NAN, 1.0), (2.0, 0.0), (2.0, -1.0), (2.0, f32::NAN)]
        {
            assert_eq!(of(3.0, b, c), Some(f32::MIN), "{b} {c}");
        }
        assert_eq!(of(3.0, -2.0, 1.0), Some(-6.0));
        assert_eq!(of(0.0, 2.0, 1.0), Some(0.0));
        // The text has +0, the pseudocode −0 and a NaN.
        assert_eq!([of(0.0, -2.0, 1.0), of(0.0, f32::INFINITY, 1.0)], [None; 2]);
    }
}
