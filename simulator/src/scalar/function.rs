//! Scalar instructions that compute one value of their sources.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", SOP1, SOP2, SOPK and SOPC opcode tables; SCC of S_MAX: "RDNA3 ISA", "RDNA4 ISA" and "MI300 ISA", where the
//! older ones say "SCC = 1 if S0 is max" alone.

/// The sources: `old` is the destination's old value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScalarInputs {
    /// First source.
    pub a: u64,
    /// Second source.
    pub b: u64,
    /// The destination's old value.
    pub old: u64,
    pub scc: bool,
}

/// A value and SCC; `None` where SCC is left as it is.
pub(crate) type ScalarResult = (u64, Option<bool>);

/// The sources of which a part tells a part of the result: each bit of that, and SCC, is one of some bits of theirs, or whether one of them is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum InParts {
    Neither,
    /// The first one, and the destination's old value.
    First,
    /// The second one, too.
    Both,
}

/// The function of a scalar instruction.
#[derive(Clone, Copy)]
pub(crate) struct ScalarFunction {
    /// The function.
    pub compute: fn(ScalarInputs) -> ScalarResult,
    /// Whether it needs the destination's old value.
    pub reads_old: bool,
    /// Whether it needs SCC.
    pub reads_scc: bool,
    pub writes_scc: bool,
    pub in_parts: InParts,
}

fn and_is_zero(value: u64) -> ScalarResult {
    (value, Some(value != 0))
}

/// For each four bits of a mask all four, if one of them is set.
fn whole_quads(value: u64) -> u64 {
    (0..16).filter(|quad| value >> (4 * quad) & 15 != 0).fold(0, |result, quad| result | 15 << (4 * quad))
}

/// One bit for each four bits of a mask: whether one of them is set.
fn quad_mask(value: u64) -> u64 {
    (0..16).fold(0, |result, quad| result | u64::from(value >> (4 * quad) & 15 != 0) << quad)
}

fn first_one(value: u64) -> u64 {
    if value == 0 { u64::from(u32::MAX) } else { u64::from(value.trailing_zeros()) }
}

/// Position of the first one from the top of this many bits.
fn from_top(value: u64, bits: u32) -> u64 {
    if value == 0 { u64::from(u32::MAX) } else { u64::from(value.leading_zeros() + bits - 64) }
}

/// The field that `b` describes: offset in its low bits, width from bit 16 on.
fn field(a: u64, b: u64, bits: u32) -> u64 {
    let (offset, width) = (b as u32 & (bits - 1), (b >> 16) as u32 & 0x7f);
    let mask = if width >= 64 { u64::MAX } else { (1 << width) - 1 };
    a >> offset & mask
}

fn signed_field(a: i64, b: u64, bits: u32) -> u64 {
    let (offset, width) = (b as u32 & (bits - 1), (b >> 16) as u32 & 0x7f);
    match width {
        0 => 0,
        64.. => (a >> offset) as u64,
        _ => (a >> offset << (64 - width) >> (64 - width)) as u64,
    }
}

fn replicate(a: u64) -> u64 {
    (0..32).fold(0, |result, bit| result | ((a >> bit & 1) * 3) << (2 * bit))
}

