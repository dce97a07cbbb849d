//! The data of a vector memory or LDS instruction between the registers of each lane and memory.

use crate::lower::operation::Width;
use crate::memory::atomic::Atomic;
use crate::state::vector_number::VectorNumber;

/// The data in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Element {
    /// 8 or 16 bits, extended with zeros or the sign.
    Part { bits: u32, signed: bool },
    /// This many dwords.
    Dwords(u8),
}

/// Which part of a register a byte or short goes to or comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Half {
    /// All of it is written; the low part is stored.
    Whole,
    /// The low half; the other one is kept (the D16 loads of GCN 1.4).
    Low,
    /// The high half.
    High,
}

impl Half {
    /// A register that held `old`, after this part of it has become `value`.
    pub(crate) fn filled(self, old: u32, value: u32) -> u32 {
        match self {
            Self::Whole => value,
            Self::Low => old & 0xffff_0000 | value & 0xffff,
            Self::High => old & 0xffff | value << 16,
        }
    }
}

/// The action of an instruction for each lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transfer {
    /// Memory to register.
    Load(Element, Half),
    /// Register to memory.
    Store(Element, Half),
    /// A function of memory and register, back to memory.
    Atomic(Atomic, Width),
}

/// The registers of a transfer, first of each tuple.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TransferRegisters {
    /// The loaded value, or the value before an atomic; `None` if it is not returned.
    pub result: Option<VectorNumber>,
    /// The stored value, or the first operand of an atomic.
    pub data: VectorNumber,
    /// The second operand of an atomic that has two.
    pub second: VectorNumber,
}

impl TransferRegisters {
    /// Those of a vector memory instruction. Of a compare-and-swap the new value comes first, then the compared one.
    pub(crate) fn of_memory(transfer: Transfer, data: VectorNumber, result: Option<VectorNumber>) -> Self {
        let before = match transfer {
            Transfer::Atomic(atomic, width) if atomic.has_second() => width.dwords(),
            _ => 0,
        };
        Self { result, data: data + u16::from(before), second: data }
    }
}

impl Transfer {
    /// The transfer by the end of an instruction's name: `LOAD_DWORDX2`, `STORE_BYTE_D16_HI`, `ATOMIC_ADD_X2`.
    pub(crate) fn of_global(name: &str) -> Option<Self> {
        if let Some(name) = name.strip_prefix("ATOMIC_") {
            if let Some((function, number @ ("F16" | "BF16" | "F32" | "F64"))) = name.rsplit_once('_') {
                let width = if number == "F64" { Width::Two } else { Width::Dword };
                return Some(Self::Atomic(Atomic::of_float(function, number)?, width));
            }
            let (function, width) =
                name.strip_suffix("_X2").map_or((name, Width::Dword), |function| (function, Width::Two));
            return Some(Self::Atomic(Atomic::of_global(function)?, width));
        }
        // A dword of each lane, at a distance that its number alone says.
        let name = name.strip_suffix("_ADDTID").unwrap_or(name);
        let (kind, element) = name.split_once('_')?;
        let (element, half) = match (element.strip_suffix("_D16"), element.strip_suffix("_D16_HI")) {
            (_, Some(element)) => (element, Half::High),
            (Some(element), None) => (element, Half::Low),
            (None, None) => (element, Half::Whole),
        };
        let element = match element {
            "UBYTE" | "BYTE" => Element::Part { bits: 8, signed: false },
            "SBYTE" => Element::Part { bits: 8, signed: true },
            "USHORT" | "SHORT" => Element::Part { bits: 16, signed: false },
            "SSHORT" => Element::Part { bits: 16, signed: true },
            "DWORD" => Element::Dwords(1),
            "DWORDX2" => Element::Dwords(2),
            "DWORDX3" => Element::Dwords(3),
            "DWORDX4" => Element::Dwords(4),
            _ => return None,
        };
        match kind {
            "LOAD" => Some(Self::Load(element, half)),
            "STORE" => Some(Self::Store(element, half)),
            _ => None,
        }
    }

    /// Dwords, or the bytes of smaller data, that each lane reaches: the required alignment of an address is the smaller
    /// of this and four.
    pub(crate) fn bytes(self) -> u32 {
        match self {
            Self::Load(element, _) | Self::Store(element, _) => match element {
                Element::Part { bits, .. } => bits / 8,
                Element::Dwords(dwords) => 4 * u32::from(dwords),
            },
            Self::Atomic(_, Width::Dword) => 4,
            Self::Atomic(_, Width::Two) => 8,
        }
    }

    /// The half of its register that it fills, if it fills no more.
    pub(crate) fn filled_half(self) -> Option<Half> {
        match self {
            Self::Load(Element::Part { .. }, half @ (Half::Low | Half::High)) => Some(half),
            _ => None,
        }
    }

    pub(crate) fn filled(self, registers: TransferRegisters) -> u8 {
        match self {
            _ if registers.result.is_none() => 0,
            Self::Load(Element::Dwords(dwords), _) => dwords,
            Self::Load(Element::Part { .. }, _) => 1,
            Self::Store(..) => 0,
            Self::Atomic(_, Width::Dword) => 1,
            Self::Atomic(_, Width::Two) => 2,
        }
    }
}

/// `bits` bits, extended to 32.
pub(crate) fn extended(part: u32, bits: u32, signed: bool) -> u32 {
    if signed { ((part << (32 - bits)) as i32 >> (32 - bits)) as u32 } else { part }
}
