//! The experiments on a single wave: their slopes, the cost of their fillers, and cycles of a target.

use std::collections::HashMap;

use gcn_model::isa::Generation;
use gcn_model::quantity::Cycles;
use gcn_model::record::{ExperimentKind, ExperimentRecord, ExperimentStatus};

use super::charge::{Charge, FrontEndCharge};
use super::line_start::LineStart;
use crate::many_waves::Hold;
use crate::run::StoredRun;
use crate::settle::{
    CYCLES_RESOLUTION, DelayedRate, Dropped, LateCount, Sample, Slope, SlopeRules, Status, Tally, impossible,
    least_block_cycles, least_issue_cycles,
};
use crate::statistics::Estimate;
use crate::tables::decimal;

/// The length of the timed code, in blocks, whose samples show a single instruction.
pub(crate) const ALONE: u32 = 1;

/// The result of an experiment on a single wave: cycles of a target, or why they are missing.
pub(crate) type Outcome = Result<(Estimate, Slope), (Status, String)>;

/// The slope of an experiment, cycles per block, or why it is missing.
type SlopeOutcome = Result<Slope, (Status, String)>;

/// An instruction in one form, with its experiments: positions in [`StoredRun::experiments`].
#[derive(Debug, Clone)]
pub(crate) struct Form<'a> {
    pub(crate) instruction: &'a str,
    /// The form; empty for the plain one.
    pub(crate) case: &'a str,
    /// Its experiments, in the file's order.
    pub(crate) positions: Vec<usize>,
}

impl<'a> Form<'a> {
    /// All forms of a run's instructions in the order of `experiments.csv`; fillers that are only fillers are left out.
    pub(crate) fn all(run: &'a StoredRun) -> Vec<Self> {
        let is_of_form = |record: &ExperimentRecord| record.kind != ExperimentKind::Filler && record.rule.is_empty();
        let mut forms: Vec<Self> = Vec::new();
        let mut index = HashMap::new();
        for (position, record) in run.experiments.iter().enumerate().filter(|(_, record)| is_of_form(record)) {
            let (instruction, case) = (record.instruction.as_str(), record.case.as_str());
            let slot = *index.entry((instruction, case)).or_insert_with(|| {
                forms.push(Form { instruction, case, positions: Vec::new() });
                forms.len() - 1
            });
            forms[slot].positions.push(position);
        }
        forms
    }

    /// Whether it is the plain one.
    pub(crate) fn is_plain(&self) -> bool {
        self.case.is_empty()
    }
}

/// All experiments on one wave of a run.
pub(crate) struct OneWave<'a> {
    pub(crate) run: &'a StoredRun,
    /// How often readings come late in the run.
    pub(crate) late: DelayedRate,
    /// Slope of each experiment on one wave, cycles per block, by its position; of throughput experiments nothing.
    slopes: Vec<Option<(SlopeOutcome, Tally)>>,
    /// Cycles of a filler, by the filler experiment's id.
    fillers: HashMap<&'a str, Outcome>,
    /// The charge at the start of a line.
    pub(super) line_start: LineStart,
    /// The front end's charge, if the run tells it.
    pub(crate) charge: Option<FrontEndCharge>,
}

impl<'a> OneWave<'a> {
    /// Takes all slopes of the run and prices its fillers.
    pub(crate) fn new(run: &'a StoredRun) -> Self {
        let late = late_rate(run);
        let slopes = run
            .experiments
            .iter()
            .enumerate()
            .map(|(position, record)| has_slope(record.kind).then(|| slope_of(run, position, late)))
            .collect();
        let mut waves =
            Self { run, late, slopes, fillers: HashMap::new(), line_start: LineStart::default(), charge: None };
        for (position, record) in run.experiments.iter().enumerate() {
            if record.kind == ExperimentKind::Filler {
                let per_filler = f64::from(record.fillers_per_block) * f64::from(record.repeats.max(1));
                let outcome = waves.slope(position).map(|slope| (slope.estimate.scaled(1.0 / per_filler), slope));
                waves.fillers.insert(&record.experiment, outcome);
            }
        }
        let cycles = |position: usize| waves.per_target(position).ok().map(|(cycles, _)| cycles);
        waves.line_start = LineStart::of(run, cycles);
        waves
    }

