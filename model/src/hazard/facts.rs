//! The reads, writes and class of an instruction, as far as hazards need them.

use super::class::{Class, Classes, Wanted, Written};
use super::classes::{classes, is_vmem};
use super::vectors::Vectors;
use super::wait::waits;
use crate::decode::{Decoded, DecodedOperand, Location};
use crate::isa::{Access, Encoding, InstructionClass, OperandKind, Segment, WaitCounts};
use crate::quantity::Passes;

/// VCC and EXEC among the scalar registers, and the first one that has no number there: M0, or what reads as 0.
const VCC: u8 = 106;
const UNNUMBERED: u8 = 124;
const EXEC: u8 = 126;

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
    pub(super) classes: Classes,
    pub(super) scalars_read: Scalars,
    pub(super) scalars_written: Scalars,
    pub(super) vectors_read: Vectors,
    /// Those of them whose value it needs: of a register that an LDS load fills by half it keeps the other half as it is.
    pub(super) vectors_needed: Vectors,
    pub(super) vectors_written: Vectors,
    lane_select: Scalars,
    store_data: Vectors,
    /// The factors and the addend of dot products and matrix instructions.
    factors: Vectors,
    addend: Vectors,
    /// How long it holds the matrix unit.
    pub(super) passes: Option<Passes>,
    hwreg: Option<u16>,
    /// M0, which has another code from RDNA 3 on.
    m0: Scalars,
    /// Whether it reads EXEC, and is no vector ALU, all of which do.
    reads_exec: bool,
    /// Scalar registers with a bit for each lane, which it reads.
    masks: Scalars,
    reads_vccz: bool,
    reads_execz: bool,
    pub(super) counter: Option<Counter>,
    /// Of one that waits: for which counts.
    pub(super) waits_until: Option<WaitCounts>,
    /// Wait states that it is: more than one for S_NOP.
    pub(super) states: u32,
}

fn scalars(first: u8, count: u8) -> Scalars {
    (first..=first.saturating_add(count.max(1) - 1).min(127)).fold(0, |set, register| set | 1 << register)
}

/// Scalar registers and their neighbours: an even number and the next odd one.
fn whole_pairs(registers: Scalars) -> Scalars {
    let even = Scalars::MAX / 3;
    registers | (registers & even) << 1 | registers >> 1 & even
}

/// The wait states that an instruction makes: one, or those of S_NOP.
pub fn states_of(decoded: &Decoded) -> u32 {
    match decoded.instruction.name.as_str() {
        "S_NOP" => u32::from(decoded.words[0] as u16 & 0xf) + 1,
        // A part of the instruction after it.
        _ if decoded.instruction.is(InstructionClass::MatrixScale) => 0,
        _ => 1,
    }
}

impl Facts {
    pub(super) fn of(decoded: &Decoded) -> Self {
        // Long: a table, with a line for each fact.
        let instruction = decoded.instruction;
        let name = instruction.name.as_str();
        let mut facts = Self {
            name,
            classes: classes(decoded),
            scalars_read: 0,
            scalars_written: 0,
            vectors_read: Vectors::default(),
            vectors_needed: Vectors::default(),
            vectors_written: Vectors::default(),
            lane_select: 0,
            store_data: Vectors::default(),
            factors: Vectors::default(),
            addend: Vectors::default(),
            passes: decoded.passes(),
            hwreg: None,
            m0: scalars(decoded.generation.operand_codes.m0, 1),
            reads_exec: false,
            masks: 0,
            reads_vccz: instruction.is(InstructionClass::ReadsVccz),
            reads_execz: instruction.is(InstructionClass::ReadsExecz),
            counter: counter(decoded),
            waits_until: decoded.wait_counts(),
            states: states_of(decoded),
        };
        let is_store = facts.is(Class::WideStore);
        let is_hwreg = facts.is(Class::Setreg) || facts.is(Class::Getreg);
        for found in decoded.operands() {
            let (read, written) = (found.operand.is_read(), found.operand.is_written());
            match found.location {
                // A write there is lost, and a read gives 0.
                Location::Sgpr(first) if decoded.generation.operand_codes.null == Some(first) => {}
                Location::Sgpr(first) => {
                    let registers = scalars(first, found.registers);
                    if read && matches!(found.operand.kind, OperandKind::Vcc | OperandKind::Mask) {
                        facts.masks |= registers;
                    }
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
                        if !(found.operand.access == Access::ReadWrite && instruction.encoding == Encoding::Ds) {
                            facts.vectors_needed.add(is_agpr, first, found.registers);
                        }
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
                    facts.add(Some(Class::M0User));
                    facts.scalars_read |= facts.m0;
                }
                Location::Immediate(value) if is_hwreg && found.operand.name == "simm16" => {
                    facts.hwreg = Some(value as u16 & 0x3f);
                }
                _ => {}
            }
        }
        if instruction.is(InstructionClass::DivFmas) {
            facts.scalars_read |= scalars(VCC, 2);
            facts.masks |= scalars(VCC, 2);
        }
        if instruction.is(InstructionClass::WritesExec) {
            facts.scalars_written |= scalars(EXEC, 2);
        }
        facts.classes_by_registers(decoded);
        facts
    }

