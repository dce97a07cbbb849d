//! The simulator's action for an instruction, beyond taking its time.
//!
//! Whatever is not listed here has no semantics: its results are unknown ([`Operation::Clobber`]) or, where not
//! even the time could be right without them (memory, mode changes), the simulator refuses to execute it.
// Long: the operations, and the table of their names.

use crate::scalar::binary::Binary;
use crate::scalar::comparison::Comparison;
use crate::scalar::float::{FloatComparison, ScalarFloat};
use gcn_model::isa::{Encoding, Instruction, InstructionClass};

/// Width of an atomic function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// 32 bits.
    Dword,
    /// 64 bits.
    Two,
}

impl Width {
    /// The same in dwords.
    pub(crate) fn dwords(self) -> u8 {
        match self {
            Self::Dword => 1,
            Self::Two => 2,
        }
    }
}

/// The condition of a conditional jump.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Condition {
    /// SCC has this value.
    Scc(bool),
    /// VCC is zero (VCCZ has this value).
    Vccz(bool),
    /// EXEC is zero (EXECZ has this value).
    Execz(bool),
    /// A flag that only a debugger sets (COND_DBG_USER, COND_DBG_SYS): the model has none.
    Debug,
}

/// The action of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Operation {
    /// Takes its time; its destinations become unknown.
    Clobber,
    /// Takes its time and changes nothing that the simulator keeps.
    Nothing,
    /// Takes its time; its destination has no reader, and stays as it is.
    Unobserved,
    /// It names a register that the kernel descriptor does not allocate: the simulator stops.
    OutOfRange,
    /// Nothing is decoded further on: the launch has to see to it.
    #[default]
    Leave,
    /// Not modelled: the simulator stops.
    Refuse(&'static str),
    /// S_MOV_B32.
    ScalarMove32,
    /// S_MOVK_I32.
    ScalarMoveConstant,
    /// S_MOV_B64.
    ScalarMove64,
    /// Two 32-bit sources; SCC says whether the result is not zero (not for S_MUL_I32).
    Scalar32 { binary: Binary, sets_scc: bool },
    /// Two 64-bit sources; SCC says whether the result is not zero.
    Scalar64(Binary),
    /// Sum or difference, with carry in and out of SCC; signed overflow goes to SCC for the I32 forms.
    ScalarAdd { subtract: bool, carry_in: bool, signed: bool },
    /// S_ADDK_I32.
    ScalarAddConstant,
    /// S_CMP_*.
    ScalarCompare { comparison: Comparison, signed: bool },
    /// S_CMPK_*.
    ScalarCompareConstant { comparison: Comparison, signed: bool },
    /// S_*_SAVEEXEC_B32 and _B64: the destination gets EXEC, EXEC the function of source and EXEC.
    SaveExec(Binary),
    /// S_*_WREXEC_B32 and _B64: EXEC and the destination get the function of source and EXEC.
    WriteExec(Binary),
    /// S_MOVREL*: like a move, if M0 is 0.
    ScalarMoveRelative,
    /// S_MOVRELSD_2_B32: M0 has an index for the source and one for the destination.
    ScalarMoveByTwo,
    /// S_ROUND_MODE, S_DENORM_MODE: the immediate goes to this many bits of MODE, from that one on.
    SetMode { offset: u32, bits: u32 },
    /// S_SUBVECTOR_LOOP_BEGIN and S_SUBVECTOR_LOOP_END.
    SubvectorLoop { is_end: bool },
    /// S_WAIT_IDLE.
    WaitIdle,
    /// Waits for what other units have under way.
    WaitUnits,
    /// Says which waves are first.
    SetPriority,
    /// S_SETVSKIP.
    SetVskip,
    /// S_SET_GPR_IDX_ON and S_SET_GPR_IDX_IDX: allowed with index 0.
    SetGprIndex,
    /// S_GETREG_B32.
    GetHardwareRegister,
    /// Reads the cycle counter, of this many bits, from a hardware register: this many dwords of it lie below.
    CounterRegister { below: u32, bits: u32 },
    /// S_GETPC_B64.
    GetProgramCounter,
    /// S_SETPC_B64.
    SetProgramCounter,
    /// S_SWAPPC_B64.
    SwapProgramCounter,
    /// S_CALL_B64.
    Call,
    /// S_BRANCH.
    Branch,
    /// S_CBRANCH_*.
    ConditionalBranch(Condition),
    /// S_ENDPGM.
    EndProgram,
    /// S_NOP: the immediate is a number of further wait states.
    Nop,
    /// S_SLEEP and S_SLEEP_VAR: the immediate or the source times 64 cycles.
    Sleep,
    /// S_WAITCNT.
    WaitCount,
    /// S_SETHALT and S_SETKILL: allowed with 0, which is the wave's state anyway.
    StateBit,
    /// S_BARRIER.
    Barrier,
    /// S_BARRIER_SIGNAL and S_BARRIER_SIGNAL_ISFIRST of the group's own barrier.
    BarrierSignal { tells_first: bool },
    /// S_BARRIER_WAIT of the group's own barrier.
    BarrierWait,
    /// S_MEMTIME.
    MemoryTime,
    /// S_MEMREALTIME.
    MemoryRealTime,
    /// The message that frees the wave's VGPRs: their content is lost.
    DeallocateVectors,
    /// S_SENDMSG_RTN_B32 and S_SENDMSG_RTN_B64: a message whose answer goes to registers.
    MessageWithAnswer,
    /// S_GET_WAVEID_IN_WORKGROUP.
    WaveInGroup,
    /// A vector instruction with a [`VectorFunction`](crate::vector::function::VectorFunction).
    Lanes,
    /// Two instructions in one (VOPD), each a vector instruction with a [`VectorFunction`](crate::vector::function::VectorFunction).
    Pair,
    /// A scalar instruction with a [`ScalarFunction`](crate::scalar::function::ScalarFunction).
    Scalar,
    /// Scalar instructions of single precision.
    ScalarFloat(ScalarFloat),
    /// S_CMP_*_F32.
    ScalarCompareFloat(FloatComparison),
    /// A matrix instruction with a [`MatrixFunction`](crate::matrix::function::MatrixFunction).
    Matrix,
    /// WMMA with a [`WaveFunction`](crate::matrix::wave_function::WaveFunction).
    WaveMatrix,
    /// V_MFMA_LD_SCALE_B32: the byte of each lane that is taken, of A's scales and of B's.
    LoadScales { bytes: [u8; 2] },
    /// V_PERMLANE16_SWAP_B32, V_PERMLANE32_SWAP_B32: every second row of this many lanes swaps with the row before it in the other register.
    SwapRows { lanes: u8 },
    /// V_SWAP_B32.
    Swap,
    /// V_SWAP_B16: whether the high half of each register is meant.
    SwapHalves { high: [bool; 2] },
    /// V_PERMLANE64_B32: the halves of a wave of 64 lanes change places; nothing in one of 32.
    SwapHalfWaves,
    /// S_SETREG_B32 and S_SETREG_IMM32_B32.
    SetHardwareRegister,
    /// S_SET_GPR_IDX_MODE: M0[15:12], which operands are indexed while indexing is on (Vega ISA, SOPP).
    SetGprIndexMode,
    /// S_SET_GPR_IDX_OFF.
    SetGprIndexOff,
    /// V_MBCNT_LO_U32_B32 (`high` false), V_MBCNT_HI_U32_B32.
    MaskedBitCount { high: bool },
    /// V_MQSAD_U32_U8: four sums of 32 bits.
    MaskedQuadDifferences,
    /// V_READFIRSTLANE_B32.
    ReadFirstLane,
    /// V_READLANE_B32.
    ReadLane,
    /// V_WRITELANE_B32.
    WriteLane,
    /// V_MOVREL*: a move, with M0 added to the number of the source or the destination.
    VectorMoveRelative { source: bool, destination: bool },
    /// V_MOVRELSD_2_B32 and V_SWAPREL_B32: M0 has an index for the source and one for the destination.
    VectorMoveByTwo { swaps: bool },
    /// V_PERMLANE16_B32 and V_PERMLANEX16_B32: each lane reads one of its row of 16, or of the other row of its pair, that scalar registers name, or
    /// (V_PERMLANE16_VAR_B32, V_PERMLANEX16_VAR_B32) its own lane of a register.
    PermuteRows { is_other: bool, by_lane: bool, fetches_inactive: bool, reads_zero: bool },
    /// V_CMPX_*: EXEC and the destination become unknown.
    CompareToExec,
    /// Memory and LDS: an [`Access`](crate::lower::access::Access).
    Access,
    /// What only a step of a block does.
    Block(BlockStep),
}

