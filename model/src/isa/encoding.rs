//! The encodings: the formats of the simulator words, named as in AMD's manuals.

use serde::{Deserialize, Serialize};

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
    /// Vector, packed (GCN 1.4 and CDNA); VOP3P-MAI, the matrix instructions of CDNA, has the same prefix.
    Vop3p,
    /// Two vector instructions at once, of waves of 32 lanes (RDNA 3 and later).
    Vopd,
    /// The same with three sources each, and registers of any bank (gfx1250).
    Vopd3,
    /// Local and global data share.
    Ds,
    /// Untyped buffer memory.
    Mubuf,
    /// Typed buffer memory.
    Mtbuf,
    /// Flat, global and scratch memory (GCN 1.1 and later).
    Flat,
    /// Image memory; without samplers where those have a format of their own.
    Mimg,
    /// Image memory through samplers (RDNA 4).
    Vsample,
    /// Export.
    Exp,
    /// Parameter interpolation.
    Vintrp,
    /// Parameter interpolation with parameters in registers (RDNA 3 and later).
    Vinterp,
    /// Loads of a dword of LDS, or of interpolation parameters (RDNA 3 and later).
    Ldsdir,
    /// Copies of tensors between memory and LDS (gfx1250).
    Tensor,
}

impl Encoding {
    /// All encodings, in the order in which instructions are listed.
    pub const ALL: [Self; 25] = [
        Self::Sop2,
        Self::Sopk,
        Self::Sop1,
        Self::Sopc,
        Self::Sopp,
        Self::Smrd,
        Self::Smem,
        Self::Vop2,
        Self::Vop1,
        Self::Vopc,
        Self::Vop3,
        Self::Vop3p,
        Self::Vopd,
        Self::Vopd3,
        Self::Ds,
        Self::Mubuf,
        Self::Mtbuf,
        Self::Flat,
        Self::Mimg,
        Self::Vsample,
        Self::Exp,
        Self::Vintrp,
        Self::Vinterp,
        Self::Ldsdir,
        Self::Tensor,
    ];
    /// Whether it is two vector instructions in one.
    pub const fn is_pair(self) -> bool {
        matches!(self, Self::Vopd | Self::Vopd3)
    }

    /// How many there are.
    pub(crate) const COUNT: usize = Self::ALL.len();

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
            Self::Vopd => "VOPD",
            Self::Vopd3 => "VOPD3",
            Self::Ds => "DS",
            Self::Mubuf => "MUBUF",
            Self::Mtbuf => "MTBUF",
            Self::Flat => "FLAT",
            Self::Mimg => "MIMG",
            Self::Vsample => "VSAMPLE",
            Self::Exp => "EXP",
            Self::Vintrp => "VINTRP",
            Self::Vinterp => "VINTERP",
            Self::Ldsdir => "LDSDIR",
            Self::Tensor => "TENSOR",
        }
    }

    /// The unit that executes its instructions, in words.
    pub const fn unit(self) -> &'static str {
        match self {
            Self::Sop2 | Self::Sopk | Self::Sop1 | Self::Sopc => "scalar ALU",
            Self::Sopp => "branches and waits",
            Self::Smrd | Self::Smem => "scalar memory",
            Self::Vop2 | Self::Vop1 | Self::Vopc | Self::Vop3 | Self::Vop3p | Self::Vopd | Self::Vopd3 => "vector ALU",
            Self::Ds | Self::Ldsdir => "LDS",
            Self::Mubuf | Self::Mtbuf | Self::Flat | Self::Tensor => "vector memory",
            Self::Mimg | Self::Vsample => "images",
            Self::Exp => "export",
            Self::Vintrp | Self::Vinterp => "interpolation",
        }
    }

    /// Size of an instruction without the literal, SDWA or DPP dword that may follow it, where a generation says no other.
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
            | Self::Vintrp
            | Self::Ldsdir => Dwords(1),
            Self::Smem
            | Self::Vop3
            | Self::Vop3p
            | Self::Vopd
            | Self::Vinterp
            | Self::Ds
            | Self::Mubuf
            | Self::Mtbuf
            | Self::Flat
            | Self::Mimg
            | Self::Exp => Dwords(2),
            Self::Vsample | Self::Vopd3 | Self::Tensor => Dwords(3),
        }
    }
}
