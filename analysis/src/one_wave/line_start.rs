//! The probes of the charge at the start of a line, and those that apply to an experiment.

use std::collections::HashMap;

use gcn_model::isa::{self, Encoding, OperandKind};
use gcn_model::quantity::Cycles;
use gcn_model::record::{ExperimentKind, ExperimentRecord, LINE_START, LineStartCase};

use super::charge::{Charge, JumpProbe, Twin, is_alike, is_seen, is_seen_in_copies, mean, of_short, without_odd_one};
use crate::many_waves::Hold;
use crate::run::StoredRun;
use crate::settle::{CYCLES_RESOLUTION, is_of_simd, least_issue_cycles};
use crate::statistics::Estimate;

/// Bytes of an instruction that no front end charges for its size.
const ONE_DWORD: u32 = 4;

/// The most 2-dword instructions in a line: those of 128 bytes.
const COPIES_OF_LINE: f64 = 16.0;

/// The measurements of a run's probes.
#[derive(Debug, Clone, Default)]
pub(super) struct LineStart {
    twins: Vec<Twin>,
    /// Jumps that are taken, and those that are not.
    taken: Vec<JumpProbe>,
    untaken: Vec<JumpProbe>,
    /// Operations back to back from the start of a line on, each in the mean.
    copies: Vec<Twin>,
    /// How long instructions keep their units, by name.
    holds: HashMap<String, Hold>,
    /// Whether waves hide each other's charges: an instruction of two dwords is issued more often than one wave alone could that is charged.
    is_hidden_by_waves: bool,
}

impl LineStart {
    /// The probes of a run; `cycles` are those of an experiment's target, by its position, if they settled.
    pub(super) fn of(run: &StoredRun, cycles: impl Fn(usize) -> Option<Estimate>) -> Self {
        let mut found = Self::default();
        let probes = || run.experiments.iter().enumerate().filter(|(_, record)| record.rule == LINE_START);
        for (position, base) in probes().filter(|(_, record)| record.baseline.is_empty()) {
            let others = || probes().filter(|(_, record)| record.baseline == base.experiment);
            let find = |offset: Option<u32>, bytes: u32| {
                let is_it = |record: &ExperimentRecord| record.offset_dwords == offset && record.bytes == bytes;
                let (position, record) = others().find(|(_, record)| is_it(record))?;
                Some((cycles(position)?, f64::from(record.targets_per_block)))
            };
            let at = |offset| find(Some(offset), base.bytes).map(|(cycles, _)| cycles);
            let Some(measured) = cycles(position) else { continue };
            let jump = || Some(JumpProbe { measured, first: at(0)? });
            match LineStartCase::read(&base.case) {
                LineStartCase::NotTaken(_) => found.untaken.extend(jump()),
                LineStartCase::Taken(_) => found.taken.extend(jump()),
                LineStartCase::Operation(_) => {
                    if overlaps(run, base, &measured, &cycles) {
                        continue;
                    }
                    let alone = at(0);
                    let in_two = find(None, 2 * ONE_DWORD);
                    // With others after it that take no longer each than alone, it is one of several targets.
                    let one_dword = match in_two {
                        Some((_, targets)) if targets > 1.0 => alone,
                        _ => Some(measured),
                    };
                    found.twins.extend(in_two.zip(one_dword).map(|((in_two, targets), one_dword)| Twin {
                        one_dword,
                        charge: in_two.minus(&one_dword).scaled(targets),
                    }));
                    let in_two_alone = find(Some(0), 2 * ONE_DWORD);
                    found.copies.extend(
                        alone
                            .zip(in_two_alone)
                            .map(|(one_dword, (in_two, _))| Twin { one_dword, charge: in_two.minus(&one_dword) }),
                    );
                }
            }
        }
        let least = least_issue_cycles(run.generation);
        found.twins = without_odd_one(found.twins, least);
        found.copies = without_odd_one(found.copies, least);
        found
    }

