//! The fields of the memory formats.

use super::format::{bit, bits, signed};
use super::{Decoded, Location};
use crate::isa::{Encoding, Generation, OperandKind, Segment};

/// The fields of a MUBUF or MTBUF instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BufferFields {
    /// Immediate offset in bytes (12 bits).
    pub offset: u16,
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
    /// Offset.
    pub offset: ScalarMemoryOffset,
    /// Globally coherent; for an atomic: the value before is returned (SMEM).
    pub glc: bool,
}

/// The fields of a FLAT, GLOBAL or SCRATCH instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FlatFields {
    /// Address space.
    pub segment: Segment,
    /// Offset in bytes (GCN 1.4; 12 bits unsigned for FLAT, 13 bits signed otherwise).
    pub offset: i16,
    /// Globally coherent; for an atomic: the value before is returned.
    pub glc: bool,
    /// System-level coherent.
    pub slc: bool,
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
        let [first, second, _] = self.words;
        let typed = match self.form {
            Encoding::Mubuf => false,
            Encoding::Mtbuf => true,
            _ => return None,
        };
        let old = self.generation < Generation::Gcn12;
        Some(BufferFields {
            offset: bits(first, 0, 12) as u16,
            offen: bit(first, 12),
            idxen: bit(first, 13),
            addr64: old && bit(first, 15),
            glc: bit(first, 14),
            slc: if old || typed { bit(second, 22) } else { bit(first, 17) },
            lds: (self.instruction.lds || self.has("lds")) && bit(first, 16),
            tfe: bit(second, 23),
            vaddr: bits(second, 0, 8) as u8,
            vdata: bits(second, 8, 8) as u8,
            srsrc: bits(second, 16, 5) as u8 * 4,
            soffset: Location::from_source(self.generation, bits(second, 24, 8) as u16, None)
                .unwrap_or(Location::Sgpr(bits(second, 24, 7) as u8)),
        })
    }

    /// The fields, if the format is MUBUF.
    pub fn mubuf(&self) -> Option<BufferFields> {
        self.buffer().filter(|_| self.form == Encoding::Mubuf)
    }

    /// The element format, if the format is MTBUF.
    pub fn typed_buffer_format(&self) -> Option<TypedBufferFormat> {
        (self.form == Encoding::Mtbuf).then(|| TypedBufferFormat {
            data: bits(self.words[0], 19, 4) as u8,
            number: bits(self.words[0], 23, 3) as u8,
        })
    }

    /// The fields, if the format is DS.
    pub fn ds(&self) -> Option<DsFields> {
        let [first, second, _] = self.words;
        (self.form == Encoding::Ds).then(|| DsFields {
            offset: bits(first, 0, 16) as u16,
            offset0: bits(first, 0, 8) as u8,
            offset1: bits(first, 8, 8) as u8,
            gds: bit(first, if self.generation < Generation::Gcn12 { 17 } else { 16 }),
            addr: bits(second, 0, 8) as u8,
            data0: bits(second, 8, 8) as u8,
            data1: bits(second, 16, 8) as u8,
            vdst: bits(second, 24, 8) as u8,
        })
    }

    /// The fields, if the format is SMRD or SMEM.
    pub fn scalar_memory(&self) -> Option<ScalarMemoryFields> {
        let [first, second, _] = self.words;
        match self.form {
            Encoding::Smrd => Some(ScalarMemoryFields {
                sdata: bits(first, 15, 7) as u8,
                sbase: bits(first, 9, 6) as u8 * 2,
                offset: match (bit(first, 8), self.literal()) {
                    (true, _) => ScalarMemoryOffset::Bytes(bits(first, 0, 8) as i32 * 4),
                    (false, Some(bytes)) => ScalarMemoryOffset::Bytes(bytes as i32),
                    (false, None) => ScalarMemoryOffset::Sgpr(bits(first, 0, 8) as u8),
                },
                glc: false,
            }),
            Encoding::Smem => {
                let new = self.generation == Generation::Gcn14;
                let bytes = if new { signed(bits(second, 0, 21), 21) } else { bits(second, 0, 20) as i32 };
                let soffset = bits(second, 25, 7) as u8;
                Some(ScalarMemoryFields {
                    sdata: bits(first, 6, 7) as u8,
                    sbase: bits(first, 0, 6) as u8 * 2,
                    offset: match (bit(first, 17), new && bit(first, 14)) {
                        (true, true) => ScalarMemoryOffset::SgprAndBytes(soffset, bytes),
                        (true, false) => ScalarMemoryOffset::Bytes(bytes),
                        (false, true) => ScalarMemoryOffset::Sgpr(soffset),
                        (false, false) => ScalarMemoryOffset::Sgpr(bits(second, 0, 7) as u8),
                    },
                    glc: bit(first, 16),
                })
            }
            _ => None,
        }
    }

    /// The fields, if the format is FLAT.
    pub fn flat(&self) -> Option<FlatFields> {
        let [first, second, _] = self.words;
        if self.form != Encoding::Flat {
            return None;
        }
        let segment = self.instruction.segment.unwrap_or(Segment::Flat);
        let new = self.generation == Generation::Gcn14;
        let saddr = bits(second, 16, 7) as u8;
        Some(FlatFields {
            segment,
            offset: match (new, segment) {
                (false, _) => 0,
                (true, Segment::Flat) => bits(first, 0, 12) as i16,
                (true, _) => signed(bits(first, 0, 13), 13) as i16,
            },
            glc: bit(first, 16),
            slc: bit(first, 17),
            lds: new && bit(first, 13),
            vaddr: bits(second, 0, 8) as u8,
            saddr: (new && segment != Segment::Flat && saddr != SADDR_OFF).then_some(saddr),
            data: bits(second, 8, 8) as u8,
            vdst: bits(second, 24, 8) as u8,
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

    /// How many registers an operand takes in these words; differs from [`crate::isa::Operand::registers`] where the words
    /// decide it: the address of a buffer, GLOBAL or image instruction and the data of an image instruction.
    pub(super) fn registers(&self, operand: &crate::isa::Operand) -> u8 {
        match (operand.kind, self.form) {
            (OperandKind::BufferAddress, _) => self.buffer_address_registers(),
            (OperandKind::Vgpr, Encoding::Flat) if operand.name == "vaddr" => {
                if self.flat().is_some_and(|fields| fields.saddr.is_some()) { 1 } else { operand.registers() }
            }
            (OperandKind::Vgpr, Encoding::Mimg) if operand.name == "vdata" => {
                bits(self.words[0], 8, 4).count_ones().max(1) as u8
            }
            (OperandKind::Vgpr, Encoding::Mimg) => 1,
            _ => operand.registers(),
        }
    }
}

/// The SADDR field that says `off`.
pub(super) const SADDR_OFF: u8 = 0x7f;
