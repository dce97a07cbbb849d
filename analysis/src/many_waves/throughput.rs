//! Throughput of an instruction on a compute unit, from many waves.

use gcn_model::isa::{self, DependencyTracking, Encoding};
use gcn_model::quantity::{Cycles, InstructionsPerCycle};
use gcn_model::record::{ExperimentRecord, ExperimentStatus};

use super::group::{Makespans, makespans};
use super::group_tally::GroupTally;
use super::longest_code::LongestCode;
use super::placement::HwIdLayout;
use crate::run::StoredReading;
use crate::settle::{
    CONFIRMING_THROUGHPUT, DelayedRate, DropRule, SAME_THROUGHPUT, Slope, SlopeRules, Status, THROUGHPUT_RESOLUTION,
    Tally, Unsettled, VAGUE_THROUGHPUT, is_of_simd, least_block_cycles, least_issue_cycles, units_of,
};
use crate::statistics::Estimate;
use crate::tables::{Measured, table};

/// Least share of the cycles that the waves need at their own paces which a slope may have. No unit is faster than its waves are
/// alone; a tenth is what medians of a few launches are uncertain by.
const OWN_PACE_SHARE: f64 = 0.9;

table! { "throughput.csv":
    /// A row of `throughput.csv`: one instruction on one number of waves.
    #[derive(Default)]
    pub struct ThroughputRow {
        pub instruction: String,
        /// Waves on each SIMD, as asked for and verified in every group that was used.
        pub waves_per_simd: u32,
        /// Instructions per cycle per compute unit; absent if it did not settle.
        pub throughput: Option<Measured<InstructionsPerCycle>> = "throughput" "low" "high",
        pub status: Status,
        /// Why, or which groups of waves were used.
        pub detail: String,
        /// In which other form than the plain one: `stride 8`; empty for the plain form, which alone goes into `timings.csv`.
        pub case: String,
    } beside {
        pub experiment: String,
        /// Whether its blocks are a case of a rule, with fillers in them; what counts is the difference to the baseline.
        pub is_rule: bool,
        /// Whether the device cannot hold this many waves.
        pub does_not_fit: bool,
        /// Whether some of its waves were where they were asked to be.
        pub was_placed: bool,
        /// Launches of each length of longer code, in rounds that measured again: they alone count then.
        pub lengthened: u32,
        /// By how many shader cycles the makespan grows with a block and repeat, if that settled.
        pub makespan: Option<Estimate>,
        /// What became of the readings.
        pub tally: Tally,
    }
}

impl ThroughputRow {
    /// Cycles of the compute unit for each instruction: 1/throughput, with its interval.
    pub(crate) fn cost(&self) -> Option<Measured<Cycles>> {
        self.throughput?.dividing(1.0, Cycles)
    }

    /// The row of an experiment that has no answer, and why.
    fn without(record: &ExperimentRecord, readings: usize, status: Status, detail: String) -> Self {
        Self {
            experiment: record.experiment.clone(),
            instruction: record.instruction.clone(),
            case: record.case.clone(),
            is_rule: !record.rule.is_empty(),
            waves_per_simd: record.waves_per_simd,
            tally: Tally::unused(readings),
            status,
            detail,
            ..Self::default()
        }
    }

    /// Whether more launches can make its interval narrower, and it is wider than published values are resolved. The ramps' part of the
    /// makespan's own stays, however often it is launched.
    pub(crate) fn is_rough(&self) -> bool {
        self.makespan.is_some_and(|makespan| makespan.half_width() > THROUGHPUT_RESOLUTION * makespan.value)
    }

    /// Whether its interval is too wide to tell published values apart.
    pub(crate) fn is_vague(&self) -> bool {
        self.throughput.is_some_and(|found| found.half_width() > VAGUE_THROUGHPUT * found.value.0)
    }
}

#[cfg(test)]
impl ThroughputRow {
    /// Rows of V_ADD_F32, each as [`ThroughputRow::example`] has it.
    pub(crate) fn examples(found: &[(u32, Option<(f64, f64)>)]) -> Vec<Self> {
        found.iter().map(|&(waves, found)| Self::example(waves, found)).collect()
    }

