//! What LDS instructions do, by their names.
//!
//! Source: AMD "GCN3 ISA", DS opcode table; CLRX `GcnInstrsDs`.

use crate::lds::permutation::Permutation;
use crate::lower::operation::Width;
use crate::memory::atomic::Atomic;
use crate::memory::element::{Element, Half, Transfer};
use gcn_model::isa::Instruction;

/// The action of an LDS instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// One value of each lane.
    Single(Transfer),
    /// Two values, each at an offset of its own.
    Double(Transfer),
    /// An atomic whose data are in memory as well, at a distance from the address (SRC2).
    FromMemory(Atomic, Width),
    /// This many dwords are exchanged in a way that no source describes.
    Exchange(u8),
    /// This many dwords are read and dealt to lanes (TR) in a way that no source describes to the bit: only zeros alone are known.
    Transposed(u8),
    /// Values go between lanes.
    Permute(Permutation),
    /// The number of active lanes is added to, or taken from, the dword that M0 points to.
    Count(Atomic),
    /// Each lane has its own dword after the one that M0 points to.
    ByLane(Transfer),
    Nothing,
}

impl Action {
    /// The action of an instruction, by the parts that the manual composes the DS names of.
    pub(crate) fn of(instruction: &Instruction) -> Option<Self> {
        // Long: a table, with an arm for each name.
        let name = instruction.canonical_name().strip_prefix("DS_")?;
        Some(match name {
            "NOP" => Self::Nothing,
            "SWIZZLE_B32" => Self::Permute(Permutation::Swizzle),
            "PERMUTE_B32" => Self::Permute(Permutation::Push),
            "BPERMUTE_B32" => Self::Permute(Permutation::Pull),
            "BPERMUTE_FI_B32" => Self::Permute(Permutation::PullFromAll),
            "APPEND" => Self::Count(Atomic::Add),
            "CONSUME" => Self::Count(Atomic::Subtract),
            "READ_ADDTID_B32" => Self::ByLane(Transfer::Load(Element::Dwords(1), Half::Whole)),
            "WRITE_ADDTID_B32" => Self::ByLane(Transfer::Store(Element::Dwords(1), Half::Whole)),
            _ => {
                let parts: Vec<&str> = name.split('_').collect();
                let (function, rest) = parts.split_first()?;
                if let ("READ", [number, "TR", _]) = (*function, rest) {
                    return Some(Self::Transposed(number.get(1..)?.parse::<u8>().ok()? / 32));
                }
                let half = match rest {
                    [_, "D16"] => Half::Low,
                    [_, "D16", "HI"] => Half::High,
                    _ => Half::Whole,
                };
                let is_part = matches!(rest.first(), Some(&("B8" | "U8" | "I8" | "B16" | "U16" | "I16")));
                if is_part
                    || matches!(*function, "READ" | "READ2" | "READ2ST64")
                    || *function == "WRITE" && rest.len() == 1
                {
                    let number = rest.first()?;
                    let bits: u32 = number.get(1..)?.parse().ok()?;
                    let element = if bits < 32 {
                        Element::Part { bits, signed: number.starts_with('I') }
                    } else {
                        Element::Dwords((bits / 32) as u8)
                    };
                    let transfer = if *function == "WRITE" {
                        Transfer::Store(element, half)
                    } else {
                        Transfer::Load(element, half)
                    };
                    return Some(if function.starts_with("READ2") {
                        Self::Double(transfer)
                    } else {
                        Self::Single(transfer)
                    });
                }
                let number = parts.last()?;
                let width = if number.ends_with("64") { Width::Two } else { Width::Dword };
                if let "WRITE2" | "WRITE2ST64" = *function {
                    return Some(Self::Double(Transfer::Store(Element::Dwords(width.dwords()), Half::Whole)));
                }
                if *function == "CONDXCHG32" {
                    return Some(Self::Exchange(number.get(1..)?.parse::<u8>().ok()? / 32));
                }
                let function = match (*function, rest.first()) {
                    ("PK", _) => "PK_ADD",
                    ("COND", _) => "COND_SUB",
                    ("SUB", Some(&"CLAMP")) => "SUB_CLAMP",
                    _ => function,
                };
                let atomic = Atomic::of_local(function, number)?;
                if rest.first() == Some(&"SRC2") {
                    return Some(Self::FromMemory(atomic, width));
                }
                match function.starts_with("WRXCHG2") {
                    true => Self::Double(Transfer::Atomic(atomic, width)),
                    false => Self::Single(Transfer::Atomic(atomic, width)),
                }
            }
        })
    }
}
