//! Classes of instructions and of registers, as the hazard table names them.

use serde::Deserialize;

/// A class of instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// Vector ALU: VOP1, VOP2, VOP3, VOP3P, VOPC, and VINTRP.
    Valu,
    /// Scalar ALU: SOP1, SOP2, SOPC, SOPK.
    Salu,
    /// Scalar memory.
    Smem,
    /// S_BUFFER_LOAD_*.
    SBufferLoad,
    /// Vector memory: MUBUF, MTBUF, MIMG, FLAT, GLOBAL, SCRATCH.
    Vmem,
    /// V_DIV_FMAS_*.
    DivFmas,
    /// V_READLANE_B32, V_WRITELANE_B32.
    LaneAccess,
    /// V_READLANE_B32, V_READFIRSTLANE_B32.
    LaneRead,
    /// Any DPP form.
    Dpp,
    /// S_SETREG_*.
    Setreg,
    /// S_GETREG_B32.
    Getreg,
    /// S_SETVSKIP, or S_SETREG of MODE.VSKIP.
    SetVskip,
    /// S_SETREG of TRAPSTS.
    SetTrapsts,
    /// S_RFE_*.
    Rfe,
    /// Whatever VSKIP skips: VALU, VMEM, LDS, exports.
    Vector,
    /// Instructions on the global data share.
    Gds,
    /// S_SENDMSG*, S_TTRACEDATA.
    Message,
    /// Readers of M0 other than those above (GCN 1.4): LDS add-TID, loads to LDS, VINTRP, LDS_DIRECT, S_MOVREL*.
    M0User,
    /// VMEM stores of more than 64 bits without an SGPR soffset, FLAT stores and atomics.
    WideStore,
    /// VINTRP.
    Interp,
    /// S_CBRANCH_VCCZ, S_CBRANCH_VCCNZ.
    VcczBranch,
    /// V_MFMA_*, V_SMFMAC_*.
    Mfma,
    /// Matrix instructions of the engine of that name.
    Xdl,
    Sgemm,
    Dgemm,
    /// Matrix instructions of another engine than XDL.
    NotXdl,
    /// Vector ALU without V_MFMA_* and V_SMFMAC_*.
    OtherValu,
    /// Both: `OtherValu` and `Memory`.
    NotMatrix,
    /// `OtherValu` without V_DOT*.
    PlainValu,
    /// The same as `OtherValu`, without V_ACCVGPR_WRITE_B32.
    ValuOfVgprs,
    /// V_ACCVGPR_READ_B32.
    AccvgprRead,
    /// V_ACCVGPR_WRITE_B32.
    AccvgprWrite,
    /// Vector memory, LDS, exports.
    Memory,
    /// V_DOT*.
    Dot,
    /// Approximations of functions: V_EXP_F32.
    Transcendental,
    /// Vector ALU but those.
    NotTranscendental,
    /// Vector ALU that writes a part of a register: SDWA or OP_SEL says which.
    PartialWrite,
    /// V_PERMLANE*_SWAP_B32.
    LaneSwap,
    /// V_FMA_F64, V_FMAC_F64.
    DoubleFma,
}

/// Registers that a producer writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Written {
    /// Scalar registers, VCC and M0 included.
    Sgpr,
    Vcc,
    /// One half of VCC and not the other.
    VccHalf,
    Exec,
    M0,
    /// Vector registers.
    Vgpr,
    /// A hardware register.
    Hwreg,
    /// The vector registers that a store still reads.
    StoreData,
    /// The vector registers of C that a matrix instruction still reads.
    Addend,
    /// No register: the instruction itself.
    Anything,
}

/// Registers that a consumer reads (or, of a store's data, overwrites).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// Scalar registers.
    Sgpr,
    Vcc,
    /// The operand VCCZ.
    Vccz,
    /// The operand EXECZ.
    Execz,
    /// The scalar register that selects a lane.
    LaneSelect,
    /// Vector registers.
    Vgpr,
    /// A hardware register.
    Hwreg,
    /// Vector registers that are overwritten.
    WrittenVgpr,
    /// Vector registers that are multiplied: A and B of a matrix instruction, and what selects of a sparse A.
    Factor,
    /// Vector registers that products are added to, C, which are some of those written and not the same tuple.
    Addend,
    /// The same tuple as C.
    SameAddend,
    /// Vector registers that an instruction of another name reads.
    OtherVgpr,
    /// Vector registers that an instruction of another name overwrites.
    OtherWrittenVgpr,
    /// Vector registers that an instruction of the same name multiplies.
    SameFactor,
    /// No register: the instruction itself.
    Anything,
}
