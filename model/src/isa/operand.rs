//! The reads and writes of an instruction, in the order of the assembly text.

use std::str::FromStr;

/// Whether an operand is read, written, or both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Source.
    Read,
    /// Destination.
    Write,
    /// Read, then written (V_MAC_F32's destination), or written in part (V_WRITELANE_B32, S_CMOV_B32, loads of a half).
    /// The data of a buffer or scalar atomic is written only when GLC asks for the value before.
    ReadWrite,
    /// Destination of a FLAT atomic: in the text, and written, with GLC only.
    WriteIfGlc,
}

/// The kinds of operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OperandKind {
    /// A VGPR or a tuple of them.
    Vgpr,
    /// An SGPR or an aligned tuple of them (VCC, EXEC and M0 included where the field allows it).
    Sgpr,
    /// A scalar source: SGPR, inline constant or, where the format has room, literal.
    ScalarSource,
    /// A vector source: VGPR, SGPR, inline constant or, where the format has room, literal.
    VectorSource,
    /// The register pair VCC, written out in the text; any SGPR pair in the VOP3 form.
    Vcc,
    /// An SGPR, or as many as hold a bit for each lane of a wave.
    Mask,
    /// An immediate, or what stands for one (S_WAITCNT's counters, a message, a hardware register).
    Immediate,
    /// A literal dword that is always there (V_MADMK_F32, S_SETREG_IMM32_B32).
    Literal,
    /// A branch target: a signed number of dwords, counted from the next instruction.
    Label,
    /// A memory offset, an SGPR or an immediate (SMRD, SMEM).
    ScalarOffset,
    /// The address VGPRs of a buffer instruction: none (`off`), one (`offen` or `idxen`) or two (both, or `addr64`).
    BufferAddress,
    /// The scalar address of a GLOBAL (64 bits) or SCRATCH (32 bits) instruction, or `off`.
    ScalarAddress,
    /// An address offset of the DS format, written after the operands as `offset:8`, `offset0:1` or `offset1:1`; 0 if left out.
    Offset,
    /// A word that has to follow the operands in the text: `gds` or `lds`.
    Flag,
    /// An interpolation attribute and its channel: `attr2.y`.
    Attribute,
    /// The data and number format of a typed buffer instruction.
    Format,
    /// An accumulation register (AGPR) or a tuple of them.
    Agpr,
    /// VGPRs or AGPRs: a bit of the format says which. AGPRs where the generation's format lacks the bit.
    VectorRegister,
    /// The same, or an inline constant.
    VectorRegisterSource,
    /// A VGPR or a tuple of them, or an inline constant.
    VgprOrConstant,
}

/// One operand of an instruction, in the order of the assembly text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Operand {
    /// The manual's name of the field: `vdst`, `src0`, `ssrc1`, `sdst`, `simm16`, …
    pub name: String,
    pub kind: OperandKind,
    /// Width of the value in bits (16, 32, 64, 96, 128, 192, 256, 512, 1024 for registers; that of the field for immediates).
    pub bits: u16,
    /// Whether it is read or written.
    pub access: Access,
}

impl OperandKind {
    /// Whether an operand of this kind can name any register that one of another kind writes.
    pub fn can_read(self, written: Self) -> bool {
        match self {
            Self::VectorSource => matches!(written, Self::Vgpr | Self::Sgpr),
            Self::ScalarSource => written == Self::Sgpr,
            Self::VectorRegisterSource => written == Self::VectorRegister,
            Self::Vgpr | Self::Sgpr | Self::Agpr => written == self,
            _ => false,
        }
    }

    const NAMES: [(&'static str, Self); 20] = [
        ("v", Self::Vgpr),
        ("s", Self::Sgpr),
        ("ssrc", Self::ScalarSource),
        ("vsrc", Self::VectorSource),
        ("vcc", Self::Vcc),
        ("mask", Self::Mask),
        ("imm", Self::Immediate),
        ("lit", Self::Literal),
        ("label", Self::Label),
        ("soff", Self::ScalarOffset),
        ("vaddr", Self::BufferAddress),
        ("saddr", Self::ScalarAddress),
        ("offset", Self::Offset),
        ("flag", Self::Flag),
        ("attr", Self::Attribute),
        ("format", Self::Format),
        ("a", Self::Agpr),
        ("va", Self::VectorRegister),
        ("vasrc", Self::VectorRegisterSource),
        ("vconst", Self::VgprOrConstant),
    ];
}

impl Operand {
    /// How many 32-bit registers the operand takes; a 16-bit value takes one.
    pub fn registers(&self) -> u8 {
        u8::try_from(self.bits.div_ceil(32)).unwrap_or(u8::MAX)
    }

