//! The fields of the memory formats.

use super::location::saddr_off;
use super::{Decoded, Location};
use crate::isa::{Access, Encoding, FieldName, Generation, OperandKind, Segment};

/// The fields of a MUBUF or MTBUF instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferFields {
    /// Immediate offset in bytes (12 bits; 24 in RDNA 4).
    pub offset: u32,
    /// An offset VGPR is given.
    pub offen: bool,
    /// An index VGPR is given.
    pub idxen: bool,
    /// The VGPR pair at `vaddr` is a 64-bit address (GCN 1.0 and 1.1).
    pub addr64: bool,
    /// Globally coherent; for an atomic: the value before is returned.
    pub glc: bool,
    /// System-level coherent.
    pub slc: bool,
    /// A further bit of the cache policy (CDNA 2 and later).
    pub scc: bool,
    /// Device-level coherent (RDNA).
    pub dlc: bool,
    /// The data go to LDS (MUBUF).
    pub lds: bool,
    /// A texture-fail dword is returned as well.
    pub tfe: bool,
    /// First address VGPR.
    pub vaddr: u8,
    /// First data VGPR.
    pub vdata: u8,
    /// First SGPR of the descriptor.
    pub srsrc: u8,
    /// Scalar offset: an SGPR, M0 or a constant.
    pub soffset: Location,
}

/// The format of a typed buffer's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TypedBufferFormat {
    /// Data format (DFMT).
    pub data: u8,
    /// Number format (NFMT).
    pub number: u8,
}

impl TypedBufferFormat {
    /// The format of a generation that has one number for both parts; that of no elements where the number names none.
    pub fn of_unified(number: u8, generation: Generation) -> Self {
        let (data, number) = generation.buffers.unified_format(number).unwrap_or_default();
        Self { data, number }
    }
}

/// The fields of a DS instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DsFields {
    /// Offset of an instruction with one, in bytes.
    pub offset: u16,
    /// First offset of an instruction with two (the low byte of `offset`), in elements.
    pub offset0: u8,
    /// Second offset of an instruction with two (the high byte of `offset`), in elements.
    pub offset1: u8,
    /// Global data share instead of LDS.
    pub gds: bool,
    /// Address VGPR.
    pub addr: u8,
    /// First VGPR of the first data.
    pub data0: u8,
    /// First VGPR of the second data.
    pub data1: u8,
    /// First destination VGPR.
    pub vdst: u8,
}

/// The offset of a scalar memory instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScalarMemoryOffset {
    /// An immediate, in bytes (the words of GCN 1.0 and 1.1 count dwords).
    Bytes(i32),
    /// A raw scalar register code; the register holds bytes.
    Sgpr(u8),
    /// Both (GCN 1.4).
    SgprAndBytes(u8, i32),
}

/// The fields of a SMRD or SMEM instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScalarMemoryFields {
    /// Raw scalar register code of the first destination or data register.
    pub sdata: u8,
    /// First SGPR of the address or descriptor.
    pub sbase: u8,
    pub offset: ScalarMemoryOffset,
    /// Globally coherent; for an atomic: the value before is returned (SMEM).
    pub glc: bool,
    /// Device-level coherent (RDNA).
    pub dlc: bool,
}

/// The fields of a FLAT, GLOBAL or SCRATCH instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlatFields {
    /// Address space.
    pub segment: Segment,
    /// Offset in bytes (GCN 1.4; 12 bits unsigned for FLAT, 13 bits signed otherwise).
    pub offset: i32,
    /// Globally coherent; for an atomic: the value before is returned.
    pub glc: bool,
    /// System-level coherent.
    pub slc: bool,
    /// A further bit of the cache policy (CDNA 2 and later).
    pub scc: bool,
    /// Device-level coherent (RDNA).
    pub dlc: bool,
    /// The data go to LDS (GCN 1.4).
    pub lds: bool,
    /// First address VGPR.
    pub vaddr: u8,
    /// First SGPR of the scalar address of GLOBAL or SCRATCH; `None` if `off`.
    pub saddr: Option<u8>,
    /// First data VGPR.
    pub data: u8,
    /// First destination VGPR.
    pub vdst: u8,
}

