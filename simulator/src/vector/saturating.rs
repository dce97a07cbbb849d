//! Integer instructions with the clamp bit: the exact result, or the nearest number that the result's width holds.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", VOP2 and VOP3 opcode tables: "supports saturation (unsigned 16-bit integer domain)" and the like
//! on sums, differences and 16-bit products. Of the products with a dword added they say nothing; there captures of an RX 9070 show
//! that the full product and the addend saturate together (library "goc"). The carry is that of the unsaturated sum.

use crate::vector::differences;
use crate::vector::integer as plain;
use crate::vector::lanes::{Lanes, carry_dword, dword};

/// The nearest unsigned number of 16 bits.
#[inline(always)]
fn u16_of(value: i64) -> u32 {
    value.clamp(0, 0xffff) as u32
}

/// The nearest signed number of 16 bits, in the low half.
#[inline(always)]
fn i16_of(value: i64) -> u32 {
    value.clamp(-0x8000, 0x7fff) as u32 & 0xffff
}

/// The nearest unsigned number of 32 bits.
#[inline(always)]
fn u32_of(value: i64) -> u32 {
    value.clamp(0, i64::from(u32::MAX)) as u32
}

/// The nearest signed number of 32 bits.
#[inline(always)]
fn i32_of(value: i64) -> u32 {
    value.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as u32
}

/// The low half without a sign.
#[inline(always)]
fn u16_in(a: u32) -> i64 {
    i64::from(a & 0xffff)
}

/// The low half with its sign.
#[inline(always)]
fn i16_in(a: u32) -> i64 {
    i64::from(a as i16)
}

#[inline(always)]
fn sum(a: u32, b: u32, carry: bool) -> (u32, bool) {
    let (sum, carries) = plain::add_with_carry(a, b, carry);
    (if carries { u32::MAX } else { sum }, carries)
}

#[inline(always)]
fn difference(a: u32, b: u32, borrow: bool) -> (u32, bool) {
    let (difference, borrows) = plain::subtract_with_borrow(a, b, borrow);
    (if borrows { 0 } else { difference }, borrows)
}

/// The function of an instruction with the clamp bit; `None` where no source documents it.
pub(crate) fn of(name: &str) -> Option<Lanes> {
    Some(match name {
        "V_ADD_U32" | "V_ADD_CO_U32" | "V_ADD_NC_U32" => carry_dword!(|a, b, _, _, _| sum(a, b, false)),
        "V_SUB_U32" | "V_SUB_CO_U32" | "V_SUB_NC_U32" => carry_dword!(|a, b, _, _, _| difference(a, b, false)),
        "V_SUBREV_U32" | "V_SUBREV_CO_U32" | "V_SUBREV_NC_U32" => carry_dword!(|a, b, _, _, _| difference(b, a, false)),
        "V_ADDC_U32" | "V_ADDC_CO_U32" | "V_ADD_CO_CI_U32" => carry_dword!(|a, b, _, carry, _| sum(a, b, carry)),
        "V_SUBB_U32" | "V_SUBB_CO_U32" | "V_SUB_CO_CI_U32" => {
            carry_dword!(|a, b, _, borrow, _| difference(a, b, borrow))
        }
        "V_SUBBREV_U32" | "V_SUBBREV_CO_U32" | "V_SUBREV_CO_CI_U32" => {
            carry_dword!(|a, b, _, borrow, _| difference(b, a, borrow))
        }
        // Of GCN 1.4; those of this name before, with a carry, have no clamp bit.
        "V_ADD_I32" | "V_ADD_NC_I32" => dword!(|a, b, _, _| (a as i32).saturating_add(b as i32) as u32),
        "V_SUB_I32" | "V_SUB_NC_I32" => dword!(|a, b, _, _| (a as i32).saturating_sub(b as i32) as u32),
        "V_ADD_U16" | "V_ADD_NC_U16" => dword!(|a, b, _, _| u16_of(u16_in(a) + u16_in(b))),
        "V_SUB_U16" | "V_SUB_NC_U16" => dword!(|a, b, _, _| u16_of(u16_in(a) - u16_in(b))),
        "V_SUBREV_U16" => dword!(|a, b, _, _| u16_of(u16_in(b) - u16_in(a))),
        "V_MUL_LO_U16" => dword!(|a, b, _, _| u16_of(u16_in(a) * u16_in(b))),
        "V_MAD_U16" | "V_MAD_LEGACY_U16" => dword!(|a, b, c, _| u16_of(u16_in(a) * u16_in(b) + u16_in(c))),
        "V_ADD_I16" | "V_ADD_NC_I16" => dword!(|a, b, _, _| i16_of(i16_in(a) + i16_in(b))),
        "V_SUB_I16" | "V_SUB_NC_I16" => dword!(|a, b, _, _| i16_of(i16_in(a) - i16_in(b))),
        "V_MAD_I16" | "V_MAD_LEGACY_I16" => dword!(|a, b, c, _| i16_of(i16_in(a) * i16_in(b) + i16_in(c))),
        "V_MAD_U32_U16" => dword!(|a, b, c, _| u32_of(u16_in(a) * u16_in(b) + i64::from(c))),
        "V_MAD_I32_I16" => dword!(|a, b, c, _| i32_of(i16_in(a) * i16_in(b) + i64::from(c as i32))),
        "V_MAD_U32_U24" => dword!(|a, b, c, _| u32_of((plain::u24(a) * plain::u24(b)) as i64 + i64::from(c))),
        "V_MAD_I32_I24" => dword!(|a, b, c, _| i32_of(plain::i24(a) * plain::i24(b) + i64::from(c as i32))),
        name => return differences::saturating(name),
    })
}
