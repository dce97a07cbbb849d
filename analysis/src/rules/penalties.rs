//! Rows of `penalties.csv` for the cases of rules: a block against its baseline.

use std::collections::HashMap;

use gcn_model::isa::Generation;
use gcn_model::published::Published;
use gcn_model::quantity::Cycles;
use gcn_model::record::{DELAYS, DISTANCE, ExperimentKind, ExperimentRecord, LINE_START, UNITS};

use super::expectation::Rules;
use super::penalty::{PenaltyRow, footprint};
use crate::many_waves::ThroughputRow;
use crate::one_wave::{OneWave, TimingRow};
use crate::run::StoredRun;
use crate::settle::CYCLES_RESOLUTION;
use crate::statistics::Estimate;
use crate::tables::{Measured, Verdict, decimal};

/// A penalty is met within this, shader cycles: half of the least that an issue slot of GCN can shift.
const RESOLUTION: f64 = 2.0;
/// Share of a case's cost for a lone wave that may be left on several waves for it to count as masked.
const LEFT_WHEN_MASKED: f64 = 0.25;
/// A penalty with a wider half interval says nothing, shader cycles.
const VAGUE: f64 = 2.0;

/// The rows for all cases of rules of a run, in its order; a baseline is a row only where its place is part of the case.
pub(crate) fn rule_penalties(
    run: &StoredRun,
    waves: &OneWave<'_>,
    throughputs: &[ThroughputRow],
    timings: &[TimingRow],
    sources: &[Published],
) -> Vec<PenaltyRow> {
    let mut rules = Rules::of(sources, run.generation, timings);
    for (position, record) in run.experiments.iter().enumerate() {
        // A run of this suite alone has the instruction's cycles from the baseline.
        let is_baseline = record.rule == "alignment" && record.targets_per_block == 1 && record.baseline.is_empty();
        if is_baseline && let Ok((cycles, _)) = waves.per_target(position) {
            rules.learn(&record.instruction, cycles.value);
        }
    }
    let at = run.positions();
    let by_experiment: HashMap<&str, &ThroughputRow> =
        throughputs.iter().map(|row| (row.experiment.as_str(), row)).collect();
    let of_distance = run.experiments.iter().enumerate().filter(|(_, record)| record.rule == DISTANCE);
    let distances: HashMap<(&str, u32), usize> =
        of_distance.map(|(position, record)| ((record.baseline.as_str(), record.waves_per_simd), position)).collect();
    let mut rows = Vec::new();
    for (position, record) in run.experiments.iter().enumerate().filter(|(_, record)| !record.rule.is_empty()) {
        if record.kind == ExperimentKind::Footprint {
            rows.extend(footprint(run, position));
            continue;
        }
        let has_no_place = record.baseline.is_empty() && record.offset_dwords.is_none();
        if has_no_place || [DISTANCE, LINE_START, UNITS, DELAYS].contains(&record.rule.as_str()) {
            continue;
        }
        let Some(&baseline) = at.get(record.baseline.as_str()).or(at.get(record.experiment.as_str())) else { continue };
        let penalty = match record.kind {
            ExperimentKind::Throughput => {
                let cost = |record: &ExperimentRecord| by_experiment.get(record.experiment.as_str())?.cost();
                let costs = cost(record).zip(cost(&run.experiments[baseline]));
                costs.map(|(here, there)| on_waves(run.generation, record, here, there))
            }
            _ => waves.block_difference(position, baseline).ok().map(|estimate| Measured::from(&estimate)),
        };
        let nearer = distances.get(&(record.baseline.as_str(), record.waves_per_simd)).copied();
        let penalty = penalty.filter(|found| is_whole(waves, *found, nearer, baseline));
        let penalty = penalty.map(|found| if nearer.is_some() { found.of_many() } else { found });
        let expected = rules.expected(record);
        rows.push(PenaltyRow {
            experiment: record.rule.clone(),
            case: record.case.clone(),
            offset_dwords: record.offset_dwords,
            waves_per_simd: record.waves_per_simd,
            penalty,
            expected: expected.map(decimal).unwrap_or_default(),
            verdict: verdict(expected, penalty, resolution(&rules, record)),
        });
    }
    rows
}

/// Whether a pair's wait is all that its consumer waits: it waits no longer where it is only half as far away as in the baseline, and
/// it is not less than nothing. Of a case that has no such distance it is.
fn is_whole(waves: &OneWave<'_>, penalty: Measured<Cycles>, nearer: Option<usize>, baseline: usize) -> bool {
    let Some(nearer) = nearer else { return true };
    let Ok(more) = waves.block_difference(nearer, baseline) else { return false };
    let is_nothing = more.low() <= CYCLES_RESOLUTION && -CYCLES_RESOLUTION <= more.high();
    is_nothing && -CYCLES_RESOLUTION <= penalty.high.0
}

/// Cycles of a SIMD for a block more than for the baseline's, from cycles of the compute unit for a target.
fn on_waves(
    generation: Generation,
    record: &ExperimentRecord,
    here: Measured<Cycles>,
    there: Measured<Cycles>,
) -> Measured<Cycles> {
    let factor = f64::from(generation.waves.simds) * f64::from(record.targets_per_block);
    here.minus(there).scaled(factor)
}

/// The tolerance of an expected penalty, shader cycles. "Masked" is not "gone": two waves that fall into step wait at the
/// same time now and then.
fn resolution(rules: &Rules<'_>, record: &ExperimentRecord) -> f64 {
    let alone = if record.waves_per_simd > 1 { rules.alone(record) } else { None };
    RESOLUTION.max(LEFT_WHEN_MASKED * alone.unwrap_or(0.0))
}

fn verdict(expected: Option<f64>, penalty: Option<Measured<Cycles>>, resolution: f64) -> Verdict {
    let Some(penalty) = penalty.filter(|found| found.half_width() <= VAGUE) else { return Verdict::Unmeasured };
    let Some(expected) = expected else { return Verdict::Answers };
    let [_, low, high] = penalty.numbers();
    if low - resolution < expected && expected < high + resolution { Verdict::Match } else { Verdict::Mismatch }
}

impl OneWave<'_> {
    /// The difference in cycles between blocks of two experiments, with fillers that only one has taken off.
    ///
    /// # Errors
    /// Why one of them has no slope.
    pub(crate) fn block_difference(
        &self,
        position: usize,
        baseline: usize,
    ) -> Result<Estimate, (crate::settle::Status, String)> {
        let (record, other) = (&self.run.experiments[position], &self.run.experiments[baseline]);
        let difference = self.slope(position)?.estimate.minus(&self.slope(baseline)?.estimate);
        if record.fillers_per_block == other.fillers_per_block {
            return Ok(difference);
        }
        let more = f64::from(record.fillers_per_block) - f64::from(other.fillers_per_block);
        let of_one = |record: &ExperimentRecord| {
            let fillers = self.fillers_of(record)?;
            Ok(fillers.scaled(1.0 / f64::from(record.fillers_per_block.max(1))))
        };
        let filler = of_one(if record.fillers_per_block > 0 { record } else { other })?;
        Ok(difference.minus(&filler.scaled(more)))
    }
}
