//! Atomic functions of memory.

use std::cmp::Ordering;

use crate::lower::operation::Width;
use crate::memory::sum;
use crate::state::vector_registers::LANES;

/// The new value of an atomic instruction.
///
/// Source: AMD "GCN3 ISA", DS and MUBUF opcode tables; the names there are those of the instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Atomic {
    /// memory + data.
    Add,
    /// memory - data.
    Subtract,
    /// memory >= data ? memory - data : 0.
    SubtractToZero,
    /// memory >= data ? memory - data : memory.
    SubtractIfLarger,
    /// data - memory.
    ReverseSubtract,
    /// memory >= data ? 0 : memory + 1.
    Increment,
    /// memory == 0 or memory > data ? data : memory - 1.
    Decrement,
    /// The smaller of the two, with sign.
    MinimumSigned,
    /// The larger of the two, with sign.
    MaximumSigned,
    /// The smaller of the two, without sign.
    MinimumUnsigned,
    /// The larger of the two, without sign.
    MaximumUnsigned,
    /// memory & data.
    And,
    /// memory | data.
    Or,
    /// memory ^ data.
    Xor,
    /// memory & !data | second.
    MaskOr,
    /// data.
    Swap,
    /// memory == data ? second : memory.
    CompareSwap,
    /// memory >= data ? memory - data : memory + second.
    Wrap,
    /// data < memory ? data : memory, floating-point.
    MinimumFloat,
    /// data > memory ? data : memory, floating-point.
    MaximumFloat,
    /// memory == data ? second : memory, floating-point.
    CompareSwapFloat,
    /// memory + data, floating-point.
    AddFloat,
    /// Likewise for both halves, each of half precision.
    AddHalves,
    /// Likewise for both halves, each the high half of a float (BF16).
    AddBrainFloats,
}

impl Atomic {
    /// The function by the name and type that a DS instruction has, such as `MIN` and `I32`.
    pub(crate) fn of_local(name: &str, number: &str) -> Option<Self> {
        let is_float = number.starts_with('F');
        Some(match name {
            "PK_ADD" => Self::added(number)?,
            "ADD" if is_float => Self::AddFloat,
            "MIN" if is_float => Self::MinimumFloat,
            "MAX" if is_float => Self::MaximumFloat,
            "CMPST" | "CMPSTORE" if is_float => Self::CompareSwapFloat,
            "MIN" if number.starts_with('I') => Self::MinimumSigned,
            "MAX" if number.starts_with('I') => Self::MaximumSigned,
            "MIN" => Self::MinimumUnsigned,
            "MAX" => Self::MaximumUnsigned,
            "MSKOR" => Self::MaskOr,
            "SUB_CLAMP" => Self::SubtractToZero,
            "COND_SUB" => Self::SubtractIfLarger,
            "WRXCHG" | "WRXCHG2" | "WRXCHG2ST64" | "WRITE" => Self::Swap,
            "CMPST" | "CMPSTORE" => Self::CompareSwap,
            "WRAP" => Self::Wrap,
            "RSUB" => Self::ReverseSubtract,
            other => return Self::shared(other),
        })
    }

    /// The function by the name that vector and scalar memory atomics share, such as `SMIN`.
    pub(crate) fn of_global(name: &str) -> Option<Self> {
        Some(match name {
            "SMIN" => Self::MinimumSigned,
            "SMAX" => Self::MaximumSigned,
            "UMIN" => Self::MinimumUnsigned,
            "UMAX" => Self::MaximumUnsigned,
            "SWAP" => Self::Swap,
            "CMPSWAP" => Self::CompareSwap,
            "FCMPSWAP" => Self::CompareSwapFloat,
            "FMIN" => Self::MinimumFloat,
            "FMAX" => Self::MaximumFloat,
            "RSUB" => Self::ReverseSubtract,
            "CSUB" | "SUB_CLAMP_U32" => Self::SubtractToZero,
            "COND_SUB_U32" => Self::SubtractIfLarger,
            other => return Self::shared(other),
        })
    }

