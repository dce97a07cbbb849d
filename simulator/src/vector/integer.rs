//! Vector instructions of integers and bits.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", VOP1, VOP2 and VOP3 opcode tables. A shift uses the low 5 bits of its amount (6 of
//! 64 bits, 4 of 16 bits).

use crate::vector::lanes::{Lanes, carry_dword, carry_two, dword, map, two};

/// 24 bits with their sign.
#[inline(always)]
pub(crate) fn i24(a: u32) -> i64 {
    i64::from((a << 8) as i32 >> 8)
}

/// 24 bits.
#[inline(always)]
pub(crate) fn u24(a: u32) -> u64 {
    u64::from(a & 0xff_ffff)
}

/// The bits from `b` on, `c` of them.
#[inline(always)]
fn field(a: u32, b: u32, c: u32) -> u32 {
    let (offset, width) = (b & 31, c & 31);
    a >> offset & ((1_u32 << width) - 1)
}

/// The same, with their sign.
#[inline(always)]
fn signed_field(a: u32, b: u32, c: u32) -> u32 {
    let (offset, width) = (b & 31, c & 31);
    if width == 0 {
        return 0;
    }
    // Beyond bit 31 there is the sign.
    let shifted = i64::from(a as i32) >> offset;
    (shifted << (64 - width) >> (64 - width)) as u32
}

#[inline(always)]
fn median<T: Ord + Copy>(a: T, b: T, c: T) -> T {
    a.min(b).max(a.max(b).min(c))
}

/// Which byte of {a, b} each byte of `c` selects.
#[inline(always)]
fn permute(a: u32, b: u32, c: u32) -> u32 {
    let both = u64::from(a) << 32 | u64::from(b);
    let sign = |bit: u32| if both >> bit & 1 == 1 { 0xff } else { 0 };
    (0..4).fold(0, |result, byte| {
        let selected = match c >> (8 * byte) & 0xff {
            select @ 0..=7 => (both >> (8 * select)) as u32 & 0xff,
            select @ 8..=11 => sign(15 + 16 * (select - 8)),
            12 => 0,
            _ => 0xff,
        };
        result | selected << (8 * byte)
    })
}

#[inline(always)]
fn count_leading(a: u32) -> u32 {
    if a == 0 { u32::MAX } else { a.leading_zeros() }
}

/// How many bits from the top on are like the sign; −1 if all are.
#[inline(always)]
fn count_sign(a: u32) -> u32 {
    count_leading(if a as i32 >= 0 { a } else { !a })
}

#[inline(always)]
pub(crate) fn add_with_carry(a: u32, b: u32, carry: bool) -> (u32, bool) {
    let sum = u64::from(a) + u64::from(b) + u64::from(carry);
    (sum as u32, sum >> 32 != 0)
}

#[inline(always)]
pub(crate) fn subtract_with_borrow(a: u32, b: u32, borrow: bool) -> (u32, bool) {
    let difference = u64::from(a).wrapping_sub(u64::from(b)).wrapping_sub(u64::from(borrow));
    (difference as u32, difference >> 63 != 0)
}

/// Bit by bit by a table of eight bits for three sources: the first one is the highest bit of the index.
///
/// Source: LLVM 22.1 `AMDGPUISelDAGToDAG.cpp`, BitOp3_Op: 0xf0 is the first source, 0xcc the second, 0xaa the third.
#[inline(always)]
fn truth(table: u64, a: u32, b: u32, c: u32) -> u32 {
    let either = |value: u32, is_set: bool| if is_set { value } else { !value };
    (0..8)
        .filter(|row| table >> row & 1 == 1)
        .fold(0, |result, row| result | either(a, row & 4 != 0) & either(b, row & 2 != 0) & either(c, row & 1 != 0))
}

