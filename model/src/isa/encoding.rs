//! The encodings: the formats of the machine words, named as in AMD's manuals.

use serde::{Deserialize, Serialize};

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
