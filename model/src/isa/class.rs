//! Classes of instructions: the column `classes` of the instruction files.

use serde::Deserialize;
use serde::de::value::{Error, StrDeserializer};

/// Properties of some instructions that encoding and operands do not show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum InstructionClass {
    /// Reads memory and writes registers: `BUFFER_LOAD_*`, `S_LOAD_*`.
    Load,
    /// Writes memory.
    Store,
    /// Reads and writes memory at once. The LDS's are in `isa/ds.csv`, and need no class.
    Atomic,
    /// S_BUFFER_LOAD_*: scalar loads through a descriptor.
    ScalarBufferLoad,
    /// Executed by the branch unit: branches, messages, S_TRAP.
    BranchUnit,
    /// Sends a message, and reads M0 for it: S_SENDMSG, S_SENDMSGHALT, S_TTRACEDATA.
    Message,
    /// Looks at VCCZ: S_CBRANCH_VCCZ, S_CBRANCH_VCCNZ.
    ReadsVccz,
    /// Looks at EXECZ: S_CBRANCH_EXECZ, S_CBRANCH_EXECNZ.
    ReadsExecz,
    /// V_DIV_FMAS_*, which read VCC without naming it.
    DivFmas,
    /// Writes EXEC without naming it: V_CMPX_*, V_CMPSX_*, S_*_SAVEEXEC_B64, S_*_WREXEC_B64.
    WritesExec,
    /// Compares, lane by lane, and writes a mask.
    Compare,
    /// Compares scalars, or looks at a bit of one, and writes SCC alone.
    ScalarCompare,
    /// The result is one of the sources: V_CNDMASK_B32.
    Select,
    /// Names a lane by a scalar register: V_READLANE_B32, V_WRITELANE_B32.
    LaneAccess,
    /// A lane's value goes to a scalar register: V_READLANE_B32, V_READFIRSTLANE_B32.
    LaneRead,
    /// Writes a hardware register: S_SETREG_*.
    SetRegister,
    /// Reads a hardware register: S_GETREG_*.
    GetRegister,
    /// S_SETVSKIP.
    SetVskip,
    /// S_RFE_*.
    ReturnFromException,
    /// DS_GWS_*: goes to the global data share, whatever the GDS bit says.
    GlobalWaveSync,
    /// Reads M0 without naming it: S_MOVREL*, and the LDS's *_ADDTID_*.
    ReadsM0,
    /// Its two offsets count 64 elements each: DS_*2ST64_*.
    FarOffsets,
    /// Two halves at once: V_PK_*16.
    Packed,
    /// Of the VOP3P-MAI format, which has the prefix of VOP3P and other fields: V_MFMA_*, V_SMFMAC_*, V_ACCVGPR_READ_B32, V_ACCVGPR_WRITE_B32.
    Matrix,
    /// BLGP says which sources are negated: V_MFMA_F64_*_F64 of CDNA 3.
    MatrixNegation,
    /// CBSZ and BLGP name the formats of A and of B, and so how many registers each takes: V_MFMA_*_F8F6F4.
    MixedFormats,
    /// Belongs to the matrix instruction after it, whose scales it brings: V_MFMA_LD_SCALE_B32.
    MatrixScale,
    /// ABS, NEG and OMOD together are a truth table: V_BITOP3_*.
    TruthTable,
    /// No scalar can replace the VGPR operands, in any form: V_PERMLANE16_SWAP_B32, V_CVT_SCALEF32_PK32_*.
    VgprsAlone,
    /// Multiplies vectors in a lane and adds the products: V_DOT*.
    Dot,
    /// Approximates a function: exponential, logarithm, reciprocal, roots, sine, cosine.
    Transcendental,
    /// Exchanges rows of lanes between two registers: V_PERMLANE16_SWAP_B32.
    LaneSwap,
    /// Multiplies matrices that the lanes of a wave hold together: V_WMMA_*, V_SWMMAC_*.
    WaveMatrix,
    /// Those of them that vector ALU runs beside: it leaves their registers alone for two of its instructions.
    WaveMatrixOf2,
    /// For four.
    WaveMatrixOf4,
    /// For eight.
    WaveMatrixOf8,
    /// Of two instructions in one it can be the first alone.
    FirstOfPair,
    /// Likewise the second.
    SecondOfPair,
    /// Multiplies and adds in double precision: V_FMA_F64, V_FMAC_F64.
    DoubleFma,
}

/// The classes of an instruction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct InstructionClasses(u64);

impl InstructionClasses {
    /// Reads a cell: names with spaces between them; `None` if one of them is no class.
    pub(super) fn read(cell: &str) -> Option<Self> {
        cell.split_ascii_whitespace().try_fold(Self::default(), |all, name| {
            let class = InstructionClass::deserialize(StrDeserializer::<Error>::new(name)).ok()?;
            Some(Self(all.0 | 1 << class as u32))
        })
    }

    /// Whether a class is among them.
    #[inline]
    pub fn has(self, class: InstructionClass) -> bool {
        self.0 & 1 << class as u32 != 0
    }
}
