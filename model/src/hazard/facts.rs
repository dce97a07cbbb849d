//! What an instruction reads, writes and is, as far as hazards go.

use super::class::{Class, Wanted, Written};
use crate::decode::{Decoded, Location, Modifier};
use crate::isa::{Access, Encoding, InstructionClass, Segment};

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

/// Vector registers, a bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Vectors([u128; 2]);

impl Vectors {
    fn add(&mut self, first: u8, count: u8) {
        for register in first..=first.saturating_add(count.saturating_sub(1)) {
            self.0[usize::from(register / 128)] |= 1 << (register % 128);
        }
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0[0] & other.0[0] != 0 || self.0[1] & other.0[1] != 0
    }
}

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
            hwreg: None,
            reads_vccz: instruction.is(InstructionClass::ReadsVccz),
            reads_execz: instruction.is(InstructionClass::ReadsExecz),
            counter: counter(decoded),
            states: if name == "S_NOP" { u32::from(decoded.words[0] as u16 & 0xf) + 1 } else { 1 },
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
                Location::Vgpr(first) => {
                    if read {
                        facts.vectors_read.add(first, found.registers);
                    }
                    // The data of an atomic comes back with GLC only, and a wait is then needed in any case.
                    if written
                        && !(found.operand.access == Access::ReadWrite && facts.counter.is_some() && !has_glc(decoded))
                    {
                        facts.vectors_written.add(first, found.registers);
                    }
                    if is_store && matches!(found.operand.name.as_str(), "vdata" | "data") {
                        facts.store_data.add(first, found.registers);
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
            Written::Vgpr | Written::Hwreg | Written::StoreData | Written::Anything => 0,
        };
        let is_written = match written {
            Written::Vgpr => producer.vectors_written != Vectors::default(),
            Written::StoreData => producer.store_data != Vectors::default(),
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
                Wanted::Vgpr => producer.vectors_written.meets(&self.vectors_read),
                Wanted::WrittenVgpr => producer.store_data.meets(&self.vectors_written),
                Wanted::Hwreg => producer.hwreg.is_some() && producer.hwreg == self.hwreg,
            }
    }
}

fn has_glc(decoded: &Decoded) -> bool {
    decoded.buffer().map(|fields| fields.glc).or_else(|| decoded.flat().map(|fields| fields.glc)).unwrap_or(true)
}

fn is_vmem(form: Encoding) -> bool {
    matches!(form, Encoding::Mubuf | Encoding::Mtbuf | Encoding::Mimg | Encoding::Flat)
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
    [
        (Class::Valu, is_valu),
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