/// The function of an instruction.
pub(crate) fn of(name: &str) -> Option<Lanes> {
    // Long: a table, with an arm for each name.
    Some(match name {
        "V_MOV_B32" | "V_ACCVGPR_READ_B32" | "V_ACCVGPR_WRITE_B32" | "V_ACCVGPR_MOV_B32" => dword!(|a, _, _, _| a),
        "V_MOV_B64" => two!(|a, _, _, _| a),
        "V_LSHL_ADD_U64" => two!(|a, b, c, _| (a << (b & 7)).wrapping_add(c)),
        "V_BITOP3_B32" | "V_BITOP3_B16" => Lanes::Dword(|inputs, result| {
            let table = inputs.flags;
            map(inputs, result, |a, b, c| truth(table, a, b, c))
        }),
        "V_NOT_B32" => dword!(|a, _, _, _| !a),
        "V_BFREV_B32" => dword!(|a, _, _, _| a.reverse_bits()),
        "V_FFBH_U32" => dword!(|a, _, _, _| count_leading(a)),
        "V_FFBL_B32" => dword!(|a, _, _, _| if a == 0 { u32::MAX } else { a.trailing_zeros() }),
        "V_FFBH_I32" => dword!(|a, _, _, _| count_sign(a)),
        "V_AND_B32" => dword!(|a, b, _, _| a & b),
        "V_OR_B32" => dword!(|a, b, _, _| a | b),
        "V_XOR_B32" => dword!(|a, b, _, _| a ^ b),
        "V_XNOR_B32" => dword!(|a, b, _, _| !(a ^ b)),
        "V_LSHL_B32" => dword!(|a, b, _, _| a << (b & 31)),
        "V_LSHR_B32" => dword!(|a, b, _, _| a >> (b & 31)),
        "V_ASHR_I32" => dword!(|a, b, _, _| (a as i32 >> (b & 31)) as u32),
        "V_LSHLREV_B32" => dword!(|a, b, _, _| b << (a & 31)),
        "V_LSHRREV_B32" => dword!(|a, b, _, _| b >> (a & 31)),
        "V_ASHRREV_I32" => dword!(|a, b, _, _| (b as i32 >> (a & 31)) as u32),
        "V_LSHLREV_B64" => two!(|a, b, _, _| b << (a & 63)),
        "V_LSHRREV_B64" => two!(|a, b, _, _| b >> (a & 63)),
        "V_ASHRREV_I64" => two!(|a, b, _, _| (b as i64 >> (a & 63)) as u64),
        "V_LSHL_B64" => two!(|a, b, _, _| a << (b & 63)),
        "V_LSHR_B64" => two!(|a, b, _, _| a >> (b & 63)),
        "V_ASHR_I64" => two!(|a, b, _, _| (a as i64 >> (b & 63)) as u64),
        "V_MIN_I32" => dword!(|a, b, _, _| (a as i32).min(b as i32) as u32),
        "V_MAX_I32" => dword!(|a, b, _, _| (a as i32).max(b as i32) as u32),
        "V_MIN_U32" => dword!(|a, b, _, _| a.min(b)),
        "V_MAX_U32" => dword!(|a, b, _, _| a.max(b)),
        "V_MIN3_I32" => dword!(|a, b, c, _| (a as i32).min(b as i32).min(c as i32) as u32),
        "V_MAX3_I32" => dword!(|a, b, c, _| (a as i32).max(b as i32).max(c as i32) as u32),
        "V_MIN3_U32" => dword!(|a, b, c, _| a.min(b).min(c)),
        "V_MAX3_U32" => dword!(|a, b, c, _| a.max(b).max(c)),
        "V_MAXMIN_I32" => dword!(|a, b, c, _| (a as i32).max(b as i32).min(c as i32) as u32),
        "V_MINMAX_I32" => dword!(|a, b, c, _| (a as i32).min(b as i32).max(c as i32) as u32),
        "V_MAXMIN_U32" => dword!(|a, b, c, _| a.max(b).min(c)),
        "V_MINMAX_U32" => dword!(|a, b, c, _| a.min(b).max(c)),
        "V_CVT_I32_I16" => dword!(|a, _, _, _| i32::from(a as i16) as u32),
        "V_CVT_U32_U16" => dword!(|a, _, _, _| a & 0xffff),
        "V_MED3_I32" => dword!(|a, b, c, _| median(a as i32, b as i32, c as i32) as u32),
        "V_MED3_U32" => dword!(|a, b, c, _| median(a, b, c)),
        "V_MUL_U32_U24" => dword!(|a, b, _, _| (u24(a) * u24(b)) as u32),
        "V_MUL_HI_U32_U24" => dword!(|a, b, _, _| ((u24(a) * u24(b)) >> 32) as u32),
        "V_MUL_I32_I24" => dword!(|a, b, _, _| (i24(a) * i24(b)) as u32),
        "V_MUL_HI_I32_I24" => dword!(|a, b, _, _| ((i24(a) * i24(b)) >> 32) as u32),
        "V_MAD_U32_U24" => dword!(|a, b, c, _| ((u24(a) * u24(b)) as u32).wrapping_add(c)),
        "V_MAD_I32_I24" => dword!(|a, b, c, _| ((i24(a) * i24(b)) as u32).wrapping_add(c)),
        "V_MUL_LO_U32" | "V_MUL_LO_I32" => dword!(|a, b, _, _| a.wrapping_mul(b)),
        "V_MUL_HI_U32" => dword!(|a, b, _, _| ((u64::from(a) * u64::from(b)) >> 32) as u32),
        "V_MUL_HI_I32" => dword!(|a, b, _, _| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32),
        "V_MAD_U64_U32" => carry_two!(|a, b, c, _, _| (a * b).overflowing_add(c)),
        "V_MAD_I64_I32" => carry_two!(|a, b, c, _, _| {
            let product = i128::from(a as u32 as i32) * i128::from(b as u32 as i32);
            let sum = product + i128::from(c as i64);
            (sum as u64, sum < 0)
        }),
        "V_BFE_U32" => dword!(|a, b, c, _| field(a, b, c)),
        "V_BFE_I32" => dword!(|a, b, c, _| signed_field(a, b, c)),
        "V_BFI_B32" => dword!(|a, b, c, _| a & b | !a & c),
        "V_BFM_B32" => dword!(|a, b, _, _| ((1_u32 << (a & 31)) - 1) << (b & 31)),
        "V_BCNT_U32_B32" => dword!(|a, b, _, _| a.count_ones().wrapping_add(b)),
        "V_ALIGNBIT_B32" => dword!(|a, b, c, _| ((u64::from(a) << 32 | u64::from(b)) >> (c & 31)) as u32),
        "V_ALIGNBYTE_B32" => dword!(|a, b, c, _| ((u64::from(a) << 32 | u64::from(b)) >> (8 * (c & 3))) as u32),
        "V_PERM_B32" => dword!(|a, b, c, _| permute(a, b, c)),
        "V_LERP_U8" => dword!(|a, b, c, _| (0..4).fold(0, |result, byte| {
            let of = |value: u32| value >> (8 * byte) & 0xff;
            result | ((of(a) + of(b) + (of(c) & 1)) >> 1) << (8 * byte)
        })),
        "V_ADD_NC_U32" => dword!(|a, b, _, _| a.wrapping_add(b)),
        "V_SUB_NC_U32" => dword!(|a, b, _, _| a.wrapping_sub(b)),
        "V_SUBREV_NC_U32" => dword!(|a, b, _, _| b.wrapping_sub(a)),
        "V_ADD_NC_I32" => dword!(|a, b, _, _| a.wrapping_add(b)),
        "V_SUB_NC_I32" => dword!(|a, b, _, _| a.wrapping_sub(b)),
        "V_ADD_I32" | "V_ADD_U32" | "V_ADD_CO_U32" => carry_dword!(|a, b, _, _, _| add_with_carry(a, b, false)),
        "V_SUB_I32" | "V_SUB_U32" | "V_SUB_CO_U32" => carry_dword!(|a, b, _, _, _| subtract_with_borrow(a, b, false)),
        "V_SUBREV_I32" | "V_SUBREV_U32" | "V_SUBREV_CO_U32" => {
            carry_dword!(|a, b, _, _, _| subtract_with_borrow(b, a, false))
        }
        "V_ADDC_U32" | "V_ADDC_CO_U32" | "V_ADD_CO_CI_U32" => {
            carry_dword!(|a, b, _, carry, _| add_with_carry(a, b, carry))
        }
        "V_SUBB_U32" | "V_SUBB_CO_U32" | "V_SUB_CO_CI_U32" => {
            carry_dword!(|a, b, _, borrow, _| subtract_with_borrow(a, b, borrow))
        }
        "V_SUBBREV_U32" | "V_SUBBREV_CO_U32" | "V_SUBREV_CO_CI_U32" => {
            carry_dword!(|a, b, _, borrow, _| subtract_with_borrow(b, a, borrow))
        }
        "V_CNDMASK_B32" => carry_dword!(|a, b, _, is_second, _| (if is_second { b } else { a }, false)),
        "V_ADD3_U32" => dword!(|a, b, c, _| a.wrapping_add(b).wrapping_add(c)),
        "V_LSHL_ADD_U32" => dword!(|a, b, c, _| (a << (b & 31)).wrapping_add(c)),
        "V_ADD_LSHL_U32" => dword!(|a, b, c, _| a.wrapping_add(b) << (c & 31)),
        "V_LSHL_OR_B32" => dword!(|a, b, c, _| a << (b & 31) | c),
        "V_AND_OR_B32" => dword!(|a, b, c, _| a & b | c),
        "V_XOR3_B32" => dword!(|a, b, c, _| a ^ b ^ c),
        "V_OR3_B32" => dword!(|a, b, c, _| a | b | c),
        "V_XAD_U32" => dword!(|a, b, c, _| (a ^ b).wrapping_add(c)),
        "V_MAD_U32_U16" => dword!(|a, b, c, _| ((a & 0xffff) * (b & 0xffff)).wrapping_add(c)),
        "V_MAD_I32_I16" => {
            dword!(|a, b, c, _| (i32::from(a as i16) * i32::from(b as i16)).wrapping_add(c as i32) as u32)
        }
        _ => return None,
    })
}

