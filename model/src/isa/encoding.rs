//! The encodings: the formats of the machine words, named as in AMD's manuals.

use serde::{Deserialize, Serialize};

use super::Generation;
use crate::quantity::Dwords;

/// The format of an instruction's machine words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Encoding {
    /// Scalar, two sources.
    Sop2,
    /// Scalar, 16-bit immediate.
    Sopk,
    /// Scalar, one source.
    Sop1,
    /// Scalar compare.
    Sopc,
    /// Scalar program control.
    Sopp,
    /// Scalar memory of GCN 1.0 and 1.1 (one dword).
    Smrd,
    /// Scalar memory of GCN 1.2 and 1.4 (two dwords).
    Smem,
    /// Vector, two sources.
    Vop2,
    /// Vector, one source.
    Vop1,
    /// Vector compare.
    Vopc,
    /// Vector, up to three sources (two dwords).
    Vop3,
    /// Vector, packed 16-bit (GCN 1.4).
    Vop3p,
    /// Local and global data share.
    Ds,
    /// Untyped buffer memory.
    Mubuf,
    /// Typed buffer memory.
    Mtbuf,
    /// Flat, global and scratch memory (GCN 1.1 and later).
    Flat,
    /// Image memory.
    Mimg,
    /// Export.
    Exp,
    /// Parameter interpolation.
    Vintrp,
}

impl Encoding {
    /// The manuals' name: `VOP2`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sop2 => "SOP2",
            Self::Sopk => "SOPK",
            Self::Sop1 => "SOP1",
            Self::Sopc => "SOPC",
            Self::Sopp => "SOPP",
            Self::Smrd => "SMRD",
            Self::Smem => "SMEM",
            Self::Vop2 => "VOP2",
            Self::Vop1 => "VOP1",
            Self::Vopc => "VOPC",
            Self::Vop3 => "VOP3",
            Self::Vop3p => "VOP3P",
            Self::Ds => "DS",
            Self::Mubuf => "MUBUF",
            Self::Mtbuf => "MTBUF",
            Self::Flat => "FLAT",
            Self::Mimg => "MIMG",
            Self::Exp => "EXP",
            Self::Vintrp => "VINTRP",
        }
    }

    /// Size of an instruction without the literal, SDWA or DPP dword that may follow it.
    pub const fn dwords(self) -> Dwords {
        match self {
            Self::Sop2
            | Self::Sopk
            | Self::Sop1
            | Self::Sopc
            | Self::Sopp
            | Self::Smrd
            | Self::Vop2
            | Self::Vop1
            | Self::Vopc
            | Self::Vintrp => Dwords(1),
            Self::Smem
            | Self::Vop3
            | Self::Vop3p
            | Self::Ds
            | Self::Mubuf
            | Self::Mtbuf
            | Self::Flat
            | Self::Mimg
            | Self::Exp => Dwords(2),
        }
    }

    /// The highest opcode that the encoding's opcode field holds in any generation.
    pub const fn highest_opcode(self) -> u16 {
        match self {
            Self::Sop2 | Self::Sopc | Self::Sopp | Self::Vop3p | Self::Mubuf | Self::Flat | Self::Mimg => 0x7f,
            Self::Sopk | Self::Smrd => 0x1f,
            Self::Sop1 | Self::Smem | Self::Vop1 | Self::Vopc | Self::Ds => 0xff,
            Self::Vop2 => 0x3f,
            Self::Vop3 => 0x3ff,
            Self::Mtbuf => 0xf,
            Self::Exp => 0,
            Self::Vintrp => 3,
        }
    }

    /// The opcode of the VOP3 form by the manuals' rule, for VOP1, VOP2 and VOPC; `None` for every other encoding.
    pub const fn vop3_opcode(self, generation: Generation, opcode: u16) -> Option<u16> {
        match (self, generation) {
            (Self::Vopc, _) => Some(opcode),
            (Self::Vop2, _) => Some(0x100 + opcode),
            (Self::Vop1, Generation::Gcn10 | Generation::Gcn11) => Some(0x180 + opcode),
            (Self::Vop1, Generation::Gcn12 | Generation::Gcn14) => Some(0x140 + opcode),
            _ => None,
        }
    }
}