    /// How many it takes in a wave of some lanes: what holds a bit for each lane has as many bits as there are lanes.
    pub fn registers_of_wave(&self, lanes: u32) -> u8 {
        match self.kind {
            OperandKind::Vcc | OperandKind::Mask => u8::try_from(lanes.div_ceil(32)).unwrap_or(u8::MAX),
            _ => self.registers(),
        }
    }

    /// Whether the instruction reads the operand.
    pub fn is_read(&self) -> bool {
        matches!(self.access, Access::Read | Access::ReadWrite)
    }

    /// Whether the instruction may write the operand.
    pub fn is_written(&self) -> bool {
        !matches!(self.access, Access::Read)
    }
}

/// The fault of an operand's text in an ISA file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OperandError {
    /// Not of the form `name:kind` or `name:kind:access`.
    #[error("operand `{0}` is not of the form name:kindBITS or name:kindBITS:access")]
    Form(String),
    /// The kind is unknown.
    #[error("operand `{0}` has the unknown kind `{1}`")]
    Kind(String, String),
    /// The width is missing or not a number.
    #[error("operand `{0}` has no width in bits after its kind")]
    Bits(String),
    /// The access is neither `w` nor `rw` nor `glc`.
    #[error("operand `{0}` has the unknown access `{1}`: leave it out, or write w, rw or glc")]
    Access(String, String),
}

impl FromStr for Operand {
    type Err = OperandError;

    fn from_str(text: &str) -> Result<Self, OperandError> {
        let mut parts = text.split(':');
        let (Some(name), Some(kind), access, None) = (parts.next(), parts.next(), parts.next(), parts.next()) else {
            return Err(OperandError::Form(text.to_owned()));
        };
        if name.is_empty() {
            return Err(OperandError::Form(text.to_owned()));
        }
        let split = kind.find(|c: char| c.is_ascii_digit()).unwrap_or(kind.len());
        let (letters, digits) = kind.split_at(split);
        let kind = OperandKind::NAMES
            .iter()
            .find_map(|&(name, kind)| (name == letters).then_some(kind))
            .ok_or_else(|| OperandError::Kind(text.to_owned(), letters.to_owned()))?;
        let bits = digits.parse().map_err(|_| OperandError::Bits(text.to_owned()))?;
        let access = match access {
            None => Access::Read,
            Some("w") => Access::Write,
            Some("rw") => Access::ReadWrite,
            Some("glc") => Access::WriteIfGlc,
            Some(other) => return Err(OperandError::Access(text.to_owned(), other.to_owned())),
        };
        Ok(Self { name: name.to_owned(), kind, bits, access })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_kind_width_and_access() {
        assert_eq!(
            "vdst:v64:w".parse(),
            Ok(Operand { name: "vdst".into(), kind: OperandKind::Vgpr, bits: 64, access: Access::Write })
        );
        assert_eq!(
            "src0:vsrc16".parse::<Operand>().map(|o| (o.kind, o.access)),
            Ok((OperandKind::VectorSource, Access::Read))
        );
    }

    #[test]
    fn refuses_unknown_text() {
        assert_eq!("vdst".parse::<Operand>(), Err(OperandError::Form("vdst".into())));
        assert_eq!("vdst:w32".parse::<Operand>(), Err(OperandError::Kind("vdst:w32".into(), "w".into())));
        assert_eq!("vdst:v".parse::<Operand>(), Err(OperandError::Bits("vdst:v".into())));
        assert_eq!("vdst:v32:x".parse::<Operand>(), Err(OperandError::Access("vdst:v32:x".into(), "x".into())));
    }
}
