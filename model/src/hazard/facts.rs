//! What an instruction reads, writes and is, as far as hazards go.

use super::class::{Class, Wanted, Written};
use super::vectors::Vectors;
use crate::decode::{Decoded, DecodedOperand, Location, Modifier};
use crate::isa::{Access, Encoding, InstructionClass, MatrixEngine, OperandKind, Segment};
use crate::quantity::Passes;

/// VCC, M0 and EXEC among the scalar registers.
const VCC: u8 = 106;
const M0: u8 = 124;
const EXEC: u8 = 126;
/// Hardware registers (facts §2.2), and the bit of MODE that is VSKIP.
const MODE: u16 = 1;
const TRAPSTS: u16 = 3;
const VSKIP: u16 = 28;

/// Scalar registers by code, a bit each.
pub(super) type Scalars = u128;

/// Which counter an instruction counts on, and so which wait its results need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counter {
    /// LDS, scalar memory and messages: LGKM_CNT. Scalar memory comes back in any order.
    Lgkm { in_order: bool },
    /// Vector memory: VM_CNT.
    Vm,
    /// Both: FLAT.
    Both,
}

/// An instruction as the hazard table sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Facts {
    pub(super) name: &'static str,
    classes: Vec<Class>,
    pub(super) scalars_read: Scalars,
    pub(super) scalars_written: Scalars,
    pub(super) vectors_read: Vectors,
    pub(super) vectors_written: Vectors,
    lane_select: Scalars,
    store_data: Vectors,
    /// What is multiplied, and what the products are added to, of dot products and matrix instructions.
    factors: Vectors,
    addend: Vectors,
    /// How long it holds the matrix unit.
    pub(super) passes: Option<Passes>,
    hwreg: Option<u16>,
    reads_vccz: bool,
    reads_execz: bool,
    pub(super) counter: Option<Counter>,
    /// Wait states that it is: more than one for S_NOP.
    pub(super) states: u32,
}

fn scalars(first: u8, count: u8) -> Scalars {
    (first..=first.saturating_add(count.max(1) - 1).min(127)).fold(0, |set, register| set | 1 << register)
}

impl Facts {
    pub(super) fn of(decoded: &Decoded) -> Self {
        let instruction = decoded.instruction;
        let name = instruction.name.as_str();
        let mut facts = Self {
            name,
            classes: classes(decoded),
            scalars_read: 0,
            scalars_written: 0,
            vectors_read: Vectors::default(),
            vectors_written: Vectors::default(),
            lane_select: 0,
            store_data: Vectors::default(),
            factors: Vectors::default(),
            addend: Vectors::default(),
            passes: decoded.passes(),
            hwreg: None,
            reads_vccz: instruction.is(InstructionClass::ReadsVccz),
            reads_execz: instruction.is(InstructionClass::ReadsExecz),
            counter: counter(decoded),
            states: match name {
                "S_NOP" => u32::from(decoded.words[0] as u16 & 0xf) + 1,
                // A part of the instruction behind it.
                _ if instruction.is(InstructionClass::MatrixScale) => 0,
                _ => 1,
            },
        };
        let is_store = facts.is(Class::WideStore);
        let is_hwreg = facts.is(Class::Setreg) || facts.is(Class::Getreg);
        for found in decoded.operands() {
            let (read, written) = (found.operand.is_read(), found.operand.is_written());
            match found.location {
                Location::Sgpr(first) => {
                    let registers = scalars(first, found.registers);
                    facts.scalars_read |= if read { registers } else { 0 };
                    facts.scalars_written |= if written { registers } else { 0 };
                    if facts.is(Class::LaneAccess) && matches!(found.operand.name.as_str(), "ssrc1" | "src1") {
                        facts.lane_select |= registers;
                    }
                }
                Location::Vgpr(first) | Location::Agpr(first) => {
                    let is_agpr = matches!(found.location, Location::Agpr(_));
                    if read {
                        facts.vectors_read.add(is_agpr, first, found.registers);
                        let part = if is_addend(decoded, &found) { &mut facts.addend } else { &mut facts.factors };
                        part.add(is_agpr, first, found.registers);
                    }
                    // The data of an atomic comes back with GLC only, and a wait is then needed in any case.
                    if written
                        && !(found.operand.access == Access::ReadWrite && facts.counter.is_some() && !has_glc(decoded))
                    {
                        facts.vectors_written.add(is_agpr, first, found.registers);
                    }
                    if is_store && matches!(found.operand.name.as_str(), "vdata" | "data") {
                        facts.store_data.add(is_agpr, first, found.registers);
                    }
                }
                Location::Vccz => facts.reads_vccz = true,
                Location::Execz => facts.reads_execz = true,
                Location::LdsDirect => {
                    facts.classes.push(Class::M0User);
                    facts.scalars_read |= scalars(M0, 1);
                }
                Location::Immediate(value) if is_hwreg && found.operand.name == "simm16" => {
                    facts.hwreg = Some(value as u16 & 0x3f);
                }
                _ => {}
            }
        }
        if instruction.is(InstructionClass::DivFmas) {
            facts.scalars_read |= scalars(VCC, 2);
        }
        if instruction.is(InstructionClass::WritesExec) {
            facts.scalars_written |= scalars(EXEC, 2);
        }
        facts
    }