    /// The same, where instructions, by their names, keep their units so long.
    pub(crate) fn with_holds(mut self, holds: HashMap<String, Hold>) -> Self {
        self.line_start.set_holds(self.run, holds);
        self
    }

    /// The charge of 2-dword instructions back to back, shader cycles of each; `None` where the run does not tell.
    pub(crate) fn charge_of_copies(&self) -> Option<Estimate> {
        let swept = self.charge.map(|charge| Estimate::exactly(charge.of_copies.0));
        swept.or_else(|| self.line_start.charge_of_copies(least_issue_cycles(self.run.generation)))
    }

    /// The most that a 2-dword instruction is charged at the start of a line; `None` where the run does not tell.
    pub(crate) fn most_charged_at_start(&self) -> Option<Cycles> {
        self.charge.map(|charge| charge.most_at_start).or_else(|| self.line_start.most_at_start())
    }

    /// Experiments on one wave whose slopes did not settle, whose targets came out faster than any wave can issue them, or whose cycles
    /// are known less finely than published ones are resolved.
    pub(crate) fn unsettled(&self) -> impl Iterator<Item = &'a str> {
        self.run.experiments.iter().enumerate().zip(&self.slopes).filter_map(|((position, record), slope)| {
            let is_unsettled = match slope.as_ref()? {
                (Ok(slope), _) => {
                    let targets = f64::from(record.targets_per_block.max(1));
                    slope.per_block(record).half_width() / targets > CYCLES_RESOLUTION
                        || self.target_cycles(position).is_ok_and(|(cycles, _)| {
                            impossible(&cycles, least_issue_cycles(self.run.generation)).is_some()
                        })
                }
                (Err((status, _)), _) => *status == Status::Unstable,
            };
            is_unsettled.then_some(record.experiment.as_str())
        })
    }

    /// What failed when it was tried once more, of a form's experiments.
    pub(crate) fn failures(&self, form: &Form<'_>) -> impl Iterator<Item = String> {
        form.positions.iter().filter_map(|&position| {
            let why = self.run.failure_of(position)?;
            Some(format!("{} failed when it was retried: {why}", self.run.experiments[position].experiment))
        })
    }

    /// What became of the readings of an experiment on one wave; `None` of any other.
    pub(crate) fn tally(&self, position: usize) -> Option<Tally> {
        self.slopes[position].as_ref().map(|(_, tally)| *tally)
    }

    /// The form's experiment of a kind.
    pub(crate) fn find(&self, form: &Form<'_>, kind: ExperimentKind) -> Option<usize> {
        form.positions.iter().copied().find(|&position| self.run.experiments[position].kind == kind)
    }

    /// Cycles of an independent instruction, if that was tried.
    pub(crate) fn cycles(&self, form: &Form<'_>) -> Option<Outcome> {
        self.find(form, ExperimentKind::Cycles).map(|position| self.uncharged(position))
    }

    /// Cycles of a jump that is taken, if that was tried.
    pub(crate) fn taken(&self, form: &Form<'_>) -> Option<Outcome> {
        self.find(form, ExperimentKind::Taken).map(|position| self.uncharged(position))
    }

    /// The slope of an experiment on one wave, cycles per block.
    pub(crate) fn slope(&self, position: usize) -> SlopeOutcome {
        let slope = self.slopes[position].as_ref().map(|(slope, _)| slope.clone());
        slope.unwrap_or_else(|| Err((Status::Failed, "it is on many waves".to_owned())))
    }

    /// Cycles of a target: the slope less the fillers' cycles.
    ///
    /// # Errors
    /// Why they are missing; also where they are fewer than any wave can issue it in.
    pub(crate) fn per_target(&self, position: usize) -> Outcome {
        possible(self.target_cycles(position)?, self.run.generation)
    }

    /// Cycles of a target without the charge at the start of a line.
    ///
    /// # Errors
    /// Why they are missing; also where the charge is unknown.
    pub(super) fn uncharged(&self, position: usize) -> Outcome {
        let (cycles, slope) = self.per_target(position)?;
        match self.charge_at(position, &cycles) {
            Charge::None => Ok((cycles, slope)),
            Charge::Known(charge) => possible((cycles.minus(&charge), slope), self.run.generation),
            Charge::Between(least, most) => Err((Status::Unstable, charged(&cycles, least, most))),
        }
    }

    /// The charge in the measured cycles of an experiment's target: of copies back to back, or at the start of a line.
    fn charge_at(&self, position: usize, cycles: &Estimate) -> Charge {
        let record = &self.run.experiments[position];
        let is_of_copies = record.kind == ExperimentKind::Cycles && record.fillers_per_block == 0 && record.bytes > 4;
        let least = least_issue_cycles(self.run.generation);
        let of_copies = self.charge_of_copies().filter(|_| is_of_copies);
        let charge = match &of_copies {
            None => self.line_start.charge(self.run, position, cycles),
            Some(_) if self.hides_charge(cycles.low()) => Charge::None,
            Some(charge) => Charge::of_copies(charge, cycles, least),
        };
        let Some(hold) = self.line_start.hold(self.run, record) else { return charge };
        let full = of_copies.or_else(|| self.line_start.charge_of_short(least));
        charge.beside_hold(hold, full, cycles)
    }

    /// Whether a wave that takes this many cycles at least waits longer than its own issue and the highest charge take: it shows no charge.
    pub(crate) fn hides_charge(&self, low: f64) -> bool {
        let least = least_issue_cycles(self.run.generation).0;
        self.charge.is_some_and(|charge| low > least + charge.most_of_copies.0 + CYCLES_RESOLUTION)
    }

    /// The difference in cycles between targets of two experiments, without the charge at the start of a line.
    ///
    /// # Errors
    /// Why a target has no cycles, or that the charge is unknown.
    pub(crate) fn uncharged_difference(&self, position: usize, base: usize) -> Result<Estimate, (Status, String)> {
        let difference = self.difference(position, base)?;
        let charge = |position: usize| {
            let Ok((cycles, _)) = self.per_target(position) else { return Ok(Charge::None) };
            match self.charge_at(position, &cycles) {
                Charge::Between(least, most) => Err((Status::Unstable, charged(&cycles, least, most))),
                charge => Ok(charge),
            }
        };
        Ok(match (charge(position)?, charge(base)?) {
            (Charge::Known(charge), Charge::None) => difference.minus(&charge),
            (Charge::None, Charge::Known(charge)) => Estimate::sum(&[difference, charge]),
            _ => difference,
        })
    }

    /// The same, possible or not.
    fn target_cycles(&self, position: usize) -> Outcome {
        let record = &self.run.experiments[position];
        let slope = self.slope(position)?;
        let fillers = self.fillers_of(record)?;
        Ok((slope.per_block(record).minus(&fillers).scaled(1.0 / f64::from(record.targets_per_block)), slope))
    }

    /// The difference in cycles between targets of two experiments.
    ///
    /// Where both have the same fillers, the fillers' own error is in both and goes out.
    ///
    /// # Errors
    /// Why one of them has no cycles.
    pub(crate) fn difference(&self, position: usize, base: usize) -> Result<Estimate, (Status, String)> {
        let (record, other) = (&self.run.experiments[position], &self.run.experiments[base]);
        let same_blocks = record.filler == other.filler
            && record.fillers_per_block == other.fillers_per_block
            && record.targets_per_block == other.targets_per_block;
        if same_blocks {
            let difference = self.slope(position)?.per_block(record).minus(&self.slope(base)?.per_block(other));
            return Ok(difference.scaled(1.0 / f64::from(record.targets_per_block)));
        }
        Ok(self.per_target(position)?.0.minus(&self.per_target(base)?.0))
    }

    /// Cycles of the fillers in a block of an experiment.
    pub(crate) fn fillers_of(&self, record: &ExperimentRecord) -> Result<Estimate, (Status, String)> {
        if record.fillers_per_block == 0 {
            return Ok(Estimate { value: 0.0, standard_error: 0.0, degrees: f64::INFINITY });
        }
        match self.fillers.get(record.filler.as_str()) {
            Some(Ok((filler, _))) => Ok(filler.scaled(f64::from(record.fillers_per_block))),
            Some(Err((status, reason))) => Err((*status, format!("its filler {}: {reason}", record.filler))),
            None => Err((Status::Failed, format!("its filler {} was not measured", record.filler))),
        }
    }

    /// The cost of the readings around an experiment's code.
    ///
    /// It is the intercept of the experiment's own line, or that of its filler's where that lies within the former's interval and is
    /// known better: loads that take a different time each blur their own line, fillers do not.
    pub(crate) fn reading_cost(&self, position: usize) -> Result<Estimate, (Status, String)> {
        let own = self.slope(position)?.intercept;
        let filler = self.run.experiments[position].filler.as_str();
        let of_filler =
            self.fillers.get(filler).and_then(|outcome| outcome.as_ref().ok()).map(|(_, slope)| slope.intercept);
        let agrees = |other: &Estimate| {
            (other.value - own.value).abs() <= own.half_width() && other.half_width() < own.half_width()
        };
        Ok(of_filler.filter(agrees).unwrap_or(own))
    }
}