    /// The floating-point function by its name and its type, such as `PK_ADD` and `F16`: those of CDNA.
    pub(crate) fn of_float(name: &str, number: &str) -> Option<Self> {
        match (name, number) {
            ("ADD" | "PK_ADD", _) => Self::added(number),
            ("MIN", _) => Some(Self::MinimumFloat),
            ("MAX", _) => Some(Self::MaximumFloat),
            _ => None,
        }
    }

    fn added(number: &str) -> Option<Self> {
        Some(match number {
            "F32" | "F64" => Self::AddFloat,
            "F16" => Self::AddHalves,
            "BF16" => Self::AddBrainFloats,
            _ => return None,
        })
    }

    fn shared(name: &str) -> Option<Self> {
        Some(match name {
            "ADD" => Self::Add,
            "SUB" => Self::Subtract,
            "INC" => Self::Increment,
            "DEC" => Self::Decrement,
            "AND" => Self::And,
            "OR" => Self::Or,
            "XOR" => Self::Xor,
            _ => return None,
        })
    }

    /// Whether it has a second operand.
    pub(crate) fn has_second(self) -> bool {
        matches!(self, Self::MaskOr | Self::CompareSwap | Self::CompareSwapFloat | Self::Wrap)
    }

    /// The new values in memory of all lanes, each of which has its own; `None` if one of them is unknown.
    pub(crate) fn apply_to_all(
        self,
        width: Width,
        memory: &[u64; LANES],
        data: &[u64; LANES],
        second: &[u64; LANES],
    ) -> Option<[u64; LANES]> {
        // A loop is compiled for each function, so that none asks in each lane which one it is.
        macro_rules! for_each {
            ($($function:ident)*) => {
                match self {
                    $(Self::$function => {
                        let of = |lane: usize| Self::$function.apply(width, memory[lane], data[lane], second[lane]);
                        let mut is_known = true;
                        let new = std::array::from_fn(|lane| {
                            let new = of(lane);
                            is_known &= new.is_some();
                            new.unwrap_or(0)
                        });
                        is_known.then_some(new)
                    })*
                }
            };
        }
        for_each!(Add Subtract SubtractToZero SubtractIfLarger ReverseSubtract Increment Decrement MinimumSigned MaximumSigned MinimumUnsigned
            MaximumUnsigned And Or Xor MaskOr Swap CompareSwap Wrap MinimumFloat MaximumFloat CompareSwapFloat
            AddFloat AddHalves AddBrainFloats)
    }

    /// The new value in memory; `None` where it is unknown.
    #[inline(always)]
    pub(crate) fn apply(self, width: Width, memory: u64, data: u64, second: u64) -> Option<u64> {
        let signed = |value: u64| match width {
            Width::Dword => i64::from(value as u32 as i32),
            Width::Two => value as i64,
        };
        let is_before = |a: u64, b: u64| Some(compared(width, a, b)?.is_lt());
        let new = match self {
            Self::MinimumFloat if is_before(data, memory)? => data,
            Self::MaximumFloat if is_before(memory, data)? => data,
            Self::CompareSwapFloat if compared(width, memory, data)?.is_eq() => second,
            Self::MinimumFloat | Self::MaximumFloat | Self::CompareSwapFloat => memory,
            Self::Add => memory.wrapping_add(data),
            Self::Subtract => memory.wrapping_sub(data),
            Self::SubtractToZero => memory.saturating_sub(data),
            Self::SubtractIfLarger if memory >= data => memory - data,
            Self::SubtractIfLarger => memory,
            Self::ReverseSubtract => data.wrapping_sub(memory),
            Self::Increment if memory >= data => 0,
            Self::Increment => memory.wrapping_add(1),
            Self::Decrement if memory == 0 || memory > data => data,
            Self::Decrement => memory - 1,
            Self::MinimumSigned => signed(memory).min(signed(data)) as u64,
            Self::MaximumSigned => signed(memory).max(signed(data)) as u64,
            Self::MinimumUnsigned => memory.min(data),
            Self::MaximumUnsigned => memory.max(data),
            Self::And => memory & data,
            Self::Or => memory | data,
            Self::Xor => memory ^ data,
            Self::MaskOr => memory & !data | second,
            Self::Swap => data,
            Self::CompareSwap if memory == data => second,
            Self::CompareSwap => memory,
            Self::Wrap if memory >= data => memory - data,
            Self::Wrap => memory.wrapping_add(second),
            Self::AddFloat => sum::float(width, memory, data)?,
            Self::AddHalves => sum::halves(memory, data)?,
            Self::AddBrainFloats => sum::brain_floats(memory, data)?,
        };
        Some(match width {
            Width::Dword => new & 0xffff_ffff,
            Width::Two => new,
        })
    }
}

