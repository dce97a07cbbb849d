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
    /// Vector memory and LDS, which read their registers some time after their issue.
    LaneMemory,
    Lds,
    /// Vector memory, but for FLAT that can be LDS.
    VmemButFlat,
    /// Vector memory through descriptors: MUBUF, MTBUF, MIMG.
    DescriptorMemory,
    /// S_BRANCH, S_CBRANCH_*.
    Branch,
    /// A branch to 63 dwords after it.
    BranchOver63,
    /// S_INST_PREFETCH.
    InstPrefetch,
    /// Scalar ALU that computes: SALU without those that wait, and without S_VERSION.
    ScalarWork,
    /// Scalar or vector ALU.
    Alu,
    /// Vector ALU that writes scalar registers, EXEC not counted.
    ValuWritingSgpr,
    /// Vector ALU but V_NOP.
    ValuButNop,
    /// Vector ALU that reads a bit for each lane: V_CNDMASK_*, V_ADD_CO_CI_U32 and its like, V_DIV_FMAS_*.
    MaskReader,
    /// Scalar ALU that reads a scalar register other than VCC, EXEC and M0.
    SaluReadingSgpr,
    /// Scalar ALU that reads VCC.
    SaluReadingVcc,
    /// Whatever reads EXEC and is no vector ALU.
    ExecReader,
    /// V_CMPX_*.
    Cmpx,
    /// V_PERMLANE16_B32, V_PERMLANEX16_B32, both with VAR, V_PERMLANE64_B32.
    Permlane,
    /// V_WMMA_*, V_SWMMAC_*.
    WaveMatrix,
    /// Those of them that vector ALU runs beside, all and by the number of its instructions that have to lie between (gfx1250).
    MatrixBesideValu,
    WaveMatrixOf2,
    WaveMatrixOf4,
    WaveMatrixOf8,
    /// The vector ALU that runs beside them: neither they nor transcendental.
    ValuBesideMatrix,
    /// V_MAD_U64_U32, V_MAD_I64_I32 whose result overlaps a source.
    OverlappingMad,
    /// Vector memory that adds or compares floating-point numbers in memory.
    FloatAtomic,
    /// S_DENORM_MODE.
    DenormMode,
    /// S_WAITCNT and its like, S_WAIT_IDLE.
    Wait,
    /// S_WAITCNT for all of its counters.
    WaitForAll,
    /// A wait for LGKM_CNT to be 0.
    WaitForScalarMemory,
    /// S_WAITCNT_VSCNT for all stores.
    WaitForStores,
    /// S_WAITCNT_DEPCTR with VM_VSRC 0: vector memory has read its registers.
    WaitForMemorySources,
    /// With VA_VDST 0: vector ALU has written its vector registers.
    WaitForValuVgprs,
    /// With SA_SDST 0: scalar ALU has written its registers.
    WaitForSaluSgprs,
    /// With VA_SDST 0: vector ALU has written its scalar registers.
    WaitForValuSgprs,
    /// With VA_VCC 0: vector ALU has written VCC.
    WaitForValuVcc,
    /// No other instruction: a producer that is one by itself.
    Itself,
}

/// A set of classes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Classes(u128);

impl Classes {
    pub(super) const fn has(self, class: Class) -> bool {
        self.0 >> class as u32 & 1 == 1
    }

    /// Those of both.
    pub(super) const fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }
}

impl FromIterator<Class> for Classes {
    fn from_iter<T: IntoIterator<Item = Class>>(classes: T) -> Self {
        Self(classes.into_iter().fold(0, |all, class| all | 1 << class as u32))
    }
}

/// Registers that a producer writes, or reads where the hazard is that they are overwritten.
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
    /// Those of A and B, and of what selects of a sparse A.
    Factor,
    /// Vector registers that it reads.
    ReadVgpr,
    /// Scalar registers that it reads, EXEC among them where it is memory.
    ReadSgpr,
    ReadExec,
    /// Scalar registers with a bit for each lane, which it reads.
    ReadMask,
    /// SGPRs and VCC that it reads, and their neighbours in register pairs.
    ReadPair,
    /// SGPRs and VCC: neither EXEC nor M0.
    NumberedSgpr,
    /// The same without VCC.
    SgprButVcc,
    /// No register: the instruction itself.
    Anything,
}

/// Registers that a consumer reads (or, of a store's data, overwrites).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wanted {
    /// Scalar registers.
    Sgpr,
    /// Scalar registers that are overwritten.
    WrittenSgpr,
    Vcc,
    /// The operand VCCZ.
    Vccz,
    /// The operand EXECZ.
    Execz,
    /// The scalar register that selects a lane.
    LaneSelect,
    /// Vector registers.
    Vgpr,
    /// Vector registers, together with others that a vector instruction wrote after a change of EXEC.
    VgprBesideNewer,
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