    /// A row of V_ADD_F32 that settled on a value with a half-width, or one that did not.
    pub(crate) fn example(waves: u32, found: Option<(f64, f64)>) -> Self {
        Self {
            experiment: format!("V_ADD_F32/rate@{waves}"),
            instruction: "V_ADD_F32".to_owned(),
            waves_per_simd: waves,
            throughput: found.map(|(value, half)| Measured::around(value, half).map(InstructionsPerCycle)),
            was_placed: true,
            status: if found.is_some() { Status::Ok } else { Status::Unstable },
            ..Self::default()
        }
    }
}

/// The throughput that an experiment of kind `throughput` measured.
///
/// `layout` is `None` where the target's HW_ID is not known: placement cannot be verified then, and nothing is reported. `late` is how often
/// readings come late in the run.
///
/// Longer code counts, if there was any. If it does not settle closely, as where most of its few launches have a late reading, and the shorter code is
/// closer, that counts.
pub(crate) fn throughput_of(
    record: &ExperimentRecord,
    readings: &[StoredReading],
    layout: Option<HwIdLayout>,
    late: DelayedRate,
) -> ThroughputRow {
    let row = |status, detail| ThroughputRow::without(record, readings.len(), status, detail);
    if record.status != ExperimentStatus::Ok {
        return row(record.status.into(), record.detail.clone());
    }
    if record.fillers_per_block > 0 && record.rule.is_empty() {
        // The fillers' share of the units' time cannot be separated from the targets'.
        return row(Status::Unsupported, "a throughput experiment must have no fillers".to_owned());
    }
    let Some(layout) = layout else {
        return row(Status::Unsupported, "HW_ID of this target is not known, placement not verified".to_owned());
    };
    if readings.is_empty() {
        return row(Status::Failed, Unsettled::NoReadings.to_string());
    }
    let code = LongestCode::of(readings);
    let of = |code: &LongestCode<'_>| of_code(row(Status::Unstable, String::new()), record, code, layout, late);
    let found = of(&code);
    let width = |row: &ThroughputRow| row.throughput.map_or(f64::INFINITY, |found| found.half_width() / found.value.0);
    if width(&found) <= CONFIRMING_THROUGHPUT {
        return found;
    }
    let shorter = code.shorter(readings).map(|shorter| of(&shorter)).filter(|shorter| width(shorter) < width(&found));
    shorter.map_or(found, |shorter| ThroughputRow { lengthened: code.lengthened, ..shorter })
}

/// The row of the readings of one code; `row` is one without an answer.
fn of_code(
    row: ThroughputRow,
    record: &ExperimentRecord,
    code: &LongestCode<'_>,
    layout: HwIdLayout,
    late: DelayedRate,
) -> ThroughputRow {
    let least_block = least_block_cycles(record, layout.generation);
    let shares_unit = record.waves_per_simd > 1 || !has_unit_of_simd(record, layout);
    let groups = makespans(code, layout, (record.waves_per_simd, shares_unit), least_block, late);
    // Every wave may be one issue slot late.
    let slot = least_issue_cycles(layout.generation).0;
    // A group is late if one of its waves is.
    let of_groups = DelayedRate { any: 2.0 * late.any, ..late };
    let bend = slot * f64::from(record.waves_per_simd);
    let rules = SlopeRules { bend, least_issue: slot, late: of_groups, ..SlopeRules::default() };
    let settlement = rules.settle(&groups.samples);
    let mut dropped = groups.dropped;
    dropped.add(DropRule::Shorter, row.tally.readings - code.readings.len());
    let mut used = 0;
    for (fate, readings) in settlement.fates.iter().zip(&groups.readings) {
        match fate {
            Some(rule) => dropped.add(*rule, *readings),
            None => used += readings,
        }
    }
    let tally = Tally { readings: row.tally.readings, ..Tally::used(used, dropped) };
    let found = throughput(record, layout, rules, &groups, settlement.slope);
    // One late wave of a group is seen among the others; what two of them do at once is not, nor does the groups' scatter show it.
    let found = found.map(|(found, slope)| (widened(found, late.any * late.any), slope));
    let row = ThroughputRow { lengthened: code.lengthened, ..row };
    match found {
        Ok((throughput, slope)) => ThroughputRow {
            throughput: Some(throughput),
            makespan: Some(slope.per_block(record)),
            was_placed: true,
            tally,
            status: Status::Ok,
            detail: note(&groups.tally),
            ..row
        },
        Err(why) => {
            let does_not_fit = groups.tally.does_not_fit();
            let why = if does_not_fit { format!("too many waves: {why}") } else { why };
            let was_placed = groups.tally.placed() > 0;
            ThroughputRow { does_not_fit, was_placed, tally: tally.without_estimate(), detail: why, ..row }
        }
    }
}

