//! The operands of a decoded instruction.

use super::format::{bit, bits};
use super::{Decoded, Location, Modifier, ScalarMemoryOffset};
use crate::isa::{Access, Encoding, Operand, OperandKind, Segment};

/// One operand and where its value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodedOperand {
    /// What the ISA says of it.
    pub operand: &'static Operand,
    /// Where it is; of a tuple the first register.
    pub location: Location,
    /// How many 32-bit registers it takes, if it is in registers.
    pub registers: u8,
}

/// VCC as a scalar register code.
const VCC: u8 = 106;

impl Decoded {
    /// The operands in the order of the assembly text. Operands that these words do not have are left out: the address of
    /// a buffer instruction with neither `offen` nor `idxen`, a scalar address that is `off`, the destination of a FLAT
    /// atomic without GLC, the data of a load to LDS.
    pub fn operands(&self) -> Vec<DecodedOperand> {
        self.instruction
            .operands
            .iter()
            .filter_map(|operand| {
                let location = self.location(operand)?;
                Some(DecodedOperand { operand, location, registers: self.registers(operand) })
            })
            .collect()
    }

    fn source(&self, code: u32) -> Option<Location> {
        Location::from_source(self.generation, code as u16, self.literal())
    }

    fn location(&self, operand: &'static Operand) -> Option<Location> {
        let [first, second, _] = self.words;
        let sgpr = |word, low| Some(Location::Sgpr(bits(word, low, 7) as u8));
        let vgpr = |word, low| Some(Location::Vgpr(bits(word, low, 8) as u8));
        match operand.kind {
            OperandKind::Literal => return self.literal().map(Location::Literal),
            OperandKind::Flag => return Some(Location::Immediate(1)),
            _ => {}
        }
        let name = operand.name.as_str();
        match self.form {
            Encoding::Sop2 | Encoding::Sop1 | Encoding::Sopc | Encoding::Sopk | Encoding::Sopp => match name {
                "sdst" => sgpr(first, 16),
                "ssrc0" => self.source(bits(first, 0, 8)),
                "ssrc1" if operand.kind == OperandKind::Immediate => Some(Location::Immediate(bits(first, 8, 8))),
                "ssrc1" => self.source(bits(first, 8, 8)),
                _ => Some(Location::Immediate(bits(first, 0, 16))),
            },
            Encoding::Smrd | Encoding::Smem => {
                let fields = self.scalar_memory()?;
                match operand.kind {
                    OperandKind::Immediate => Some(Location::Immediate(fields.sdata.into())),
                    OperandKind::ScalarOffset => Some(match fields.offset {
                        ScalarMemoryOffset::Bytes(bytes) if self.literal().is_some() => Location::Literal(bytes as u32),
                        ScalarMemoryOffset::Bytes(bytes) => Location::Immediate(bytes as u32),
                        ScalarMemoryOffset::Sgpr(code) | ScalarMemoryOffset::SgprAndBytes(code, _) => {
                            Location::Sgpr(code)
                        }
                    }),
                    _ if name == "sbase" => Some(Location::Sgpr(fields.sbase)),
                    _ => Some(Location::Sgpr(fields.sdata)),
                }
            }
            Encoding::Vop2 | Encoding::Vop1 | Encoding::Vopc => match name {
                "vdst" => vgpr(first, 17),
                "sdst" => sgpr(first, 17),
                "vcc" => Some(Location::Sgpr(self.sdwa().and_then(|sdwa| sdwa.sdst).unwrap_or(VCC))),
                "src0" => match self.modifier {
                    None => self.source(bits(first, 0, 9)),
                    Some(Modifier::Dpp) => vgpr(second, 0),
                    Some(Modifier::Sdwa) => Some(self.sdwa()?.src0),
                },
                "ssrc1" => self.source(bits(first, 9, 8)),
                _ => self.sdwa().and_then(|sdwa| sdwa.src1).or_else(|| vgpr(first, 9)),
            },
            Encoding::Vop3 | Encoding::Vop3p => self.vop3_location(operand),
            Encoding::Vintrp => match name {
                "vdst" => vgpr(first, 18),
                "attr" => Some(Location::Immediate(bits(first, 10, 6) * 4 + bits(first, 8, 2))),
                _ if operand.kind == OperandKind::Immediate => Some(Location::Immediate(bits(first, 0, 8))),
                _ => vgpr(first, 0),
            },
            Encoding::Ds => match name {
                "addr" => vgpr(second, 0),
                "data0" => vgpr(second, 8),
                "data1" => vgpr(second, 16),
                "vdst" => vgpr(second, 24),
                "offset0" => Some(Location::Immediate(bits(first, 0, 8))),
                "offset1" => Some(Location::Immediate(bits(first, 8, 8))),
                _ => Some(Location::Immediate(bits(first, 0, 16))),
            },
            Encoding::Mubuf | Encoding::Mtbuf => match name {
                "vdata" => vgpr(second, 8).filter(|_| !self.buffer().is_some_and(|fields| fields.lds)),
                "vaddr" => vgpr(second, 0).filter(|_| self.buffer_address_registers() > 0),
                "srsrc" => Some(Location::Sgpr(bits(second, 16, 5) as u8 * 4)),
                "soffset" => self.source(bits(second, 24, 8)),
                _ => Some(Location::Immediate(bits(first, 19, 7))),
            },
            Encoding::Flat => {
                let fields = self.flat()?;
                match name {
                    "vdst" if operand.access == Access::WriteIfGlc && !fields.glc => None,
                    "vdst" => Some(Location::Vgpr(fields.vdst)),
                    "vaddr" if fields.segment == Segment::Scratch && fields.saddr.is_some() => None,
                    "vaddr" => Some(Location::Vgpr(fields.vaddr)),
                    "data" => Some(Location::Vgpr(fields.data)),
                    _ => fields.saddr.map(Location::Sgpr),
                }
            }
            Encoding::Mimg => match name {
                "vdata" => vgpr(second, 8),
                "vaddr" => vgpr(second, 0),
                "srsrc" => Some(Location::Sgpr(bits(second, 16, 5) as u8 * 4)),
                _ => Some(Location::Sgpr(bits(second, 21, 5) as u8 * 4)),
            },
            Encoding::Exp => match name {
                "tgt" => Some(Location::Immediate(bits(first, 4, 6))),
                "src0" => vgpr(second, 0).filter(|_| bit(first, 0)),
                "src1" => vgpr(second, 8).filter(|_| bit(first, 1)),
                "src2" => vgpr(second, 16).filter(|_| bit(first, 2)),
                _ => vgpr(second, 24).filter(|_| bit(first, 3)),
            },
        }
    }

    fn vop3_location(&self, operand: &'static Operand) -> Option<Location> {
        let [first, second, _] = self.words;
        let source = |n: u32| self.source(bits(second, 9 * n, 9));
        match operand.name.as_str() {
            "vdst" => Some(Location::Vgpr(bits(first, 0, 8) as u8)),
            "sdst" => Some(Location::Sgpr(self.vop3_sdst().unwrap_or(bits(first, 0, 7) as u8))),
            "vcc" if operand.is_written() => Some(Location::Sgpr(self.vop3_sdst().unwrap_or(bits(first, 0, 7) as u8))),
            "vcc" => source(2),
            "src0" => source(0),
            "src1" | "vsrc1" | "ssrc1" => source(1),
            "src2" => source(2),
            // The attribute stands where the others have src0, the VGPR where they have src1.
            "attr" => Some(Location::Immediate(bits(second, 0, 6) * 4 + bits(second, 6, 2))),
            _ if operand.kind == OperandKind::Immediate => Some(Location::Immediate(bits(second, 9, 9))),
            _ => source(1),
        }
    }
}