/// Why there are no cycles where a charge is in them that lies between these.
fn charged(cycles: &Estimate, least: f64, most: f64) -> String {
    format!(
        "charged at the start of a line: {} to {} cycles without the charge; the exact number is unknown",
        decimal(cycles.value - most),
        decimal(cycles.value - least)
    )
}

/// Whether an experiment's lengths lie on a line.
fn has_slope(kind: ExperimentKind) -> bool {
    use ExperimentKind::{Footprint, Issue, Residence, Semantics, Throughput};
    !matches!(kind, Throughput | Footprint | Residence | Issue | Semantics)
}

/// An outcome that the bound allows.
pub(super) fn possible((cycles, slope): (Estimate, Slope), generation: Generation) -> Outcome {
    impossible(&cycles, least_issue_cycles(generation)).map_or(Ok((cycles, slope)), |why| Err((Status::Unstable, why)))
}

/// The slope of an experiment on a single wave, cycles per block, or why it is missing, and the outcome of its readings.
fn slope_of(run: &StoredRun, position: usize, late: DelayedRate) -> (SlopeOutcome, Tally) {
    let record = &run.experiments[position];
    let readings = run.readings_of(position);
    if record.status != ExperimentStatus::Ok {
        return (Err((record.status.into(), record.detail.clone())), Tally::unused(readings.len()));
    }
    if readings.is_empty() {
        let reason = "no readings are stored: the run was cut off; `gcn-timings measure --resume` continues it";
        return (Err((Status::Failed, reason.to_owned())), Tally::default());
    }
    let samples = samples_of(run, position);
    let settlement = SlopeRules { late, ..slope_rules(record, run.generation) }.settle(&samples);
    let dropped = Dropped::of(settlement.fates.into_iter().flatten());
    let alone = readings.len() - samples.len();
    let tally = Tally { readings: readings.len(), alone, ..Tally::used(samples.len() - dropped.total(), dropped) };
    match settlement.slope {
        Ok(slope) => (Ok(slope), tally),
        Err(why) => (Err((Status::Unstable, why.to_string())), tally.without_estimate()),
    }
}

