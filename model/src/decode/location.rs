//! Where an operand's value is.

use super::InlineConstant;
use crate::isa::Generation;

/// Where an operand's value is: a register (the first of a tuple), a constant, or a part of the instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Location {
    /// The raw scalar register code, 0 to 127: SGPRs, FLAT_SCRATCH, XNACK_MASK, VCC (106, 107), TBA, TMA, TTMP,
    /// M0 (124), EXEC (126, 127).
    Sgpr(u8),
    /// A VGPR.
    Vgpr(u8),
    /// An inline constant.
    Constant(InlineConstant),
    /// The literal dword behind the instruction.
    Literal(u32),
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
}

/// The source code that says that a literal dword follows.
pub(super) const LITERAL: u16 = 255;
/// The source code (of src0 only) that says that an SDWA dword follows.
pub(super) const SDWA: u16 = 249;
/// The source code (of src0 only) that says that a DPP dword follows.
pub(super) const DPP: u16 = 250;
/// The first source code that names a VGPR.
pub(super) const VGPRS: u16 = 256;

/// Whether a scalar register code (0 to 127) names a register in the generation.
///
/// Source: the manuals' operand tables; TBA and TMA (108–111) became TTMP registers in GCN 1.4, FLAT_SCRATCH moved from
/// 104 (GCN 1.1) to 102 (GCN 1.2), where XNACK_MASK stands behind it. Checked against LLVM 22.1.
pub(super) const fn register_exists(generation: Generation, code: u8) -> bool {
    match code {
        104 | 105 => !matches!(generation, Generation::Gcn10),
        125 => false,
        _ => code < 128,
    }
}

/// Whether a tuple of registers that begins at a scalar register code exists. Pairs of named registers begin at an even code;
/// tuples of SGPRs and TTMPs are those that LLVM 22.1 takes, which lets the low bits of the code stand for nothing and
/// has an s[100:103] in every generation.
pub(super) const fn tuple_exists(generation: Generation, code: u8, registers: u8) -> bool {
    const SGPRS: u8 = 104;
    let sgprs = if matches!(generation, Generation::Gcn10 | Generation::Gcn11) { SGPRS } else { 102 };
    let ttmp = if matches!(generation, Generation::Gcn14) { 108 } else { 112 };
    if registers <= 1 {
        return register_exists(generation, code);
    }
    let alignment = if registers == 2 { 2 } else { 4 };
    match code {
        _ if code < sgprs => code / alignment * alignment + registers <= SGPRS,
        _ if code >= ttmp && code < 124 => (code - ttmp) / alignment * alignment + registers <= 124 - ttmp,
        _ => registers == 2 && code.is_multiple_of(2) && code != 124 && register_exists(generation, code),
    }
}

impl Location {
    /// The location that a nine-bit source code names; `None` if the generation defines none.
    /// SDWA and DPP are none, `literal` is the dword that follows where the format has room for one.
    pub(super) fn from_source(generation: Generation, code: u16, literal: Option<u32>) -> Option<Self> {
        Some(match code {
            0..128 if register_exists(generation, code as u8) => Self::Sgpr(code as u8),
            128..=208 | 240..=247 => Self::Constant(InlineConstant::from_code(code as u8)?),
            248 if generation >= Generation::Gcn12 => Self::Constant(InlineConstant::InverseTwoPi),
            235..=239 if generation == Generation::Gcn14 => Self::Aperture(match code {
                235 => Aperture::SharedBase,
                236 => Aperture::SharedLimit,
                237 => Aperture::PrivateBase,
                238 => Aperture::PrivateLimit,
                _ => Aperture::PopsExitingWaveId,
            }),
            251 => Self::Vccz,
            252 => Self::Execz,
            253 => Self::Scc,
            254 => Self::LdsDirect,
            LITERAL => Self::Literal(literal?),
            VGPRS..512 => Self::Vgpr((code - VGPRS) as u8),
            _ => return None,
        })
    }
}