/// Readings that are all alike leave less than this share of the slope in its interval.
const SCATTERED: f64 = 0.001;

/// Whether the readings of a slope differ.
fn is_scattered(slope: &Estimate) -> bool {
    slope.half_width() > SCATTERED * slope.value
}

/// The throughput of groups whose makespans settled, or why it is missing.
fn throughput(
    record: &ExperimentRecord,
    layout: HwIdLayout,
    rules: SlopeRules,
    groups: &Makespans,
    slope: Result<Slope, Unsettled>,
) -> Result<(Measured<InstructionsPerCycle>, Slope), String> {
    // Of one compute unit: where the waves have a work-group processor, each of its compute units has that many, and does its share of the blocks.
    let waves = f64::from(layout.generation.waves.simds * record.waves_per_simd);
    let units = f64::from(layout.generation.compute_units_of_group(layout.mode));
    let instructions = waves * f64::from(record.targets_per_block) * f64::from(record.repeats);
    if groups.samples.is_empty() {
        return Err(unused(&groups.tally, rules.slope(&groups.uneven).ok(), instructions));
    }
    let slope = slope.map_err(|why| format!("makespan {why}; {}", groups.tally))?;
    if 2 * groups.tally.used < groups.tally.placed() {
        return Err(format!("most groups were disturbed: {}", groups.tally));
    }
    // A block of a wave is a block of each of them at once.
    let cycles_at_own_pace = groups.own_pace.map(|blocks| blocks / (waves * units));
    if let Some(most) = cycles_at_own_pace.filter(|most| slope.estimate.high() * most < OWN_PACE_SHARE) {
        let least = 1.0 / most;
        return Err(format!(
            "the makespan grows by {:.2} cycles per block, and the waves at their own paces need {least:.2}: a late reading \
             at the shorter length",
            slope.estimate.value
        ));
    }
    // In ramps that are long, or shorter at long code, waves have the unit to themselves for other times at each length, and their pace is not
    // that of the difference.
    let bounding =
        cycles_at_own_pace.filter(|_| (groups.ramp_doubt == 0.0 || groups.is_lengthened) && groups.ramp_drift >= 0.0);
    let found = per_cycle(&slope, groups.ramp_drift, bounding, instructions);
    let found =
        found.map(|found| with_pace(found, rules.slope(&groups.durations).ok(), instructions)).ok_or_else(|| {
            let (low, high) = (slope.estimate.low(), slope.estimate.high());
            format!("the makespan does not grow with the code: {low:.2} to {high:.2} cycles per block")
        })?;
    // Each wave issues one instruction in an issue slot at most, all of them together; and each SIMD issues one to a unit.
    let least = least_issue_cycles(layout.generation).0;
    let of_waves = instructions / least_block_cycles(record, layout.generation);
    let of_units = own_units(record, layout).map_or(f64::INFINITY, |units| f64::from(units) / least);
    let most = of_waves.min(of_units);
    if found.low.0 > most * (1.0 + THROUGHPUT_RESOLUTION) {
        let [_, low, high] = found.numbers();
        return Err(format!(
            "above the bound: {low:.4} to {high:.4} instructions per cycle, and {} one instruction in {least} cycles each do \
             {most:.4} at most",
            if of_units < of_waves { "SIMDs whose unit takes" } else { "waves that issue" }
        ));
    }
    // What the waves can do at most leaves none, and where readings scatter, so does the work in ramps: the slope's interval has it.
    // In longer code a value just below it is what loops hide by chance.
    let near = if groups.is_lengthened { SAME_THROUGHPUT } else { THROUGHPUT_RESOLUTION };
    let is_at_most = (found.value.0 - most).abs() <= near * most;
    let is_seen = is_scattered(&slope.estimate) && !groups.is_lengthened;
    // What the unit does between waves that it serves in sequence is the same in each launch.
    let is_known = groups.tally.serial == 0 && (is_at_most || is_seen);
    let doubt = if is_known { 0.0 } else { groups.ramp_doubt };
    Ok((with_doubt(found, doubt, instructions, most), slope))
}

/// Units of a compute unit that run the instruction of an experiment, if that is known.
fn own_units(record: &ExperimentRecord, layout: HwIdLayout) -> Option<u32> {
    let instruction = isa::find(&record.instruction, layout.generation).filter(|_| record.rule.is_empty());
    instruction.and_then(|found| units_of(found, layout.generation))
}