    /// The charges of the shortest operations back to back: nothing hides them.
    fn copies(&self) -> Vec<Estimate> {
        let least = self.copies.iter().map(|twin| twin.one_dword.value).fold(f64::INFINITY, f64::min);
        let is_shortest = |twin: &&Twin| is_alike(&twin.one_dword, least);
        self.copies.iter().filter(is_shortest).map(|twin| twin.charge).collect()
    }

    /// The charge of 2-dword instructions back to back, each in the mean; `None` without probes that agree on it.
    ///
    /// Nor where none of them takes as little as the `issue` of an instruction: the rest of their cycles hides some of it.
    pub(super) fn charge_of_copies(&self, issue: Cycles) -> Option<Estimate> {
        let copies = self.copies();
        let is_hidden = !self.copies.iter().any(|twin| is_alike(&twin.one_dword, issue.0));
        if is_hidden && copies.iter().any(is_seen_in_copies) {
            return None;
        }
        let all = mean(&copies).filter(|all| copies.iter().all(|one| is_alike(one, all.value)))?;
        Some(if is_seen_in_copies(&all) { all } else { Estimate::exactly(0.0) })
    }

    /// The most that a 2-dword instruction is charged at the start of a line; `None` without probes.
    pub(super) fn most_at_start(&self) -> Option<Cycles> {
        let seen = |twin: &Twin| if is_seen(&twin.charge) { twin.charge.value } else { 0.0 };
        self.twins.iter().map(seen).reduce(f64::max).map(Cycles)
    }

    /// The charge of a 2-dword instruction at the start of each line, whose own cycles are these.
    pub(super) fn charge_at_lines(&self, own: &Estimate) -> Charge {
        Charge::at_lines(&self.twins, own)
    }

    /// Takes over how long instructions keep their units.
    pub(super) fn set_holds(&mut self, run: &StoredRun, holds: HashMap<String, Hold>) {
        let least = least_issue_cycles(run.generation);
        // No line is longer than that many copies.
        let once_a_line = || self.charge_of_short(least).map(|charge| charge.value / COPIES_OF_LINE);
        let charge = mean(&self.copies()).map(|copies| copies.value).or_else(once_a_line).unwrap_or(0.0);
        let in_two_dwords = run.experiments.iter().filter(|record| record.bytes > ONE_DWORD && record.rule.is_empty());
        let mut holds_in_two = in_two_dwords.filter_map(|record| holds.get(&record.instruction));
        // One that pays nothing takes the least, one that pays takes all of the charge more.
        self.is_hidden_by_waves = holds_in_two.any(|hold| hold.most < least.0 + charge / 2.0);
        self.holds = holds;
    }

    /// The charge of the shortest operations at the start of a line, if they agree.
    pub(super) fn charge_of_short(&self, least: Cycles) -> Option<Estimate> {
        of_short(&self.twins, least)
    }

    /// How long the vector instruction of an experiment keeps the unit of its SIMD, where the charges of other waves do not make that longer.
    pub(super) fn hold(&self, run: &StoredRun, record: &ExperimentRecord) -> Option<Hold> {
        if !self.is_hidden_by_waves || record.kind != ExperimentKind::Cycles {
            return None;
        }
        let instruction = isa::find(&record.instruction, run.generation)?;
        self.holds.get(&record.instruction).copied().filter(|_| is_of_simd(instruction))
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
                let charge = charge.or_hidden(&self.twins, mean(&self.copies()).as_ref(), measured, least);
                if instruction.is_some_and(|found| shares_unit(found.encoding)) {
                    let hold = self.holds.get(&record.instruction).map(|hold| hold.most);
                    charge.hidden_by(hold, measured, least)
                } else {
                    charge
                }
            }
            _ => Charge::None,
        }
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
pub(super) fn shares_unit(encoding: Encoding) -> bool {
    use Encoding::{Ds, Exp, Flat, Mimg, Mtbuf, Mubuf, Vsample};
    !matches!(encoding, Ds | Mubuf | Mtbuf | Mimg | Vsample | Flat | Exp)
}