impl Decoded {
    /// The fields, if the format is MUBUF or MTBUF.
    pub fn buffer(&self) -> Option<BufferFields> {
        if !matches!(self.form, Encoding::Mubuf | Encoding::Mtbuf) {
            return None;
        }
        let soffset = self.value(FieldName::Soffset);
        Some(BufferFields {
            offset: self.value(FieldName::Offset),
            offen: self.flag(FieldName::Offen),
            idxen: self.flag(FieldName::Idxen),
            addr64: self.flag(FieldName::Addr64),
            glc: self.flag(FieldName::Glc),
            slc: self.flag(FieldName::Slc),
            scc: self.flag(FieldName::Scc),
            dlc: self.flag(FieldName::Dlc),
            lds: (self.instruction.lds || self.has("lds")) && self.flag(FieldName::Lds),
            tfe: self.flag(FieldName::Tfe),
            vaddr: self.value(FieldName::Vaddr) as u8,
            vdata: self.value(FieldName::Vdata) as u8,
            srsrc: self.first_of_descriptor(),
            soffset: Location::from_source(self.generation, soffset as u16, None)
                .unwrap_or(Location::Sgpr(soffset as u8 & 0x7f)),
        })
    }

    /// The first SGPR of the descriptor: fields of five bits count in fours.
    fn first_of_descriptor(&self) -> u8 {
        let code = self.value(FieldName::Srsrc) as u8;
        match self
            .generation
            .format(self.form)
            .and_then(|format| format.field(FieldName::Srsrc))
            .map(|field| field.bits.width)
        {
            Some(..=5) => code * 4,
            _ => code,
        }
    }

    /// The fields, if the format is MUBUF.
    pub fn mubuf(&self) -> Option<BufferFields> {
        self.buffer().filter(|_| self.form == Encoding::Mubuf)
    }

    /// The element format, if the format is MTBUF.
    pub fn typed_buffer_format(&self) -> Option<TypedBufferFormat> {
        let formats = &self.generation.buffers;
        if formats.has_unified_formats() {
            let number = self.field(FieldName::Format).filter(|_| self.form == Encoding::Mtbuf)? as u8;
            return Some(TypedBufferFormat::of_unified(number, self.generation));
        }
        (self.form == Encoding::Mtbuf).then(|| TypedBufferFormat {
            data: self.value(FieldName::Dfmt) as u8,
            number: self.value(FieldName::Nfmt) as u8,
        })
    }

    /// The fields, if the format is DS.
    pub fn ds(&self) -> Option<DsFields> {
        (self.form == Encoding::Ds).then(|| DsFields {
            offset: self.value(FieldName::Offset) as u16,
            offset0: self.value(FieldName::Offset0) as u8,
            offset1: self.value(FieldName::Offset1) as u8,
            gds: self.flag(FieldName::Gds),
            addr: self.value(FieldName::Addr) as u8,
            data0: self.value(FieldName::Data0) as u8,
            data1: self.value(FieldName::Data1) as u8,
            vdst: self.value(FieldName::Vdst) as u8,
        })
    }

    /// The fields, if the format is SMRD or SMEM.
    pub fn scalar_memory(&self) -> Option<ScalarMemoryFields> {
        if !matches!(self.form, Encoding::Smrd | Encoding::Smem) {
            return None;
        }
        let bytes = self.number(FieldName::Offset) * self.generation.scalar_memory.offset_unit_bytes as i32;
        let soffset = self.value(FieldName::Soffset) as u8;
        let register = self.field(FieldName::OffsetRegister).unwrap_or_else(|| self.value(FieldName::Offset)) as u8;
        Some(ScalarMemoryFields {
            sdata: self.value(FieldName::Sdata) as u8,
            sbase: self.value(FieldName::Sbase) as u8 * 2,
            offset: match (self.flag(FieldName::Imm), self.flag(FieldName::SoffsetEn), self.literal()) {
                _ if self.field(FieldName::Imm).is_none() && self.generation.operand_codes.null == Some(soffset) => {
                    ScalarMemoryOffset::Bytes(bytes)
                }
                _ if self.field(FieldName::Imm).is_none() && self.field(FieldName::Soffset).is_some() => {
                    if bytes == 0 {
                        ScalarMemoryOffset::Sgpr(soffset)
                    } else {
                        ScalarMemoryOffset::SgprAndBytes(soffset, bytes)
                    }
                }
                (true, true, _) => ScalarMemoryOffset::SgprAndBytes(soffset, bytes),
                (true, false, _) => ScalarMemoryOffset::Bytes(bytes),
                (false, true, _) => ScalarMemoryOffset::Sgpr(soffset),
                (false, false, Some(bytes)) => ScalarMemoryOffset::Bytes(bytes as i32),
                (false, false, None) => ScalarMemoryOffset::Sgpr(register),
            },
            glc: self.flag(FieldName::Glc),
            dlc: self.flag(FieldName::Dlc),
        })
    }