/// The samples that the slope of an experiment on a single wave uses.
fn samples_of(run: &StoredRun, position: usize) -> Vec<Sample> {
    let mut samples: Vec<Sample> = run.readings_of(position).iter().map(Sample::from).collect();
    if has_alone(&samples, run.experiments[position].kind) {
        samples.retain(|sample| sample.n != ALONE);
    }
    samples
}

/// How often readings come late, over all experiments on one wave of a run.
fn late_rate(run: &StoredRun) -> DelayedRate {
    let mut count = LateCount::default();
    let experiments = run.experiments.iter().enumerate().filter(|(_, record)| has_slope(record.kind));
    experiments.for_each(|(position, _)| count.add(&samples_of(run, position)));
    count.rate()
}

/// The rules for an experiment on one wave.
pub(crate) fn slope_rules(record: &ExperimentRecord, generation: Generation) -> SlopeRules {
    let slot = least_issue_cycles(generation).0;
    let least_block = least_block_cycles(record, generation);
    SlopeRules { least_block, least_issue: slot, bend: slot, ..SlopeRules::default() }
}

/// Whether an experiment has, in addition to lengths enough for a slope, a section of a single instruction.
///
/// That section tells how a single value spreads, and stays out of the slope: it is far from the other lengths, so that it would
/// turn the line by its leverage; the instruction in it meets idle units, unlike later ones; and the two
/// modes that it is there to show would call the whole experiment unstable.
pub(crate) fn has_alone(samples: &[Sample], kind: ExperimentKind) -> bool {
    let longer = || samples.iter().map(|sample| sample.n).filter(|&n| n != ALONE);
    kind == ExperimentKind::Cycles
        && samples.iter().any(|sample| sample.n == ALONE)
        && longer().min().is_some_and(|least| longer().any(|n| n != least))
}