/// The function of an instruction of 16 bits; the upper bits of the result are zero.
pub(crate) fn of_half(name: &str) -> Option<Lanes> {
    const LOW: u32 = 0xffff;
    Some(match name {
        "V_ADD_U16" | "V_ADD_I16" | "V_ADD_NC_U16" | "V_ADD_NC_I16" => dword!(|a, b, _, _| a.wrapping_add(b) & LOW),
        "V_SUB_U16" | "V_SUB_I16" | "V_SUB_NC_U16" | "V_SUB_NC_I16" => dword!(|a, b, _, _| a.wrapping_sub(b) & LOW),
        "V_SUBREV_U16" => dword!(|a, b, _, _| b.wrapping_sub(a) & LOW),
        "V_MUL_LO_U16" => dword!(|a, b, _, _| a.wrapping_mul(b) & LOW),
        "V_LSHLREV_B16" => dword!(|a, b, _, _| b << (a & 15) & LOW),
        "V_LSHRREV_B16" => dword!(|a, b, _, _| (b & LOW) >> (a & 15)),
        "V_ASHRREV_I16" => dword!(|a, b, _, _| (i32::from(b as i16) >> (a & 15)) as u32 & LOW),
        "V_MAX_U16" => dword!(|a, b, _, _| (a & LOW).max(b & LOW)),
        "V_MIN_U16" => dword!(|a, b, _, _| (a & LOW).min(b & LOW)),
        "V_MAX_I16" => dword!(|a, b, _, _| u32::from((a as i16).max(b as i16) as u16)),
        "V_MIN_I16" => dword!(|a, b, _, _| u32::from((a as i16).min(b as i16) as u16)),
        "V_MAD_U16" | "V_MAD_LEGACY_U16" | "V_MAD_I16" | "V_MAD_LEGACY_I16" => {
            dword!(|a, b, c, _| a.wrapping_mul(b).wrapping_add(c) & LOW)
        }
        "V_MIN3_U16" => dword!(|a, b, c, _| (a & LOW).min(b & LOW).min(c & LOW)),
        "V_MAX3_U16" => dword!(|a, b, c, _| (a & LOW).max(b & LOW).max(c & LOW)),
        "V_MED3_U16" => dword!(|a, b, c, _| median(a & LOW, b & LOW, c & LOW)),
        "V_MIN3_I16" => dword!(|a, b, c, _| u32::from((a as i16).min(b as i16).min(c as i16) as u16)),
        "V_MAX3_I16" => dword!(|a, b, c, _| u32::from((a as i16).max(b as i16).max(c as i16) as u16)),
        "V_MED3_I16" => dword!(|a, b, c, _| u32::from(median(a as i16, b as i16, c as i16) as u16)),
        "V_MOV_B16" => dword!(|a, _, _, _| a & LOW),
        "V_NOT_B16" => dword!(|a, _, _, _| !a & LOW),
        "V_AND_B16" => dword!(|a, b, _, _| a & b & LOW),
        "V_OR_B16" => dword!(|a, b, _, _| (a | b) & LOW),
        "V_XOR_B16" => dword!(|a, b, _, _| (a ^ b) & LOW),
        "V_CNDMASK_B16" => carry_dword!(|a, b, _, is_second, _| ((if is_second { b } else { a }) & LOW, false)),
        "V_PACK_B32_F16" => dword!(|a, b, _, _| a & LOW | b << 16),
        _ => return None,
    })
}
