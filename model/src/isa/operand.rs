//! What an instruction reads and writes, in the order of the assembly text.

/// Whether an operand is read, written, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Source.
    Read,
    /// Destination.
    Write,
    /// Read, then written (V_MAC_F32's destination, for instance).
    ReadWrite,
}

/// What may stand in an operand's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperandKind {
    /// A VGPR or a tuple of them.
    Vgpr,
    /// An SGPR or an aligned tuple of them (VCC, EXEC and M0 included where the field allows it).
    Sgpr,
    /// A scalar source: SGPR, inline constant or literal.
    ScalarSource,
    /// A vector source: VGPR, SGPR, inline constant or, where the format has room, literal.
    VectorSource,
    /// The register pair VCC, written out in the text.
    Vcc,
    /// EXEC, written out in the text.
    Exec,
    /// M0, written out in the text.
    M0,
    /// A 16-bit immediate, or what stands for one (S_WAITCNT's counters, a message, a hardware register).
    Immediate,
    /// A 32-bit literal that is always there (V_MADMK_F32, S_SETREG_IMM32_B32).
    Literal,
    /// A branch target.
    Label,
    /// A memory offset, an SGPR or an immediate (SMRD, SMEM).
    ScalarOffset,
}

/// One operand of an instruction, in the order of the assembly text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Operand {
    /// The manual's name of the field: `vdst`, `src0`, `ssrc1`, `sdst`, `simm16`, …
    pub name: String,
    /// What may stand there.
    pub kind: OperandKind,
    /// Width in bits of the value (16, 32, 64, 96, 128, 256, 512).
    pub bits: u16,
    /// Whether it is read or written.
    pub access: Access,
}