/// The action of a block's step beyond taking its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockStep {
    /// The end of the block: back to its first step in no time, or the end of the wave.
    Again,
    /// The jump that repeats the block.
    Edge(Option<Condition>),
    /// A conditional jump that is not taken.
    Untaken(Condition),
    /// A conditional jump that is taken.
    Taken(Condition),
    /// A memory instruction without an address.
    Flight(Flight),
}

/// Which counters a memory instruction is under way by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flight {
    Vector,
    /// FLAT: it may reach memory or LDS, and both counters count it.
    Flat,
    Scalar,
    Local,
    /// S_MEMTIME and S_MEMREALTIME.
    Clock,
}

impl Condition {
    /// The condition's register, for messages.
    pub(crate) fn subject(self) -> &'static str {
        match self {
            Self::Scc(_) => "SCC",
            Self::Vccz(_) => "VCC",
            Self::Execz(_) => "EXEC",
            Self::Debug => "a debugger's flag",
        }
    }
}

impl Operation {
    /// The operation of an instruction.
    pub(crate) fn of(instruction: &Instruction) -> Self {
        let name = instruction.canonical_name();
        let float = ScalarFloat::of(name).map(Self::ScalarFloat);
        let float = float.or_else(|| FloatComparison::of(name).map(Self::ScalarCompareFloat));
        named(name).or(float).unwrap_or_else(|| match instruction.encoding {
            Encoding::Vopc if instruction.is(InstructionClass::WritesExec) => Self::CompareToExec,
            Encoding::Sop1 | Encoding::Sop2 | Encoding::Sopk | Encoding::Sopc => Self::Clobber,
            Encoding::Vop1 | Encoding::Vop2 | Encoding::Vop3 | Encoding::Vop3p | Encoding::Vopc => Self::Clobber,
            Encoding::Sopp => Self::Refuse(": this program control instruction has no model"),
            Encoding::Smrd | Encoding::Smem => Self::Access,
            Encoding::Ds | Encoding::Mubuf | Encoding::Mtbuf | Encoding::Flat => Self::Access,
            Encoding::Mimg | Encoding::Vsample => Self::Refuse(": images have no model"),
            Encoding::Vopd => Self::Pair,
            Encoding::Vopd3 | Encoding::Tensor => Self::Refuse(": of gfx1250 no result is known"),
            Encoding::Exp | Encoding::Vintrp | Encoding::Vinterp | Encoding::Ldsdir => {
                Self::Refuse(": a compute unit without graphics has no exports or parameters")
            }
        })
    }
}