    /// Adds the classes that say which registers are read or written.
    fn classes_by_registers(&mut self, decoded: &Decoded) {
        let (vcc, exec, numbered) = (scalars(VCC, 2), scalars(EXEC, 2), scalars(0, UNNUMBERED));
        let is = |class| decoded.instruction.is(class);
        let (is_valu, is_salu) = (self.is(Class::Valu), self.is(Class::Salu));
        // What scalar ALU leaves in EXEC of the lanes it found there, it reads from there.
        let names_exec = self.scalars_read & exec != 0 || is(InstructionClass::WritesExec);
        self.reads_exec = !is_valu && (names_exec || self.reads_execz || self.is(Class::Memory));
        let read = self.scalars_read;
        let multiplies_wide = matches!(self.name, "V_MAD_U64_U32" | "V_MAD_I64_I32");
        let found = [
            (Class::ValuWritingSgpr, is_valu && self.scalars_written & !exec != 0 && !self.is(Class::LaneRead)),
            (Class::MaskReader, is_valu && self.masks != 0),
            (Class::SaluReadingSgpr, is_salu && read & numbered & !vcc != 0),
            (Class::SaluReadingVcc, is_salu && read & vcc != 0 || self.is(Class::VcczBranch)),
            (Class::ExecReader, self.reads_exec),
            (Class::OverlappingMad, multiplies_wide && self.vectors_written.meets(&self.vectors_read)),
        ];
        self.add(found.into_iter().filter_map(|(class, is)| is.then_some(class)));
        self.add(waits(decoded));
    }

    fn add(&mut self, classes: impl IntoIterator<Item = Class>) {
        self.classes = self.classes.with(classes.into_iter().collect());
    }

    pub(super) fn is(&self, class: Class) -> bool {
        self.classes.has(class)
    }

    /// Whether it writes such registers.
    pub(super) fn writes(&self, written: Written) -> bool {
        self.wants(Wanted::Anything, self, written)
    }

    /// Whether this instruction wants the producer's result.
    pub(super) fn wants(&self, wanted: Wanted, producer: &Self, written: Written) -> bool {
        let (vcc, exec, m0) = (scalars(VCC, 2), scalars(EXEC, 2), producer.m0);
        let numbered = scalars(0, UNNUMBERED);
        let writes = match written {
            Written::Sgpr => producer.scalars_written,
            Written::Vcc => producer.scalars_written & vcc,
            Written::VccHalf => match producer.scalars_written & vcc {
                half if half.count_ones() == 1 => half,
                _ => 0,
            },
            Written::Exec => producer.scalars_written & exec,
            Written::M0 => producer.scalars_written & m0,
            Written::NumberedSgpr => producer.scalars_written & numbered,
            Written::SgprButVcc => producer.scalars_written & numbered & !vcc,
            Written::ReadSgpr if producer.is(Class::LaneMemory) => producer.scalars_read | exec,
            Written::ReadSgpr => producer.scalars_read,
            Written::ReadExec if producer.reads_exec => exec,
            Written::ReadMask => producer.masks,
            Written::ReadPair => whole_pairs(producer.scalars_read & numbered),
            _ => 0,
        };
        // Vector registers that the producer writes, or still reads.
        let vectors = match written {
            Written::StoreData => &producer.store_data,
            Written::Addend => &producer.addend,
            Written::Factor => &producer.factors,
            Written::ReadVgpr => &producer.vectors_read,
            _ => &producer.vectors_written,
        };
        let is_written = match written {
            Written::Vgpr | Written::StoreData | Written::Addend | Written::Factor | Written::ReadVgpr => {
                !vectors.is_empty()
            }
            Written::Hwreg => producer.hwreg.is_some(),
            Written::Anything => true,
            _ => writes != 0,
        };
        is_written
            && match wanted {
                Wanted::Anything => true,
                Wanted::Sgpr | Wanted::Vcc => writes & self.scalars_read != 0,
                Wanted::WrittenSgpr => writes & self.scalars_written != 0,
                Wanted::LaneSelect => writes & self.lane_select != 0,
                Wanted::Vccz => self.reads_vccz,
                Wanted::Execz => self.reads_execz,
                Wanted::Vgpr | Wanted::VgprBesideNewer => vectors.meets(&self.vectors_read),
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
    let is = |class| decoded.instruction.is(class);
    let sums = decoded.matrix_operation().is_some() || is(InstructionClass::Dot) || is(InstructionClass::WaveMatrix);
    let in_place = decoded.instruction.operands.iter().any(|operand| operand.access == Access::ReadWrite);
    sums && if in_place { found.operand.access == Access::ReadWrite } else { found.operand.name == "src2" }
}

fn has_glc(decoded: &Decoded) -> bool {
    decoded.buffer().map(|fields| fields.glc).or_else(|| decoded.flat().map(|fields| fields.glc)).unwrap_or(true)
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