/// Whether each SIMD has the unit of an experiment's instruction for itself: the vector ALU, and on RDNA the scalar one.
fn has_unit_of_simd(record: &ExperimentRecord, layout: HwIdLayout) -> bool {
    let has_scalar_unit = layout.generation.waves.dependency_tracking == DependencyTracking::Scoreboard;
    let instruction = isa::find(&record.instruction, layout.generation).filter(|_| record.rule.is_empty());
    instruction
        .is_some_and(|found| is_of_simd(found) || has_scalar_unit && found.encoding.unit() == Encoding::Sop2.unit())
}

/// Instructions per cycle, from cycles per block and the instructions that all waves do in them.
///
/// The interval is that of the slope, widened by the ramps' drift, an uncertainty that no number of launches makes smaller. The
/// waves' work in ramps that grow with the code lies between nothing and full strength: the throughput of all of
/// them is that of the slope or more, as if the ramps' growth were lost. It is at most that of their own paces.
/// Where ramps shrink it is the slope's or less. Where readings do not scatter, the slope's own interval does not hold what waves leave
/// idle in ramps of the same length, and the drift widens both sides.
fn per_cycle(
    slope: &Slope,
    ramp_drift: f64,
    own_pace: Option<f64>,
    instructions: f64,
) -> Option<Measured<InstructionsPerCycle>> {
    let estimate = &slope.estimate;
    let either = if is_scattered(estimate) { 0.0 } else { ramp_drift.abs() };
    let (low, high) = (estimate.low() - ramp_drift.max(either), estimate.high() + (-ramp_drift).max(either));
    // Own paces bound the widening, not the slope's own interval.
    let low = own_pace.map_or(low, |most| low.max((1.0 / most).min(estimate.low())));
    Measured { value: estimate.value, low, high }.dividing(instructions, InstructionsPerCycle)
}

/// The same, with cycles per block that are in doubt; no further than the waves and units can do at most.
fn with_doubt(
    found: Measured<InstructionsPerCycle>,
    doubt: f64,
    instructions: f64,
    most: f64,
) -> Measured<InstructionsPerCycle> {
    let [value, slow, fast] = found.numbers().map(|throughput| instructions / throughput);
    let least = instructions / most;
    let at = |cycles: f64| InstructionsPerCycle(instructions / cycles.max(least));
    Measured { value: at(value), low: at(slow + doubt), high: at(fast - doubt) }
}

/// The same, its ends further out by a share of it.
fn widened(found: Measured<InstructionsPerCycle>, share: f64) -> Measured<InstructionsPerCycle> {
    let by = share * found.value.0;
    let at = InstructionsPerCycle;
    Measured { value: found.value, low: at((found.low.0 - by).max(0.0)), high: at(found.high.0 + by) }
}

/// The same, wide enough for the waves' own durations, if they differ.
///
/// Where all waves run all the time, each of them takes as much longer for another block as all of them together. The duration that is
/// usual among the waves is not moved by the readings of one of them, as the makespan is.
fn with_pace(
    found: Measured<InstructionsPerCycle>,
    pace: Option<Slope>,
    instructions: f64,
) -> Measured<InstructionsPerCycle> {
    let Some(pace) = pace.and_then(|slope| per_cycle(&slope, 0.0, None, instructions)) else { return found };
    let agree = found.low.0 <= pace.value.0 && pace.value.0 <= found.high.0;
    let [low, high] = if agree { [found.low, found.high] } else { [pace.low, pace.high] };
    Measured {
        value: found.value,
        low: InstructionsPerCycle(found.low.0.min(low.0)),
        high: InstructionsPerCycle(found.high.0.max(high.0)),
    }
}

/// Nothing to say if every group was used whole.
fn note(tally: &GroupTally) -> String {
    if tally.used == tally.total() && tally.serial + tally.late_waves + tally.impossible_waves == 0 {
        String::new()
    } else {
        tally.to_string()
    }
}

/// Why no group was used; an oldest-first scheduler still bounds the throughput.
fn unused(tally: &GroupTally, uneven: Option<Slope>, instructions: f64) -> String {
    match uneven.and_then(|slope| per_cycle(&slope, 0.0, None, instructions)) {
        Some(bound) => format!("{tally}; the scheduler may serve the oldest wave first: at least {:.4}", bound.low.0),
        None => tally.to_string(),
    }
}
