//! Which classes of the hazard table an instruction is of.

use super::class::{Class, Classes};
use crate::decode::{Decoded, Location, Modifier};
use crate::isa::{Encoding, InstructionClass, MatrixEngine, OperandKind, Segment};

/// Hardware registers (facts §2.2), and the bit of MODE that is VSKIP.
const MODE: u16 = 1;
const TRAPSTS: u16 = 3;
const VSKIP: u16 = 28;

/// The classes of an instruction that its name and its encoding tell; those that its registers tell are added to them.
pub(super) fn classes(decoded: &Decoded) -> Classes {
    // Long: a table, with a line for each class.
    use Encoding::{
        Ds, Exp, Flat, Sop1, Sop2, Sopc, Sopk, Vinterp, Vintrp, Vop1, Vop2, Vop3, Vop3p, Vopc, Vopd, Vopd3,
    };
    let form = decoded.form;
    let is = |class| decoded.instruction.is(class);
    let is_valu = matches!(form, Vop1 | Vop2 | Vop3 | Vop3p | Vopc | Vopd | Vopd3 | Vintrp | Vinterp);
    let is_interp = form == Vintrp || decoded.instruction.encoding == Vintrp;
    let is_setreg = is(InstructionClass::SetRegister);
    let (hwreg, low, size) = {
        let simm = decoded.simm16().unwrap_or_default() as u16;
        (simm & 0x3f, simm >> 6 & 0x1f, (simm >> 11) + 1)
    };
    let sets_vskip = is_setreg && hwreg == MODE && (low..low + size).contains(&VSKIP);
    let is_gds = form == Ds && (decoded.ds().is_some_and(|fields| fields.gds) || is(InstructionClass::GlobalWaveSync));
    let loads_to_lds =
        decoded.buffer().is_some_and(|fields| fields.lds) || decoded.flat().is_some_and(|fields| fields.lds);
    let is_store = is_vmem(form) && (is(InstructionClass::Store) || is(InstructionClass::Atomic));
    let is_wide = || {
        let data = decoded.instruction.operands.iter().find(|operand| operand.name == "vdata");
        let soffset = decoded.buffer().map(|fields| fields.soffset);
        is(InstructionClass::Store)
            && data.is_some_and(|data| data.bits > 64)
            && !matches!(soffset, Some(Location::Sgpr(_)))
    };
    let operation = decoded.matrix_operation();
    let of_engine = |engine| operation.is_some_and(|operation| operation.engine == engine);
    let moves_agpr = is(InstructionClass::Matrix) && operation.is_none();
    let writes_agpr = decoded.instruction.operands.iter().any(|it| it.kind == OperandKind::Agpr && it.is_written());
    let is_other = is_valu && operation.is_none();
    let besides = [InstructionClass::WaveMatrixOf2, InstructionClass::WaveMatrixOf4, InstructionClass::WaveMatrixOf8];
    let name = decoded.instruction.name.as_str();
    let is_salu = matches!(form, Sop1 | Sop2 | Sopc | Sopk);
    let is_branch = form == Encoding::Sopp && decoded.branch_target(0).is_some();
    let is_flat = decoded.instruction.segment == Some(Segment::Flat);
    let is_permlane = name.starts_with("V_PERMLANE") && !is(InstructionClass::LaneSwap);
    [
        (Class::Valu, is_valu),
        (Class::Mfma, operation.is_some()),
        (Class::Xdl, of_engine(MatrixEngine::Xdl)),
        (Class::Sgemm, of_engine(MatrixEngine::Sgemm)),
        (Class::Dgemm, of_engine(MatrixEngine::Dgemm)),
        (Class::NotXdl, of_engine(MatrixEngine::Sgemm) || of_engine(MatrixEngine::Dgemm)),
        (Class::OtherValu, is_other),
        (Class::NotMatrix, is_other || is_vmem(form) || matches!(form, Ds | Exp)),
        (Class::PlainValu, is_other && !is(InstructionClass::Dot)),
        (Class::ValuOfVgprs, is_other && !writes_agpr),
        (Class::AccvgprRead, moves_agpr && !writes_agpr),
        (Class::AccvgprWrite, moves_agpr && writes_agpr),
        (Class::Memory, is_vmem(form) || matches!(form, Ds | Exp)),
        (Class::Dot, is(InstructionClass::Dot)),
        (Class::Transcendental, is(InstructionClass::Transcendental)),
        (Class::NotTranscendental, is_valu && !is(InstructionClass::Transcendental)),
        (Class::PartialWrite, is_valu && writes_part(decoded)),
        (Class::LaneSwap, is(InstructionClass::LaneSwap)),
        (Class::DoubleFma, is(InstructionClass::DoubleFma)),
        (Class::Salu, is_salu),
        (Class::Smem, matches!(form, Encoding::Smrd | Encoding::Smem)),
        (Class::SBufferLoad, is(InstructionClass::ScalarBufferLoad)),
        (Class::Vmem, is_vmem(form)),
        (Class::DivFmas, is(InstructionClass::DivFmas)),
        (Class::LaneAccess, is(InstructionClass::LaneAccess)),
        (Class::LaneRead, is(InstructionClass::LaneRead)),
        (Class::Dpp, decoded.modifier == Some(Modifier::Dpp)),
        (Class::Setreg, is_setreg),
        (Class::Getreg, is(InstructionClass::GetRegister)),
        (Class::SetVskip, is(InstructionClass::SetVskip) || sets_vskip),
        (Class::SetTrapsts, is_setreg && hwreg == TRAPSTS),
        (Class::Rfe, is(InstructionClass::ReturnFromException)),
        (Class::Vector, is_valu || is_vmem(form) || matches!(form, Ds | Exp)),
        (Class::Gds, is_gds),
        (Class::Message, is(InstructionClass::Message)),
        (Class::M0User, is_interp || loads_to_lds || is(InstructionClass::ReadsM0)),
        (Class::WideStore, is_store && (form == Flat || is_wide())),
        (Class::Interp, is_interp),
        (Class::VcczBranch, is(InstructionClass::ReadsVccz)),
        (Class::LaneMemory, is_vmem(form) || form == Ds),
        (Class::Lds, form == Ds),
        (Class::VmemButFlat, is_vmem(form) && !is_flat),
        (Class::DescriptorMemory, is_vmem(form) && form != Flat),
        (Class::Branch, is_branch),
        (Class::BranchOver63, is_branch && decoded.simm16() == Some(63)),
        (Class::InstPrefetch, name == "S_INST_PREFETCH"),
        (Class::ScalarWork, is_salu && !name.starts_with("S_WAITCNT") && name != "S_VERSION"),
        (Class::Alu, is_valu || is_salu),
        (Class::ValuButNop, is_valu && name != "V_NOP"),
        (Class::Cmpx, is_valu && is(InstructionClass::WritesExec)),
        (Class::Permlane, is_permlane),
        (Class::WaveMatrix, is(InstructionClass::WaveMatrix)),
        (Class::MatrixBesideValu, besides.into_iter().any(is)),
        (Class::WaveMatrixOf2, is(InstructionClass::WaveMatrixOf2)),
        (Class::WaveMatrixOf4, is(InstructionClass::WaveMatrixOf4)),
        (Class::WaveMatrixOf8, is(InstructionClass::WaveMatrixOf8)),
        (
            Class::ValuBesideMatrix,
            is_valu && !is(InstructionClass::Transcendental) && !is(InstructionClass::WaveMatrix),
        ),
        (Class::FloatAtomic, is_vmem(form) && name.contains("_ATOMIC_F")),
        (Class::DenormMode, name == "S_DENORM_MODE"),
    ]
    .into_iter()
    .filter_map(|(class, is)| is.then_some(class))
    .collect()
}

/// Whether a vector instruction writes a part of its destination: SDWA selects it, or OP_SEL does.
///
/// Source: LLVM 22.1 `GCNHazardRecognizer.cpp`, `getDstSelForwardingOperand`.
fn writes_part(decoded: &Decoded) -> bool {
    /// DST_SEL of a whole dword.
    const DWORD: u8 = 6;
    match decoded.sdwa() {
        Some(sdwa) => sdwa.dst_sel != DWORD,
        None => decoded.form == Encoding::Vop3 && decoded.vop3().is_some_and(|fields| fields.op_sel[3]),
    }
}

pub(super) fn is_vmem(form: Encoding) -> bool {
    matches!(form, Encoding::Mubuf | Encoding::Mtbuf | Encoding::Mimg | Encoding::Vsample | Encoding::Flat)
}