fn named(name: &str) -> Option<Operation> {
    // Long: a table, with an arm for each name.
    use Operation as Op;
    let scalar32 = |binary| Op::Scalar32 { binary, sets_scc: true };
    let compare = |comparison, signed| Op::ScalarCompare { comparison, signed };
    let compare_constant = |comparison, signed| Op::ScalarCompareConstant { comparison, signed };
    Some(match name {
        "S_MOV_B32" => Op::ScalarMove32,
        "S_MOVK_I32" => Op::ScalarMoveConstant,
        "S_MOV_B64" => Op::ScalarMove64,
        "S_AND_B32" => scalar32(Binary::And),
        "S_ANDN2_B32" => scalar32(Binary::AndNot),
        "S_OR_B32" => scalar32(Binary::Or),
        "S_ORN2_B32" => scalar32(Binary::OrNot),
        "S_XOR_B32" => scalar32(Binary::Xor),
        "S_NAND_B32" => scalar32(Binary::Nand),
        "S_NOR_B32" => scalar32(Binary::Nor),
        "S_XNOR_B32" => scalar32(Binary::Xnor),
        "S_LSHL_B32" => scalar32(Binary::ShiftLeft),
        "S_LSHR_B32" => scalar32(Binary::ShiftRight),
        "S_ASHR_I32" => scalar32(Binary::ShiftRightArithmetic),
        "S_MUL_I32" => Op::Scalar32 { binary: Binary::Multiply, sets_scc: false },
        "S_AND_B64" => Op::Scalar64(Binary::And),
        "S_ANDN2_B64" => Op::Scalar64(Binary::AndNot),
        "S_OR_B64" => Op::Scalar64(Binary::Or),
        "S_ORN2_B64" => Op::Scalar64(Binary::OrNot),
        "S_XOR_B64" => Op::Scalar64(Binary::Xor),
        "S_NAND_B64" => Op::Scalar64(Binary::Nand),
        "S_NOR_B64" => Op::Scalar64(Binary::Nor),
        "S_XNOR_B64" => Op::Scalar64(Binary::Xnor),
        "S_ADD_U32" => Op::ScalarAdd { subtract: false, carry_in: false, signed: false },
        "S_SUB_U32" => Op::ScalarAdd { subtract: true, carry_in: false, signed: false },
        "S_ADD_I32" => Op::ScalarAdd { subtract: false, carry_in: false, signed: true },
        "S_SUB_I32" => Op::ScalarAdd { subtract: true, carry_in: false, signed: true },
        "S_ADDC_U32" => Op::ScalarAdd { subtract: false, carry_in: true, signed: false },
        "S_SUBB_U32" => Op::ScalarAdd { subtract: true, carry_in: true, signed: false },
        "S_ADDK_I32" => Op::ScalarAddConstant,
        "S_CMP_EQ_I32" => compare(Comparison::Equal, true),
        "S_CMPK_EQ_I32" => compare_constant(Comparison::Equal, true),
        "S_CMP_LG_I32" => compare(Comparison::NotEqual, true),
        "S_CMPK_LG_I32" => compare_constant(Comparison::NotEqual, true),
        "S_CMP_GT_I32" => compare(Comparison::Greater, true),
        "S_CMPK_GT_I32" => compare_constant(Comparison::Greater, true),
        "S_CMP_GE_I32" => compare(Comparison::GreaterEqual, true),
        "S_CMPK_GE_I32" => compare_constant(Comparison::GreaterEqual, true),
        "S_CMP_LT_I32" => compare(Comparison::Less, true),
        "S_CMPK_LT_I32" => compare_constant(Comparison::Less, true),
        "S_CMP_LE_I32" => compare(Comparison::LessEqual, true),
        "S_CMPK_LE_I32" => compare_constant(Comparison::LessEqual, true),
        "S_CMP_EQ_U32" => compare(Comparison::Equal, false),
        "S_CMPK_EQ_U32" => compare_constant(Comparison::Equal, false),
        "S_CMP_LG_U32" => compare(Comparison::NotEqual, false),
        "S_CMPK_LG_U32" => compare_constant(Comparison::NotEqual, false),
        "S_CMP_GT_U32" => compare(Comparison::Greater, false),
        "S_CMPK_GT_U32" => compare_constant(Comparison::Greater, false),
        "S_CMP_GE_U32" => compare(Comparison::GreaterEqual, false),
        "S_CMPK_GE_U32" => compare_constant(Comparison::GreaterEqual, false),
        "S_CMP_LT_U32" => compare(Comparison::Less, false),
        "S_CMPK_LT_U32" => compare_constant(Comparison::Less, false),
        "S_CMP_LE_U32" => compare(Comparison::LessEqual, false),
        "S_CMPK_LE_U32" => compare_constant(Comparison::LessEqual, false),
        "S_AND_SAVEEXEC_B64" => Op::SaveExec(Binary::And),
        "S_OR_SAVEEXEC_B64" => Op::SaveExec(Binary::Or),
        "S_XOR_SAVEEXEC_B64" => Op::SaveExec(Binary::Xor),
        "S_ANDN2_SAVEEXEC_B64" => Op::SaveExec(Binary::AndNot),
        "S_ORN2_SAVEEXEC_B64" => Op::SaveExec(Binary::OrNot),
        "S_NAND_SAVEEXEC_B64" => Op::SaveExec(Binary::Nand),
        "S_NOR_SAVEEXEC_B64" => Op::SaveExec(Binary::Nor),
        "S_XNOR_SAVEEXEC_B64" => Op::SaveExec(Binary::Xnor),
        "S_ANDN1_SAVEEXEC_B64" => Op::SaveExec(Binary::NotAnd),
        "S_ORN1_SAVEEXEC_B64" => Op::SaveExec(Binary::NotOr),
        "S_ANDN1_WREXEC_B64" => Op::WriteExec(Binary::NotAnd),
        "S_ANDN2_WREXEC_B64" => Op::WriteExec(Binary::AndNot),
        "S_AND_SAVEEXEC_B32" => Op::SaveExec(Binary::And),
        "S_OR_SAVEEXEC_B32" => Op::SaveExec(Binary::Or),
        "S_XOR_SAVEEXEC_B32" => Op::SaveExec(Binary::Xor),
        "S_ANDN2_SAVEEXEC_B32" => Op::SaveExec(Binary::AndNot),
        "S_ORN2_SAVEEXEC_B32" => Op::SaveExec(Binary::OrNot),
        "S_NAND_SAVEEXEC_B32" => Op::SaveExec(Binary::Nand),
        "S_NOR_SAVEEXEC_B32" => Op::SaveExec(Binary::Nor),
        "S_XNOR_SAVEEXEC_B32" => Op::SaveExec(Binary::Xnor),
        "S_ANDN1_SAVEEXEC_B32" => Op::SaveExec(Binary::NotAnd),
        "S_ORN1_SAVEEXEC_B32" => Op::SaveExec(Binary::NotOr),
        "S_ANDN1_WREXEC_B32" => Op::WriteExec(Binary::NotAnd),
        "S_ANDN2_WREXEC_B32" => Op::WriteExec(Binary::AndNot),
        "S_MOVRELSD_2_B32" => Op::ScalarMoveByTwo,
        // FP_ROUND and FP_DENORM of MODE.
        "S_ROUND_MODE" => Op::SetMode { offset: 0, bits: 4 },
        "S_DENORM_MODE" => Op::SetMode { offset: 4, bits: 4 },
        "S_SUBVECTOR_LOOP_BEGIN" => Op::SubvectorLoop { is_end: false },
        "S_SUBVECTOR_LOOP_END" => Op::SubvectorLoop { is_end: true },
        "S_WAIT_IDLE" => Op::WaitIdle,
        // Hints to the fetch and to the order of issue, and waits for results that are there when they are read.
        "S_CLAUSE" | "S_INST_PREFETCH" | "S_VERSION" | "S_DELAY_ALU" => Op::Nothing,
        "S_WAITCNT_DEPCTR" => Op::WaitUnits,
        "S_MOVRELS_B32" | "S_MOVRELS_B64" | "S_MOVRELD_B32" | "S_MOVRELD_B64" => Op::ScalarMoveRelative,
        "S_SETVSKIP" => Op::SetVskip,
        "S_SET_GPR_IDX_ON" | "S_SET_GPR_IDX_IDX" => Op::SetGprIndex,
        "S_GETREG_B32" => Op::GetHardwareRegister,
        "S_SETREG_B32" | "S_SETREG_IMM32_B32" => Op::SetHardwareRegister,
        "S_GETPC_B64" => Op::GetProgramCounter,
        "S_SETPC_B64" => Op::SetProgramCounter,
        "S_SWAPPC_B64" => Op::SwapProgramCounter,
        "S_RFE_B64" | "S_RFE_RESTORE_B64" => Op::Refuse(": it returns from a trap handler, and there is none"),
        "S_CBRANCH_G_FORK" | "S_CBRANCH_I_FORK" | "S_CBRANCH_JOIN" => Op::Refuse(": forks have no model"),
        "S_CALL_B64" => Op::Call,
        "S_BRANCH" => Op::Branch,
        "S_CBRANCH_SCC0" => Op::ConditionalBranch(Condition::Scc(false)),
        "S_CBRANCH_SCC1" => Op::ConditionalBranch(Condition::Scc(true)),
        "S_CBRANCH_VCCZ" => Op::ConditionalBranch(Condition::Vccz(true)),
        "S_CBRANCH_VCCNZ" => Op::ConditionalBranch(Condition::Vccz(false)),
        "S_CBRANCH_CDBGSYS" | "S_CBRANCH_CDBGUSER" => Op::ConditionalBranch(Condition::Debug),
        "S_CBRANCH_CDBGSYS_OR_USER" | "S_CBRANCH_CDBGSYS_AND_USER" => Op::ConditionalBranch(Condition::Debug),
        "S_CBRANCH_EXECZ" => Op::ConditionalBranch(Condition::Execz(true)),
        "S_CBRANCH_EXECNZ" => Op::ConditionalBranch(Condition::Execz(false)),
        "S_ENDPGM" => Op::EndProgram,
        "S_NOP" => Op::Nop,
        "S_SLEEP" | "S_SLEEP_VAR" => Op::Sleep,
        "S_BARRIER" => Op::Barrier,
        "S_BARRIER_SIGNAL" => Op::BarrierSignal { tells_first: false },
        "S_BARRIER_SIGNAL_ISFIRST" => Op::BarrierSignal { tells_first: true },
        "S_BARRIER_WAIT" => Op::BarrierWait,
        "S_BARRIER_INIT" | "S_BARRIER_JOIN" | "S_BARRIER_LEAVE" | "S_GET_BARRIER_STATE" => {
            Op::Refuse(": barriers with names have no model")
        }
        "S_ALLOC_VGPR" => Op::Refuse(": a wave keeps the VGPRs that it starts with"),
        // They bring nothing that a result could show.
        "S_PREFETCH_INST" | "S_PREFETCH_INST_PC_REL" | "S_PREFETCH_DATA" | "S_PREFETCH_DATA_PC_REL" => Op::Nothing,
        "S_BUFFER_PREFETCH_DATA" => Op::Nothing,
        "S_SETPRIO" => Op::SetPriority,
        "S_ICACHE_INV" | "S_INCPERFLEVEL" | "S_DECPERFLEVEL" => Op::Nothing,
        "S_SET_GPR_IDX_OFF" => Op::SetGprIndexOff,
        "S_SET_GPR_IDX_MODE" => Op::SetGprIndexMode,
        "S_GL1_INV" | "S_DCACHE_INV" | "S_DCACHE_INV_VOL" | "S_DCACHE_WB" | "S_DCACHE_WB_VOL" => Op::Nothing,
        "S_DCACHE_DISCARD" | "S_DCACHE_DISCARD_X2" | "S_ATC_PROBE" | "S_ATC_PROBE_BUFFER" => Op::Nothing,
        // The simulator has no caches.
        "GLOBAL_INV" | "GLOBAL_WB" | "GLOBAL_WBINV" => Op::Nothing,
        "S_SETHALT" | "S_SETKILL" => Op::StateBit,
        "S_WAKEUP" => Op::Nothing,
        "S_MEMTIME" => Op::MemoryTime,
        "S_MEMREALTIME" => Op::MemoryRealTime,
        "S_GET_WAVEID_IN_WORKGROUP" => Op::WaveInGroup,
        "S_SENDMSG_RTN_B32" | "S_SENDMSG_RTN_B64" => Op::MessageWithAnswer,
        // It waits for an export's buffer, which a compute kernel has not.
        "S_WAIT_EVENT" => Op::Nothing,
        "V_NOP" | "V_CLREXCP" | "V_PIPEFLUSH" => Op::Nothing,
        "V_MBCNT_LO_U32_B32" => Op::MaskedBitCount { high: false },
        "V_MBCNT_HI_U32_B32" => Op::MaskedBitCount { high: true },
        "V_SWAP_B32" => Op::Swap,
        "V_SWAP_B16" => Op::SwapHalves { high: [false; 2] },
        "V_PERMLANE64_B32" => Op::SwapHalfWaves,
        "V_PERMLANE16_SWAP_B32" => Op::SwapRows { lanes: 16 },
        "V_PERMLANE32_SWAP_B32" => Op::SwapRows { lanes: 32 },
        "V_MQSAD_U32_U8" => Op::MaskedQuadDifferences,
        "V_READFIRSTLANE_B32" => Op::ReadFirstLane,
        "V_READLANE_B32" => Op::ReadLane,
        "V_WRITELANE_B32" => Op::WriteLane,
        "V_MOVRELSD_2_B32" => Op::VectorMoveByTwo { swaps: false },
        "V_SWAPREL_B32" => Op::VectorMoveByTwo { swaps: true },
        "V_PERMLANE16_B32" => {
            Op::PermuteRows { is_other: false, by_lane: false, fetches_inactive: false, reads_zero: false }
        }
        "V_PERMLANEX16_B32" => {
            Op::PermuteRows { is_other: true, by_lane: false, fetches_inactive: false, reads_zero: false }
        }
        "V_PERMLANE16_VAR_B32" => {
            Op::PermuteRows { is_other: false, by_lane: true, fetches_inactive: false, reads_zero: false }
        }
        "V_PERMLANEX16_VAR_B32" => {
            Op::PermuteRows { is_other: true, by_lane: true, fetches_inactive: false, reads_zero: false }
        }
        "V_MOVRELS_B32" => Op::VectorMoveRelative { source: true, destination: false },
        "V_MOVRELD_B32" => Op::VectorMoveRelative { source: false, destination: true },
        "V_MOVRELSD_B32" => Op::VectorMoveRelative { source: true, destination: true },
        _ => return None,
    })
}