    pub(super) fn is(&self, class: Class) -> bool {
        self.classes.contains(&class)
    }

    /// Whether what a producer writes is what this one wants.
    pub(super) fn wants(&self, wanted: Wanted, producer: &Self, written: Written) -> bool {
        let (vcc, exec, m0) = (scalars(VCC, 2), scalars(EXEC, 2), scalars(M0, 1));
        let writes = match written {
            Written::Sgpr => producer.scalars_written,
            Written::Vcc => producer.scalars_written & vcc,
            Written::VccHalf => match producer.scalars_written & vcc {
                half if half.count_ones() == 1 => half,
                _ => 0,
            },
            Written::Exec => producer.scalars_written & exec,
            Written::M0 => producer.scalars_written & m0,
            _ => 0,
        };
        // Vector registers that the producer writes, or still reads.
        let vectors = match written {
            Written::StoreData => &producer.store_data,
            Written::Addend => &producer.addend,
            _ => &producer.vectors_written,
        };
        let is_written = match written {
            Written::Vgpr | Written::StoreData | Written::Addend => !vectors.is_empty(),
            Written::Hwreg => producer.hwreg.is_some(),
            Written::Anything => true,
            _ => writes != 0,
        };
        is_written
            && match wanted {
                Wanted::Anything => true,
                Wanted::Sgpr | Wanted::Vcc => writes & self.scalars_read != 0,
                Wanted::LaneSelect => writes & self.lane_select != 0,
                Wanted::Vccz => self.reads_vccz,
                Wanted::Execz => self.reads_execz,
                Wanted::Vgpr => vectors.meets(&self.vectors_read),
                Wanted::WrittenVgpr => vectors.meets(&self.vectors_written),
                Wanted::Factor => vectors.meets(&self.factors),
                Wanted::Addend => *vectors != self.addend && vectors.meets(&self.addend),
                Wanted::SameAddend => *vectors == self.addend,
                Wanted::OtherVgpr => self.name != producer.name && vectors.meets(&self.vectors_read),
                Wanted::OtherWrittenVgpr => self.name != producer.name && vectors.meets(&self.vectors_written),
                Wanted::SameFactor => self.name == producer.name && vectors.meets(&self.factors),
                Wanted::Hwreg => producer.hwreg.is_some() && producer.hwreg == self.hwreg,
            }
    }
}

/// Whether an operand that is read is what products are added to: the destination, where that is read, otherwise the third source.
fn is_addend(decoded: &Decoded, found: &DecodedOperand) -> bool {
    let sums = decoded.matrix_operation().is_some() || decoded.instruction.is(InstructionClass::Dot);
    let in_place = decoded.instruction.operands.iter().any(|operand| operand.access == Access::ReadWrite);
    sums && if in_place { found.operand.access == Access::ReadWrite } else { found.operand.name == "src2" }
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

fn has_glc(decoded: &Decoded) -> bool {
    decoded.buffer().map(|fields| fields.glc).or_else(|| decoded.flat().map(|fields| fields.glc)).unwrap_or(true)
}

fn is_vmem(form: Encoding) -> bool {
    matches!(form, Encoding::Mubuf | Encoding::Mtbuf | Encoding::Mimg | Encoding::Vsample | Encoding::Flat)
}

fn counter(decoded: &Decoded) -> Option<Counter> {
    match decoded.form {
        Encoding::Smrd | Encoding::Smem => Some(Counter::Lgkm { in_order: false }),
        Encoding::Ds => Some(Counter::Lgkm { in_order: true }),
        Encoding::Flat if decoded.instruction.segment == Some(Segment::Flat) => Some(Counter::Both),
        form if is_vmem(form) => Some(Counter::Vm),
        _ => None,
    }
}

fn classes(decoded: &Decoded) -> Vec<Class> {
    use Encoding::{Ds, Exp, Flat, Sop1, Sop2, Sopc, Sopk, Vintrp, Vop1, Vop2, Vop3, Vop3p, Vopc};
    let form = decoded.form;
    let is = |class| decoded.instruction.is(class);
    let is_valu = matches!(form, Vop1 | Vop2 | Vop3 | Vop3p | Vopc | Vintrp);
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
        (Class::Salu, matches!(form, Sop1 | Sop2 | Sopc | Sopk)),
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
    ]
    .into_iter()
    .filter_map(|(class, is)| is.then_some(class))
    .collect()
}