impl ScalarFunction {
    /// The function of an instruction.
    pub(crate) fn of(name: &str) -> Option<Self> {
        // Long: a table, with an arm for each name.
        const LOW: u64 = 0xffff_ffff;
        const fn plain(compute: fn(ScalarInputs) -> ScalarResult) -> ScalarFunction {
            ScalarFunction {
                compute,
                reads_old: false,
                reads_scc: false,
                writes_scc: false,
                in_parts: InParts::Neither,
            }
        }
        const fn flagged(compute: fn(ScalarInputs) -> ScalarResult) -> ScalarFunction {
            ScalarFunction { writes_scc: true, ..plain(compute) }
        }
        const fn onto(compute: fn(ScalarInputs) -> ScalarResult) -> ScalarFunction {
            ScalarFunction { reads_old: true, ..plain(compute) }
        }
        const fn moving(function: ScalarFunction) -> ScalarFunction {
            ScalarFunction { in_parts: InParts::First, ..function }
        }
        const fn moving_both(function: ScalarFunction) -> ScalarFunction {
            ScalarFunction { in_parts: InParts::Both, ..function }
        }
        Some(match name {
            "S_CMOV_B32" | "S_CMOV_B64" => {
                moving_both(Self { reads_scc: true, ..onto(|s| (if s.scc { s.a } else { s.old }, None)) })
            }
            "S_CMOVK_I32" => Self {
                reads_scc: true,
                ..onto(|s| (if s.scc { s.b as u16 as i16 as u32 as u64 } else { s.old }, None))
            },
            "S_MULK_I32" => onto(|s| (u64::from((s.old as u32).wrapping_mul(s.b as u16 as i16 as u32)), None)),
            "S_NOT_B32" => moving(flagged(|s| and_is_zero(!s.a & LOW))),
            "S_NOT_B64" => moving(flagged(|s| and_is_zero(!s.a))),
            "S_WQM_B32" | "S_WQM_B64" => moving(flagged(|s| and_is_zero(whole_quads(s.a)))),
            "S_QUADMASK_B32" | "S_QUADMASK_B64" => moving(flagged(|s| and_is_zero(quad_mask(s.a)))),
            "S_BREV_B32" => moving(plain(|s| (u64::from((s.a as u32).reverse_bits()), None))),
            "S_BREV_B64" => moving(plain(|s| (s.a.reverse_bits(), None))),
            "S_BCNT0_I32_B32" => flagged(|s| and_is_zero(u64::from((s.a as u32).count_zeros()))),
            "S_BCNT0_I32_B64" => flagged(|s| and_is_zero(u64::from(s.a.count_zeros()))),
            "S_BCNT1_I32_B32" | "S_BCNT1_I32_B64" => flagged(|s| and_is_zero(u64::from(s.a.count_ones()))),
            "S_FF0_I32_B32" => plain(|s| (first_one(!s.a & LOW), None)),
            "S_FF0_I32_B64" => plain(|s| (first_one(!s.a), None)),
            "S_FF1_I32_B32" | "S_FF1_I32_B64" => plain(|s| (first_one(s.a), None)),
            "S_FLBIT_I32_B32" => plain(|s| (from_top(s.a, 32), None)),
            "S_FLBIT_I32_B64" => plain(|s| (from_top(s.a, 64), None)),
            "S_FLBIT_I32" => plain(|s| (from_top(u64::from(s.a as u32 ^ (s.a as i32 >> 31) as u32), 32), None)),
            "S_FLBIT_I32_I64" => plain(|s| (from_top(s.a ^ (s.a as i64 >> 63) as u64, 64), None)),
            "S_SEXT_I32_I8" => moving(plain(|s| (u64::from(s.a as i8 as u32), None))),
            "S_SEXT_I32_I16" => moving(plain(|s| (u64::from(s.a as i16 as u32), None))),
            "S_BITSET0_B32" => onto(|s| (s.old & !(1 << (s.a & 31)), None)),
            "S_BITSET0_B64" => onto(|s| (s.old & !(1 << (s.a & 63)), None)),
            "S_BITSET1_B32" => onto(|s| (s.old | 1 << (s.a & 31), None)),
            "S_BITSET1_B64" => onto(|s| (s.old | 1 << (s.a & 63), None)),
            "S_ABS_I32" => flagged(|s| and_is_zero(u64::from((s.a as i32).unsigned_abs()))),
            "S_BITREPLICATE_B64_B32" => plain(|s| (replicate(s.a), None)),
            "S_MIN_I32" => flagged(|s| {
                let (a, b) = (s.a as i32, s.b as i32);
                (u64::from(a.min(b) as u32), Some(a < b))
            }),
            "S_MAX_I32" => flagged(|s| {
                let (a, b) = (s.a as i32, s.b as i32);
                (u64::from(a.max(b) as u32), Some(a >= b))
            }),
            "S_MIN_U32" => flagged(|s| (s.a.min(s.b), Some(s.a < s.b))),
            "S_MAX_U32" => flagged(|s| (s.a.max(s.b), Some(s.a >= s.b))),
            "S_CSELECT_B32" | "S_CSELECT_B64" => {
                moving_both(Self { reads_scc: true, ..plain(|s| (if s.scc { s.a } else { s.b }, None)) })
            }
            "S_LSHL_B64" => moving(flagged(|s| and_is_zero(s.a << (s.b & 63)))),
            "S_LSHR_B64" => moving(flagged(|s| and_is_zero(s.a >> (s.b & 63)))),
            "S_ASHR_I64" => moving(flagged(|s| and_is_zero((s.a as i64 >> (s.b & 63)) as u64))),
            "S_BFM_B32" => plain(|s| (((1 << (s.a & 31)) - 1) << (s.b & 31) & LOW, None)),
            "S_BFM_B64" => plain(|s| (((1_u64 << (s.a & 63)) - 1) << (s.b & 63), None)),
            "S_BFE_U32" => moving(flagged(|s| and_is_zero(field(s.a, s.b, 32)))),
            "S_BFE_I32" => moving(flagged(|s| and_is_zero(signed_field(i64::from(s.a as i32), s.b, 32) & LOW))),
            "S_BFE_U64" => moving(flagged(|s| and_is_zero(field(s.a, s.b, 64)))),
            "S_BFE_I64" => moving(flagged(|s| and_is_zero(signed_field(s.a as i64, s.b, 64)))),
            "S_ABSDIFF_I32" => {
                flagged(|s| and_is_zero(u64::from((s.a as i32).wrapping_sub(s.b as i32).unsigned_abs())))
            }
            "S_MUL_HI_U32" => plain(|s| ((s.a * s.b) >> 32, None)),
            "S_MUL_HI_I32" => plain(|s| ((i64::from(s.a as i32) * i64::from(s.b as i32)) as u64 >> 32, None)),
            "S_LSHL1_ADD_U32" => flagged(|s| (((s.a << 1) + s.b) & LOW, Some((s.a << 1) + s.b > LOW))),
            "S_LSHL2_ADD_U32" => flagged(|s| (((s.a << 2) + s.b) & LOW, Some((s.a << 2) + s.b > LOW))),
            "S_LSHL3_ADD_U32" => flagged(|s| (((s.a << 3) + s.b) & LOW, Some((s.a << 3) + s.b > LOW))),
            "S_LSHL4_ADD_U32" => flagged(|s| (((s.a << 4) + s.b) & LOW, Some((s.a << 4) + s.b > LOW))),
            "S_PACK_LL_B32_B16" => moving_both(plain(|s| (s.a & 0xffff | (s.b & 0xffff) << 16, None))),
            "S_PACK_LH_B32_B16" => moving_both(plain(|s| (s.a & 0xffff | s.b & 0xffff_0000, None))),
            "S_PACK_HL_B32_B16" => moving_both(plain(|s| (s.a >> 16 | (s.b & 0xffff) << 16, None))),
            "S_PACK_HH_B32_B16" => moving_both(plain(|s| (s.a >> 16 | s.b & 0xffff_0000, None))),
            "S_ADD_NC_U64" => plain(|s| (s.a.wrapping_add(s.b), None)),
            "S_SUB_NC_U64" => plain(|s| (s.a.wrapping_sub(s.b), None)),
            "S_MUL_U64" => plain(|s| (s.a.wrapping_mul(s.b), None)),
            "S_BITCMP0_B32" => moving(flagged(|s| (0, Some(s.a >> (s.b & 31) & 1 == 0)))),
            "S_BITCMP1_B32" => moving(flagged(|s| (0, Some(s.a >> (s.b & 31) & 1 == 1)))),
            "S_BITCMP0_B64" => moving(flagged(|s| (0, Some(s.a >> (s.b & 63) & 1 == 0)))),
            "S_BITCMP1_B64" => moving(flagged(|s| (0, Some(s.a >> (s.b & 63) & 1 == 1)))),
            "S_CMP_EQ_U64" => flagged(|s| (0, Some(s.a == s.b))),
            "S_CMP_LG_U64" => flagged(|s| (0, Some(s.a != s.b))),
            _ => return None,
        })
    }
}
