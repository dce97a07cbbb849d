//! What the machine does for an instruction, beyond taking its time.
//!
//! Whatever is not listed here has no semantics: its results are unknown ([`Operation::Forget`]) or, where not
//! even the time could be right without them (memory, mode changes), the machine refuses to execute it.

use crate::isa::{Encoding, Instruction};

/// A scalar comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    NotEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessEqual,
}

/// A scalar or vector function of two dwords.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Binary {
    /// a & b.
    And,
    /// a & !b.
    AndNot,
    /// a | b.
    Or,
    /// a | !b.
    OrNot,
    /// a ^ b.
    Xor,
    /// !(a & b).
    Nand,
    /// !(a | b).
    Nor,
    /// !(a ^ b).
    Xnor,
    /// !a & b (the SAVEEXEC forms of GCN 1.4).
    NotAnd,
    /// !a | b.
    NotOr,
    /// a << b.
    ShiftLeft,
    /// a >> b, zeros in.
    ShiftRight,
    /// a >> b, sign in.
    ShiftRightArithmetic,
    /// b << a (the REV forms).
    ShiftLeftReversed,
    /// b >> a.
    ShiftRightReversed,
    /// Low half of a × b.
    Multiply,
    /// Low 24 bits multiplied.
    Multiply24,
}

/// What a conditional jump looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Condition {
    /// SCC has this value.
    Scc(bool),
    /// VCC is zero (VCCZ has this value).
    Vccz(bool),
    /// EXEC is zero (EXECZ has this value).
    Execz(bool),
    /// A flag that only a debugger sets (COND_DBG_USER, COND_DBG_SYS): the model has none.
    Debug,
}

/// What an instruction does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    /// Takes its time; its destinations become unknown.
    Forget,
    /// Takes its time and changes nothing that the machine keeps.
    Nothing,
    /// It names a register that the kernel descriptor does not allocate: the machine stops.
    OutOfRange,
    /// Not modelled: the machine stops.
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
    /// S_*_SAVEEXEC_B64: the destination gets EXEC, EXEC the function of source and EXEC.
    SaveExec(Binary),
    /// S_*_WREXEC_B64: EXEC and the destination get the function of source and EXEC.
    WriteExec(Binary),
    /// S_MOVREL*: like a move, if M0 is 0.
    ScalarMoveRelative,
    /// S_SETVSKIP.
    SetVskip,
    /// S_SET_GPR_IDX_ON and S_SET_GPR_IDX_IDX: allowed with index 0.
    SetGprIndex,
    /// S_GETREG_B32.
    GetHardwareRegister,
    /// S_GETPC_B64.
    GetProgramCounter,
    /// S_SETPC_B64.
    SetProgramCounter,
    /// S_SWAPPC_B64.
    SwapProgramCounter,
    /// S_BRANCH.
    Branch,
    /// S_CBRANCH_*.
    ConditionalBranch(Condition),
    /// S_ENDPGM.
    EndProgram,
    /// S_NOP: the immediate is a number of further wait states.
    Nop,
    /// S_SLEEP: the immediate times 64 cycles.
    Sleep,
    /// S_WAITCNT.
    WaitCount,
    /// S_BARRIER.
    Barrier,
    /// S_LOAD_DWORD*: this many dwords.
    ScalarLoad(u8),
    /// S_BUFFER_LOAD_DWORD*: takes its time; the data are unknown.
    ScalarBufferLoad,
    /// S_MEMTIME.
    MemoryTime,
    /// S_MEMREALTIME.
    MemoryRealTime,
    /// V_MOV_B32.
    VectorMove,
    /// Two 32-bit sources, lane by lane.
    Vector32(Binary),
    /// V_ADD_I32, V_ADD_U32, V_ADD_CO_U32: the sum, and VCC where the form has a carry out.
    VectorAdd,
    /// V_MBCNT_LO_U32_B32 (`high` false), V_MBCNT_HI_U32_B32.
    MaskedBitCount { high: bool },
    /// V_READFIRSTLANE_B32.
    ReadFirstLane,
    /// V_READLANE_B32.
    ReadLane,
    /// V_WRITELANE_B32.
    WriteLane,
    /// V_MOVREL*: like a move, if M0 is 0.
    VectorMoveRelative,
    /// V_CMPX_*: EXEC and the destination become unknown.
    CompareToExec,
    /// BUFFER_STORE_DWORD*: this many dwords a lane.
    BufferStore(u8),
    /// BUFFER_LOAD_DWORD*: this many dwords a lane.
    BufferLoad(u8),
}