/// The comparison of two floating-point numbers, denormals as they are (the opcode tables: "handles NaN/INF/denorm"). The effect of a NaN they do not say.
fn compared(width: Width, a: u64, b: u64) -> Option<Ordering> {
    match width {
        Width::Dword => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        Width::Two => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_of_the_lds_are_computed() {
        let of = |name| Atomic::of_local(name, "F32");
        let wanted = [Atomic::AddFloat, Atomic::MinimumFloat, Atomic::MaximumFloat, Atomic::CompareSwapFloat];
        assert_eq!(["ADD", "MIN", "MAX", "CMPST"].map(of), wanted.map(Some));
    }

    #[test]
    fn functions_are_those_of_the_manual() {
        let of = |atomic: Atomic, memory, data, second| atomic.apply(Width::Dword, memory, data, second).unwrap();
        let minus = 0xffff_ffff;
        assert_eq!((of(Atomic::Add, minus, 2, 0), of(Atomic::Subtract, 1, 2, 0)), (1, minus));
        assert_eq!(of(Atomic::ReverseSubtract, 1, 3, 0), 2);
        assert_eq!((of(Atomic::SubtractToZero, 5, 3, 0), of(Atomic::SubtractToZero, 3, 5, 0)), (2, 0));
        assert_eq!((of(Atomic::Increment, 3, 3, 0), of(Atomic::Increment, 2, 3, 0)), (0, 3));
        assert_eq!(
            (of(Atomic::Decrement, 0, 7, 0), of(Atomic::Decrement, 8, 7, 0), of(Atomic::Decrement, 7, 7, 0)),
            (7, 7, 6)
        );
        assert_eq!((of(Atomic::MinimumSigned, minus, 1, 0), of(Atomic::MinimumUnsigned, minus, 1, 0)), (minus, 1));
        assert_eq!((of(Atomic::MaximumSigned, minus, 1, 0), of(Atomic::MaximumUnsigned, minus, 1, 0)), (1, minus));
        assert_eq!(of(Atomic::MaskOr, 0xff, 0x0f, 0x100), 0x1f0);
        assert_eq!((of(Atomic::CompareSwap, 5, 5, 9), of(Atomic::CompareSwap, 6, 5, 9)), (9, 6));
        assert_eq!((of(Atomic::Wrap, 5, 3, 100), of(Atomic::Wrap, 2, 3, 100)), (2, 102));
        assert_eq!(Atomic::MinimumSigned.apply(Width::Two, u64::MAX, 1, 0), Some(u64::MAX));
        let float = |atomic: Atomic, memory: f32, data: f32, second: f32| {
            let [memory, data, second] = [memory, data, second].map(|value| u64::from(value.to_bits()));
            atomic.apply(Width::Dword, memory, data, second).map(|new| f32::from_bits(new as u32))
        };
        assert_eq!(float(Atomic::MinimumFloat, 1.0, -2.0, 0.0), Some(-2.0));
        assert_eq!(float(Atomic::MaximumFloat, 1.0, -2.0, 0.0), Some(1.0));
        assert_eq!(float(Atomic::CompareSwapFloat, 0.0, -0.0, 7.0), Some(7.0));
        assert_eq!(float(Atomic::CompareSwapFloat, 1.0, 2.0, 7.0), Some(1.0));
        assert_eq!(float(Atomic::MinimumFloat, f32::NAN, 1.0, 0.0), None, "what a NaN does is not said");
        let two = (-1.5_f64).to_bits();
        assert_eq!(Atomic::MinimumFloat.apply(Width::Two, 0, two, 0), Some(two));
    }
}
