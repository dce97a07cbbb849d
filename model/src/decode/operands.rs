//! The operands of a decoded instruction.

use super::table::Entry;
use super::{Decoded, Location, Modifier, ScalarMemoryOffset};
use crate::isa::{Access, Encoding, FieldName, Instruction, Operand, OperandKind, Segment};

/// One operand and where its value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodedOperand {
    /// The ISA's description.
    pub operand: &'static Operand,
    /// Where it is; of a tuple the first register.
    pub location: Location,
    /// How many 32-bit registers it takes, if it is in registers.
    pub registers: u8,
    /// Whether it is the high half of its register, or of its value, on generations where 16-bit operands are halves of registers; the
    /// low half, or all of it, otherwise.
    pub is_high: bool,
}

/// One of two instructions in one (VOPD).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Half {
    /// Its row: [`Instruction::same_as`] names the instruction that does the same alone.
    pub instruction: &'static Instruction,
    /// Its operands, in the order of the assembly text; the literal is that of both.
    pub operands: Vec<DecodedOperand>,
}

/// VCC as a scalar register code.
const VCC: u8 = 106;

impl Decoded {
    /// The operands in the order of the assembly text. Operands that these words do not have are left out: the address of
    /// a buffer instruction with neither `offen` nor `idxen`, a scalar address that is `off`, the destination of a FLAT
    /// atomic without GLC, the data of a load to LDS.
    ///
    /// Of two instructions in one (VOPD) they are those of the first and then those of the second; see [`Decoded::halves`].
    pub fn operands(&self) -> Vec<DecodedOperand> {
        let mut all = self.operands_of(self.entry);
        if let Some(second) = self.second {
            all.extend(self.operands_of(second));
        }
        all
    }

    /// The two instructions of a VOPD instruction; `None` for every other one.
    pub fn halves(&self) -> Option<[Half; 2]> {
        let half = |entry: &'static Entry| Half { instruction: entry.instruction, operands: self.operands_of(entry) };
        self.second.map(|second| [half(self.entry), half(second)])
    }

    pub(super) fn operands_of(&self, entry: &'static Entry) -> Vec<DecodedOperand> {
        let operands = entry.instruction.operands.iter().enumerate();
        operands
            .filter_map(|(number, operand)| {
                let location = self.location(entry, number, operand)?;
                let is_high = self.is_high(entry, number, operand);
                Some(DecodedOperand { operand, location, registers: self.registers(operand), is_high })
            })
            .collect()
    }

    /// Whether the high half of an operand is meant.
    fn is_high(&self, entry: &Entry, number: usize, operand: &Operand) -> bool {
        if !self.generation.vector.halves_are_registers || operand.bits != 16 {
            return false;
        }
        let in_words = || entry.field(number).is_some_and(|field| field.is_high(self.generation, self.words));
        match (self.form, self.modifier, operand.name.as_str()) {
            (Encoding::Vop3 | Encoding::Vinterp, _, name) => self.vop3().is_some_and(|fields| {
                let bit = match name {
                    "vdst" => 3,
                    "src0" => 0,
                    "src1" | "vsrc1" => 1,
                    "src2" => 2,
                    _ => return false,
                };
                fields.op_sel[bit]
            }),
            (_, Some(Modifier::Dpp | Modifier::Dpp8), "src0") => self.modifier_word() & 0x80 != 0,
            _ => in_words(),
        }
    }

    pub(super) fn location(&self, entry: &Entry, number: usize, operand: &'static Operand) -> Option<Location> {
        let from_field = || entry.field(number)?.location(self.generation, self.words, self.wide_literal());
        let moved = |register: u8| {
            let is_half = self.generation.vector.halves_are_registers && operand.bits == 16 && entry.dwords == 1;
            Some(Location::Vgpr(if is_half { register & 0x7f } else { register }))
        };
        match (operand.kind, operand.name.as_str()) {
            (OperandKind::Literal, _) if operand.bits == 64 => self.wide_literal().map(Location::WideLiteral),
            (OperandKind::Literal, _) => self.literal().map(Location::Literal),
            (OperandKind::Flag, _) => Some(Location::Immediate(1)),
            (OperandKind::ScalarOffset, _) => Some(match self.scalar_memory()?.offset {
                ScalarMemoryOffset::Bytes(bytes) if self.literal().is_some() => Location::Literal(bytes as u32),
                ScalarMemoryOffset::Bytes(bytes) => Location::Immediate(bytes as u32),
                ScalarMemoryOffset::Sgpr(code) | ScalarMemoryOffset::SgprAndBytes(code, _) => Location::Sgpr(code),
            }),
            // The field may be wider: the length of S_PREFETCH_INST is in the place of a register.
            (OperandKind::Immediate, "sdata") => {
                let within = |value: u32| value & ((1 << operand.bits) - 1);
                Some(Location::Immediate(within(self.value(FieldName::Sdata))))
            }
            (OperandKind::Attribute, _) => {
                Some(Location::Immediate(self.value(FieldName::Attribute) * 4 + self.value(FieldName::Channel)))
            }
            (OperandKind::Vcc, _) if self.form != Encoding::Vop3 => {
                Some(Location::Sgpr(self.sdwa().and_then(|sdwa| sdwa.sdst).unwrap_or(VCC)))
            }
            // Two halves in each of the first two sources: the third and the fourth are those of the second.
            (_, "src1" | "src2" | "src3") if self.form == Encoding::Exp && self.flag(FieldName::Compr) => {
                let holds = if operand.name == "src1" { FieldName::Src0 } else { FieldName::Src1 };
                (!self.is_absent(operand)).then_some(Location::Vgpr(self.value(holds) as u8))
            }
            (_, "src0") if self.modifier == Some(Modifier::Dpp) => moved(self.dpp()?.src0),
            (_, "src0") if self.modifier == Some(Modifier::Dpp8) => moved(self.dpp8()?.src0),
            (_, "src0") if self.modifier == Some(Modifier::Sdwa) => Some(self.sdwa()?.src0),
            (_, "vsrc1") if self.modifier == Some(Modifier::Sdwa) => self.sdwa()?.src1.or_else(from_field),
            _ if self.is_absent(operand) => None,
            _ => from_field(),
        }
    }

    /// Whether these words do without the operand.
    fn is_absent(&self, operand: &Operand) -> bool {
        let name = operand.name.as_str();
        let enabled: [bool; 4] = self.flags(FieldName::En);
        match self.form {
            Encoding::Mubuf | Encoding::Mtbuf => {
                name == "vaddr" && self.buffer_address_registers() == 0
                    || name == "vdata" && self.buffer().is_some_and(|fields| fields.lds)
            }
            Encoding::Flat => self.flat().is_some_and(|fields| match name {
                "vdst" => operand.access == Access::WriteIfGlc && !fields.glc,
                "vaddr" if fields.segment == Segment::Scratch => {
                    let saddr = self.value(FieldName::Saddr);
                    let without = self.entry.without_address.is_some_and(|code| saddr == u32::from(code));
                    self.field(FieldName::Sve).map_or(fields.saddr.is_some() || without, |sve| sve == 0)
                }
                "saddr" => fields.saddr.is_none(),
                _ => false,
            }),
            Encoding::Exp => match name {
                "src0" => !enabled[0],
                "src1" => !enabled[1],
                "src2" => !enabled[2],
                "src3" => !enabled[3],
                _ => false,
            },
            _ => false,
        }
    }
}