impl Operation {
    /// The operation of an instruction.
    pub(super) fn of(instruction: &Instruction) -> Self {
        named(&instruction.name).unwrap_or_else(|| match instruction.encoding {
            // The manual's naming rule: the CMPX forms, and only they, also write EXEC.
            Encoding::Vopc if instruction.name.starts_with("V_CMPX_") => Self::CompareToExec,
            Encoding::Sop1 | Encoding::Sop2 | Encoding::Sopk | Encoding::Sopc => Self::Forget,
            Encoding::Vop1 | Encoding::Vop2 | Encoding::Vop3 | Encoding::Vop3p | Encoding::Vopc => Self::Forget,
            Encoding::Smrd | Encoding::Smem => Self::Refuse(": this scalar memory instruction has no model yet"),
            Encoding::Sopp => Self::Refuse(": this program control instruction has no model"),
            Encoding::Ds => Self::Refuse(": LDS and GDS have no model yet"),
            Encoding::Mubuf | Encoding::Mtbuf => Self::Refuse(": this buffer instruction has no model yet"),
            Encoding::Flat => Self::Refuse(": flat memory has no model yet"),
            Encoding::Mimg => Self::Refuse(": images have no model"),
            Encoding::Exp | Encoding::Vintrp => {
                Self::Refuse(": a compute unit without graphics has no exports or parameters")
            }
        })
    }
}

fn named(name: &str) -> Option<Operation> {
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
        "S_MOVRELS_B32" | "S_MOVRELS_B64" | "S_MOVRELD_B32" | "S_MOVRELD_B64" => Op::ScalarMoveRelative,
        "S_SETVSKIP" => Op::SetVskip,
        "S_SET_GPR_IDX_ON" | "S_SET_GPR_IDX_IDX" => Op::SetGprIndex,
        "S_GETREG_B32" => Op::GetHardwareRegister,
        "S_SETREG_B32" | "S_SETREG_IMM32_B32" => Op::Nothing,
        "S_GETPC_B64" => Op::GetProgramCounter,
        "S_SETPC_B64" => Op::SetProgramCounter,
        "S_SWAPPC_B64" => Op::SwapProgramCounter,
        "S_RFE_B64" | "S_RFE_RESTORE_B64" => Op::Refuse(": it returns from a trap handler, and there is none"),
        "S_CBRANCH_G_FORK" | "S_CBRANCH_I_FORK" | "S_CBRANCH_JOIN" => Op::Refuse(": forks have no model"),
        "S_CALL_B64" => Op::Refuse(": calls have no model yet"),
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
        "S_SLEEP" => Op::Sleep,
        "S_WAITCNT" => Op::WaitCount,
        "S_BARRIER" => Op::Barrier,
        "S_SETPRIO" | "S_ICACHE_INV" | "S_INCPERFLEVEL" | "S_DECPERFLEVEL" => Op::Nothing,
        "S_SET_GPR_IDX_OFF" | "S_SET_GPR_IDX_MODE" => Op::Nothing,
        "S_DCACHE_INV" | "S_DCACHE_INV_VOL" | "S_DCACHE_WB" | "S_DCACHE_WB_VOL" => Op::Nothing,
        "S_LOAD_DWORD" => Op::ScalarLoad(1),
        "S_LOAD_DWORDX2" => Op::ScalarLoad(2),
        "S_LOAD_DWORDX4" => Op::ScalarLoad(4),
        "S_LOAD_DWORDX8" => Op::ScalarLoad(8),
        "S_LOAD_DWORDX16" => Op::ScalarLoad(16),
        "S_BUFFER_LOAD_DWORD" | "S_BUFFER_LOAD_DWORDX2" | "S_BUFFER_LOAD_DWORDX4" => Op::ScalarBufferLoad,
        "S_BUFFER_LOAD_DWORDX8" | "S_BUFFER_LOAD_DWORDX16" => Op::ScalarBufferLoad,
        "S_MEMTIME" => Op::MemoryTime,
        "S_MEMREALTIME" => Op::MemoryRealTime,
        "V_NOP" | "V_CLREXCP" => Op::Nothing,
        "V_MOV_B32" => Op::VectorMove,
        "V_AND_B32" => Op::Vector32(Binary::And),
        "V_OR_B32" => Op::Vector32(Binary::Or),
        "V_XOR_B32" => Op::Vector32(Binary::Xor),
        "V_LSHL_B32" => Op::Vector32(Binary::ShiftLeft),
        "V_LSHR_B32" => Op::Vector32(Binary::ShiftRight),
        "V_LSHLREV_B32" => Op::Vector32(Binary::ShiftLeftReversed),
        "V_LSHRREV_B32" => Op::Vector32(Binary::ShiftRightReversed),
        "V_MUL_U32_U24" => Op::Vector32(Binary::Multiply24),
        "V_MUL_LO_U32" | "V_MUL_LO_I32" => Op::Vector32(Binary::Multiply),
        "V_ADD_I32" | "V_ADD_U32" | "V_ADD_CO_U32" => Op::VectorAdd,
        "V_MBCNT_LO_U32_B32" => Op::MaskedBitCount { high: false },
        "V_MBCNT_HI_U32_B32" => Op::MaskedBitCount { high: true },
        "V_READFIRSTLANE_B32" => Op::ReadFirstLane,
        "V_READLANE_B32" => Op::ReadLane,
        "V_WRITELANE_B32" => Op::WriteLane,
        "V_MOVRELS_B32" | "V_MOVRELD_B32" | "V_MOVRELSD_B32" => Op::VectorMoveRelative,
        "BUFFER_STORE_DWORD" => Op::BufferStore(1),
        "BUFFER_STORE_DWORDX2" => Op::BufferStore(2),
        "BUFFER_STORE_DWORDX3" => Op::BufferStore(3),
        "BUFFER_STORE_DWORDX4" => Op::BufferStore(4),
        "BUFFER_LOAD_DWORD" => Op::BufferLoad(1),
        "BUFFER_LOAD_DWORDX2" => Op::BufferLoad(2),
        "BUFFER_LOAD_DWORDX3" => Op::BufferLoad(3),
        "BUFFER_LOAD_DWORDX4" => Op::BufferLoad(4),
        _ => return None,
    })
}