    /// The fields, if the format is FLAT.
    pub fn flat(&self) -> Option<FlatFields> {
        if self.form != Encoding::Flat {
            return None;
        }
        let segment = self.instruction.segment.unwrap_or(Segment::Flat);
        let is_flat = segment == Segment::Flat;
        let has_saddr = self.has("saddr");
        let saddr = self.field(FieldName::Saddr).map(|code| code as u8);
        let offset = if is_flat { FieldName::Offset } else { FieldName::SegmentOffset };
        Some(FlatFields {
            segment,
            offset: self.number(offset),
            glc: self.flag(FieldName::Glc),
            slc: self.flag(FieldName::Slc),
            scc: self.flag(FieldName::Scc),
            dlc: self.flag(FieldName::Dlc),
            lds: self.flag(FieldName::Lds),
            vaddr: self.value(FieldName::Vaddr) as u8,
            saddr: saddr.filter(|saddr| {
                has_saddr && *saddr != saddr_off(self.generation) && self.entry.without_address != Some(*saddr)
            }),
            data: self.value(FieldName::Data) as u8,
            vdst: self.value(FieldName::Vdst) as u8,
        })
    }

    /// How many address VGPRs a buffer instruction reads.
    pub(super) fn buffer_address_registers(&self) -> u8 {
        match self.buffer() {
            Some(fields) if fields.addr64 => 2,
            Some(fields) => u8::from(fields.offen) + u8::from(fields.idxen),
            None => 0,
        }
    }

    /// Whether two halves of a D16 format share a register on the processor that this was decoded for.
    pub fn packs_halves(&self) -> bool {
        self.entry.packs_halves
    }

    /// How many registers the data of an image instruction take: one for each component of DMASK, half as many where two halves share
    /// one (D16), and one more that says whether all texels were there (TFE).
    fn image_data_registers(&self, is_atomic: bool) -> u8 {
        let components = if self.instruction.gathers { 4 } else { self.value(FieldName::Dmask).count_ones().max(1) };
        let is_packed = self.packs_halves() && self.flag(FieldName::D16) && !is_atomic;
        let registers = if is_packed { components.div_ceil(2) } else { components };
        registers as u8 + u8::from(self.flag(FieldName::Tfe))
    }

    /// How many registers an operand takes in these words; differs from [`crate::isa::Operand::registers`] where the words
    /// decide it: the address of a buffer, GLOBAL or image instruction, the data of an image instruction, and matrices of a format that is named.
    pub(super) fn registers(&self, operand: &crate::isa::Operand) -> u8 {
        match (operand.kind, self.form) {
            (OperandKind::BufferAddress, _) => self.buffer_address_registers(),
            (OperandKind::Vgpr, Encoding::Flat) if operand.name == "vaddr" => {
                if self.flat().is_some_and(|fields| fields.saddr.is_some()) { 1 } else { operand.registers() }
            }
            // No component names the registers of an intersection's result.
            (OperandKind::Vgpr, Encoding::Mimg) if operand.name == "vdata" && operand.bits > 128 => operand.registers(),
            (OperandKind::Vgpr, Encoding::Mimg | Encoding::Vsample) if operand.name == "vdata" => {
                self.image_data_registers(operand.access == Access::ReadWrite)
            }
            (OperandKind::Vgpr, Encoding::Mimg | Encoding::Vsample) => 1,
            (OperandKind::Vcc | OperandKind::Mask, _) => self.entry.mask_registers,
            (OperandKind::VectorRegister | OperandKind::Vgpr, _) => {
                let all = operand.registers();
                self.matrix_format(operand).map_or(all, |format| format.registers(all))
            }
            _ => operand.registers(),
        }
    }
}
