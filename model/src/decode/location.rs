//! Where an operand's value is.

use super::InlineConstant;
use crate::isa::Generation;

/// Where an operand's value is: a register (the first of a tuple), a constant, or a part of the instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// The raw scalar register code, 0 to 127: SGPRs, FLAT_SCRATCH, XNACK_MASK, VCC (106, 107), TBA, TMA, TTMP,
    /// M0 (124), EXEC (126, 127).
    Sgpr(u8),
    Vgpr(u8),
    /// An accumulation register.
    Agpr(u8),
    Constant(InlineConstant),
    /// The literal dword after the instruction.
    Literal(u32),
    /// The two literal dwords after the instruction (gfx1250).
    WideLiteral(u64),
    /// 1 if VCC is zero.
    Vccz,
    /// 1 if EXEC is zero.
    Execz,
    /// The scalar condition code.
    Scc,
    /// A dword of LDS, at the address in M0.
    LdsDirect,
    /// A memory aperture (GCN 1.4).
    Aperture(Aperture),
    /// A value in the instruction: an immediate, a branch distance, an offset, an attribute (`attribute * 4 + channel`).
    /// Sixteen-bit immediates are not sign-extended.
    Immediate(u32),
}

/// A value of the memory system that a GCN 1.4 source can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Aperture {
    /// SHARED_BASE
    SharedBase,
    /// SHARED_LIMIT
    SharedLimit,
    /// PRIVATE_BASE
    PrivateBase,
    /// PRIVATE_LIMIT
    PrivateLimit,
    /// POPS_EXITING_WAVE_ID
    PopsExitingWaveId,
    /// FLAT_SCRATCH_BASE_LO (gfx1250); both halves as an operand of 64 bits
    FlatScratchBaseLow,
    /// FLAT_SCRATCH_BASE_HI
    FlatScratchBaseHigh,
}

/// The SADDR field that says `off` where no code names a register that is always 0.
const SADDR_OFF: u8 = 0x7f;

/// The SADDR field that says `off`.
pub(super) fn saddr_off(generation: Generation) -> u8 {
    generation.operand_codes.null.unwrap_or(SADDR_OFF)
}

/// The source code that says that a literal dword follows.
pub(super) const LITERAL: u16 = 255;
/// The source code that says that two literal dwords follow, where there are such.
pub(super) const WIDE_LITERAL: u16 = 254;
/// The source code (of src0 only) that says that an SDWA dword follows.
pub(super) const SDWA: u16 = 249;
/// The source code (of src0 only) that says that a DPP dword follows.
pub(super) const DPP: u16 = 250;
/// The source code (of src0 only) that says that a DPP8 dword follows; the one after it lets lanes that are switched off be read.
pub(super) const DPP8: u16 = 233;
/// The first source code that names a VGPR.
pub(super) const VGPRS: u16 = 256;

impl Location {
    /// The location that a nine-bit source code names; `None` if the generation defines none.
    /// SDWA and DPP are not; `literal` are the dwords that follow if the format has space for one.
    pub(super) fn from_source(generation: Generation, code: u16, literal: Option<u64>) -> Option<Self> {
        let codes = &generation.operand_codes;
        Some(match code {
            0..128 if codes.register_exists(code as u8) => Self::Sgpr(code as u8),
            128..=208 | 240..=247 => Self::Constant(InlineConstant::from_code(code as u8)?),
            248 if codes.inverse_two_pi => Self::Constant(InlineConstant::InverseTwoPi),
            230 if codes.flat_scratch_base => Self::Aperture(Aperture::FlatScratchBaseLow),
            231 if codes.flat_scratch_base => Self::Aperture(Aperture::FlatScratchBaseHigh),
            235..=239 if codes.apertures => Self::Aperture(match code {
                235 => Aperture::SharedBase,
                236 => Aperture::SharedLimit,
                237 => Aperture::PrivateBase,
                238 => Aperture::PrivateLimit,
                _ => Aperture::PopsExitingWaveId,
            }),
            251 => Self::Vccz,
            252 => Self::Execz,
            253 => Self::Scc,
            254 if codes.lds_direct => Self::LdsDirect,
            WIDE_LITERAL if codes.wide_literals => Self::WideLiteral(literal?),
            LITERAL => Self::Literal(literal? as u32),
            VGPRS..512 => Self::Vgpr((code - VGPRS) as u8),
            _ => return None,
        })
    }
}