impl Binary {
    /// The function on one dword; shift amounts are taken modulo 32, as the hardware does.
    pub(super) fn apply32(self, a: u32, b: u32) -> u32 {
        match self {
            Self::And => a & b,
            Self::AndNot => a & !b,
            Self::Or => a | b,
            Self::OrNot => a | !b,
            Self::Xor => a ^ b,
            Self::Nand => !(a & b),
            Self::Nor => !(a | b),
            Self::Xnor => !(a ^ b),
            Self::NotAnd => !a & b,
            Self::NotOr => !a | b,
            Self::ShiftLeft => a << (b & 31),
            Self::ShiftRight => a >> (b & 31),
            Self::ShiftRightArithmetic => (a as i32 >> (b & 31)) as u32,
            Self::ShiftLeftReversed => b << (a & 31),
            Self::ShiftRightReversed => b >> (a & 31),
            Self::Multiply => a.wrapping_mul(b),
            Self::Multiply24 => (a & 0xff_ffff).wrapping_mul(b & 0xff_ffff),
        }
    }

    /// The function on 64 bits, for the bitwise ones; a shift or product of 64 bits is none of them.
    pub(super) fn apply64(self, a: u64, b: u64) -> Option<u64> {
        Some(match self {
            Self::And => a & b,
            Self::AndNot => a & !b,
            Self::Or => a | b,
            Self::OrNot => a | !b,
            Self::Xor => a ^ b,
            Self::Nand => !(a & b),
            Self::Nor => !(a | b),
            Self::Xnor => !(a ^ b),
            Self::NotAnd => !a & b,
            Self::NotOr => !a | b,
            _ => return None,
        })
    }
}

impl Comparison {
    /// The comparison of two dwords.
    pub(super) fn holds(self, a: u32, b: u32, signed: bool) -> bool {
        let order = if signed { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) };
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
        }
    }
}
