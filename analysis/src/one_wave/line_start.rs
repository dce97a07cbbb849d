//! The probes of the charge at the start of a line, and those that apply to an experiment.

use std::collections::HashMap;

use gcn_model::isa::{self, Encoding, OperandKind};
use gcn_model::quantity::Cycles;
use gcn_model::record::{ExperimentKind, ExperimentRecord, LINE_START, LineStartCase};

use super::charge::{Charge, JumpProbe, Twin, is_alike, is_seen, mean};
use crate::run::StoredRun;
use crate::settle::{CYCLES_RESOLUTION, least_issue_cycles};
use crate::statistics::Estimate;

/// Bytes of an instruction that no front end charges for its size.
const ONE_DWORD: u32 = 4;

/// The measurements of a run's probes.
#[derive(Debug, Clone, Default)]
pub(super) struct LineStart {
    twins: Vec<Twin>,
    /// Jumps that are taken, and those that are not.
    taken: Vec<JumpProbe>,
    untaken: Vec<JumpProbe>,
    /// What the second dword costs short operations back to back from the start of a line on, each in the mean.
    copies: Vec<Estimate>,
    /// Cycles for which instructions hold their units at most, by name.
    pub(super) reservations: HashMap<String, f64>,
}

impl LineStart {
    /// The probes of a run; `cycles` are those of an experiment's target, by its position, if they settled.
    pub(super) fn of(run: &StoredRun, cycles: impl Fn(usize) -> Option<Estimate>) -> Self {
        let mut found = Self::default();
        let probes = || run.experiments.iter().enumerate().filter(|(_, record)| record.rule == LINE_START);
        for (position, base) in probes().filter(|(_, record)| record.baseline.is_empty()) {
            let others = || probes().filter(|(_, record)| record.baseline == base.experiment);
            let at = |offset: Option<u32>| {
                let (position, _) = others().find(|(_, record)| record.offset_dwords == offset)?;
                cycles(position)
            };
            let Some(measured) = cycles(position) else { continue };
            let jump = || Some(JumpProbe { measured, first: at(Some(0))?, second: at(Some(1))? });
            match LineStartCase::read(&base.case) {
                LineStartCase::NotTaken(_) => found.untaken.extend(jump()),
                LineStartCase::Taken(_) => found.taken.extend(jump()),
                LineStartCase::Operation(_) => {
                    let twin = |in_two: Estimate| Twin { one_dword: measured, charge: in_two.minus(&measured) };
                    if overlaps(run, base, &measured, &cycles) {
                        continue;
                    }
                    found.twins.extend(at(None).map(twin));
                    let [alone, in_two_alone] = [ONE_DWORD, 2 * ONE_DWORD].map(|bytes| {
                        let is_it =
                            |record: &ExperimentRecord| record.offset_dwords == Some(0) && record.bytes == bytes;
                        others().find(|(_, record)| is_it(record)).and_then(|(position, _)| cycles(position))
                    });
                    let is_short = |alone: &Estimate| is_alike(alone, least_issue_cycles(run.generation).0);
                    if let Some((alone, in_two_alone)) = alone.filter(is_short).zip(in_two_alone) {
                        found.copies.push(in_two_alone.minus(&alone));
                    }
                }
            }
        }
        found
    }

    /// The charge of 2-dword instructions back to back, each in the mean; `None` without probes that agree on it.
    pub(super) fn charge_of_copies(&self) -> Option<Estimate> {
        let all = mean(&self.copies).filter(|all| self.copies.iter().all(|one| is_alike(one, all.value)))?;
        Some(if is_seen(&all) { all } else { Estimate::exactly(0.0) })
    }

    /// The most that a 2-dword instruction is charged at the start of a line; `None` without probes. The fillers of a probe may hide a
    /// charge that copies back to back show.
    pub(super) fn most_at_start(&self) -> Option<Cycles> {
        let seen = |charge: &Estimate| if is_seen(charge) { charge.value } else { 0.0 };
        let charges = self.twins.iter().map(|twin| &twin.charge).chain(&self.copies);
        charges.map(seen).reduce(f64::max).map(Cycles)
    }

    /// The charge of an experiment's target with these measured cycles.
    pub(super) fn charge(&self, run: &StoredRun, position: usize, measured: &Estimate) -> Charge {
        let record = &run.experiments[position];
        let least = least_issue_cycles(run.generation);
        let instruction = isa::find(&record.instruction, run.generation);
        let has_label =
            instruction.is_some_and(|found| found.operands.iter().any(|operand| operand.kind == OperandKind::Label));
        match record.kind {
            ExperimentKind::Taken => {
                let charge = Charge::of_jump(&self.taken, measured, least);
                // The probes are forward jumps to a target in their text.
                if has_label && record.case.is_empty() { charge } else { charge.or_nothing() }
            }
            ExperimentKind::Cycles if has_label => Charge::of_jump(&self.untaken, measured, least),
            ExperimentKind::Cycles if record.bytes > ONE_DWORD => {
                let charge = Charge::of_two_dwords(&self.twins, measured, least);
                if instruction.is_some_and(|found| shares_unit(found.encoding)) {
                    charge.hidden_by(self.reservation(record), measured, least)
                } else {
                    charge
                }
            }
            _ => Charge::None,
        }
    }

    fn reservation(&self, record: &ExperimentRecord) -> Option<f64> {
        self.reservations.get(&record.instruction).copied()
    }
}

/// Whether a wave continues during an operation that holds its unit: then copies alone take longer than one between fillers of another unit.
///
/// Such a block is as long as the operation or its fillers, whichever takes longer. A filler fewer makes room for a second dword, and shortens
/// nothing where the operation is longer: that looks like a charge for the dword, but is not.
fn overlaps(
    run: &StoredRun,
    probe: &ExperimentRecord,
    measured: &Estimate,
    cycles: impl Fn(usize) -> Option<Estimate>,
) -> bool {
    let is_alone = |record: &ExperimentRecord| {
        let is_probe = record.kind == ExperimentKind::Block && record.rule == LINE_START;
        (is_probe || record.kind == ExperimentKind::Cycles)
            && record.fillers_per_block == 0
            && record.instruction == probe.instruction
            && record.encoding == probe.encoding
    };
    let alone = run.experiments.iter().position(is_alone).and_then(cycles);
    alone.is_some_and(|alone| {
        let longer = alone.minus(measured);
        longer.value > 2.0 * longer.half_width() + CYCLES_RESOLUTION
    })
}

/// Whether the fillers after an instruction want its unit, so that they wait while it holds that beyond its wave.
fn shares_unit(encoding: Encoding) -> bool {
    use Encoding::{Ds, Exp, Flat, Mimg, Mtbuf, Mubuf, Vsample};
    !matches!(encoding, Ds | Mubuf | Mtbuf | Mimg | Vsample | Flat | Exp)
}
