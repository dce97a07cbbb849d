//! The timing of an instruction: its experiments put together.

use gcn_model::isa;
use gcn_model::quantity::{Bytes, Cycles, InstructionsPerCycle};
use gcn_model::record::ExperimentKind;

use super::distribution::Distribution;
use super::latency::no_latency;
use super::line_start::shares_unit;
use super::slopes::{Form, OneWave, Outcome};
use crate::many_waves::{Capacity, Limits, ThroughputRow};
use crate::settle::{CYCLES_RESOLUTION, Status, THROUGHPUT_RESOLUTION, least_issue_cycles, units_of};
use crate::statistics::Estimate;
use crate::tables::{Measured, Quantity, plain, table};

table! { "timings.csv":
    /// A row of `timings.csv`.
    pub struct TimingRow {
        pub instruction: String,
        /// Encoding as it stood in the code.
        pub encoding: String,
        /// Size in the code.
        pub bytes: Bytes,
        /// Shader cycles of an independent instruction, one wave; of a jump that is not taken.
        pub cycles: Option<Measured<Cycles>> = "cycles" "cycles_low" "cycles_high",
        /// Shader cycles until a dependent instruction can follow, one wave.
        pub latency: Option<Measured<Cycles>> = "latency" "latency_low" "latency_high",
        /// Instructions per cycle per compute unit, as all numbers of waves say together.
        pub throughput: Option<Measured<InstructionsPerCycle>> = "throughput" "throughput_low" "throughput_high",
        /// The fewest waves on a SIMD that reach it.
        pub waves_per_simd: Option<u32>,
        /// Samples of `cycles`, or else of `taken`, or else of `latency`.
        pub samples: usize,
        /// Status of `cycles`; `unstable` also if latency or throughput did not settle.
        pub status: Status,
        /// Reasons for missing values; the distribution of single instructions, where it was measured.
        pub detail: String,
        /// The multiple of a SIMD's issue interval that `cycles` stands for, where it stands for one.
        pub cycles_snapped: Option<Cycles>,
        /// Samples dropped in addition to those, by any rule; `estimates.csv` has the rules.
        pub dropped: usize,
        /// Shader cycles of a jump that is taken, one wave.
        pub taken: Option<Measured<Cycles>> = "taken" "taken_low" "taken_high",
    } beside {
        /// Whether it may be more: it did not settle, or a SIMD has slots for more waves, none were tried, and fewer reached less.
        pub throughput_is_least: bool,
    }
}

impl TimingRow {
    /// Whether anything of it was measured.
    pub fn has_number(&self) -> bool {
        self.numbers().iter().any(|(_, number)| number.is_some())
    }

    /// Its numbers, each with its quantity.
    pub(crate) fn numbers(&self) -> [(Quantity, Option<Measured>); 4] {
        [
            (Quantity::Cycles, plain(self.cycles)),
            (Quantity::TakenCycles, plain(self.taken)),
            (Quantity::Latency, plain(self.latency)),
            (Quantity::Throughput, plain(self.throughput)),
        ]
    }
}

/// The row of an instruction; `throughputs` are its throughput rows in the plain form.
pub(crate) fn timing_row(
    waves: &OneWave<'_>,
    form: &Form<'_>,
    throughputs: &[&ThroughputRow],
    distribution: Option<&Distribution>,
) -> TimingRow {
    let cycles_at = waves.find(form, ExperimentKind::Cycles);
    let shown = &waves.run.experiments[cycles_at.unwrap_or(form.positions[0])];
    let (cycles, taken, latency) = (waves.cycles(form), waves.taken(form), waves.latency(form));
    let (best, slots) = (capacity(waves, form, throughputs), waves.run.generation.waves.slots);
    let throughput = throughput_outcome(throughputs, best.as_ref());

    let failed = |outcome: &Option<Outcome>| outcome.as_ref().and_then(|outcome| outcome.as_ref().err().cloned());
    let problems = [("taken", failed(&taken)), ("latency", failed(&latency)), ("throughput", throughput)];
    let problems = problems.into_iter().filter_map(|(what, problem)| Some((what, problem?)));
    let (mut details, secondary): (Vec<String>, Vec<Status>) =
        problems.map(|(what, (status, reason))| (format!("{what}: {status}: {reason}"), status)).unzip();
    let mut status = match &cycles {
        Some(Ok(_)) => Status::Ok,
        Some(Err((status, reason))) => {
            details.insert(0, reason.clone());
            *status
        }
        // There is no such experiment (a jump that is always taken) or it was not asked for: the best says how it went.
        None if matches!(taken, Some(Ok(_))) || matches!(latency, Some(Ok(_))) || best.is_some() => Status::Ok,
        None => secondary.iter().copied().min().unwrap_or(Status::Failed),
    };
    if status == Status::Ok && secondary.contains(&Status::Unstable) {
        status = Status::Unstable;
    }
    details.extend(waves.failures(form));
    if details.is_empty() && status == Status::Failed {
        let why;
        (status, why) = without_reason(throughputs);
        details.push(why);
    }
    if latency.is_none() && status == Status::Ok {
        details.extend(why_no_latency(waves, form, taken.is_some()));
    }
    details.extend(distribution.map(|distribution| format!("one alone: {distribution}")));
    let least = least_issue_cycles(waves.run.generation);
    let possible = |outcome: &Option<Outcome>| measured(outcome.as_ref()).map(|found| found.at_least(least));
    let best_known = [&cycles, &taken, &latency].into_iter().flatten().find_map(|outcome| outcome.as_ref().ok());
    TimingRow {
        instruction: form.instruction.to_owned(),
        encoding: shown.encoding.clone(),
        bytes: Bytes(shown.bytes),
        cycles: possible(&cycles),
        cycles_snapped: measured(cycles.as_ref()).and_then(|cycles| cycles.snapped(least)),
        taken: possible(&taken),
        latency: possible(&latency),
        throughput: best.as_ref().map(|best| best.throughput),
        waves_per_simd: best.as_ref().map(|best| best.waves_per_simd),
        throughput_is_least: best.as_ref().is_some_and(|best| is_least(best, throughputs, slots)),
        samples: best_known.map_or(0, |(_, slope)| slope.kept),
        dropped: best_known.map_or(0, |(_, slope)| slope.dropped.total()),
        status,
        detail: details.join("; "),
    }
}

/// Whether the throughput may be more: it did not settle, or more waves than were tried might reach more.
fn is_least(best: &Capacity, throughputs: &[&ThroughputRow], slots: u32) -> bool {
    let is_tried = |row: &&&ThroughputRow| !row.does_not_fit && row.status != Status::Unsupported;
    let most_tried = throughputs.iter().filter(is_tried).map(|row| row.waves_per_simd).max();
    let may_rise = best.is_least && best.waves_per_simd < slots && most_tried == Some(best.waves_per_simd);
    best.undecided.is_some() || may_rise
}

/// Why an instruction without a latency has none, where its kind says so.
fn why_no_latency(waves: &OneWave<'_>, form: &Form<'_>, is_jump: bool) -> Option<String> {
    let instruction = isa::find(form.instruction, waves.run.generation);
    let why = if is_jump { Some("jump") } else { instruction.and_then(no_latency) };
    why.map(|why| format!("latency: none: {why}"))
}

/// Why nothing is known of an instruction of which no experiment failed.
fn without_reason(throughputs: &[&ThroughputRow]) -> (Status, String) {
    match throughputs.first() {
        Some(row) => (Status::Unstable, format!("nothing confirms the throughput of {} waves", row.waves_per_simd)),
        None => (
            Status::Failed,
            "no experiment of its timing is there: the run was cut off; `gcn-timings measure --resume` continues it"
                .into(),
        ),
    }
}

/// The throughput that rows of a form say together.
pub(crate) fn capacity(waves: &OneWave<'_>, form: &Form<'_>, rows: &[&ThroughputRow]) -> Option<Capacity> {
    let generation = waves.run.generation;
    let limits = Limits {
        cycles: measured(waves.cycles(form).as_ref()),
        simds: generation.waves.simds,
        units: isa::find(form.instruction, generation).and_then(|found| units_of(found, generation)),
        least: least_issue_cycles(generation),
    };
    let found = Capacity::of(rows, &limits)?;
    Some(match charge_back_to_back(waves, form) {
        Some(charge) => found.with_charge(charge, &limits, rows),
        None => found,
    })
}

/// By how much an instruction of two dwords takes longer back to back than between others; `None` for those of memory, which keep their
/// unit longer than their wave.
fn charge_back_to_back(waves: &OneWave<'_>, form: &Form<'_>) -> Option<f64> {
    let record = &waves.run.experiments[form.positions[0]];
    let instruction = isa::find(&record.instruction, waves.run.generation)?;
    let packed = waves.per_target(waves.find(form, ExperimentKind::ChainBaseline)?).ok()?.0;
    let cycles = waves.cycles(form)?.ok()?.0;
    let longer = packed.minus(&cycles);
    let is_charged = record.bytes > 4 && shares_unit(instruction.encoding) && is_slower(&longer, cycles.value);
    is_charged.then_some(longer.value)
}

/// Whether the cycles by which copies take longer change the throughput of an instruction: by more than published throughputs are resolved, or
/// published cycles.
fn is_slower(longer: &Estimate, cycles: f64) -> bool {
    longer.value > longer.half_width() + CYCLES_RESOLUTION.min(THROUGHPUT_RESOLUTION * cycles)
}

/// The interval of an outcome.
pub(crate) fn measured(outcome: Option<&Outcome>) -> Option<Measured<Cycles>> {
    outcome.and_then(|outcome| outcome.as_ref().ok()).map(|(estimate, _)| Measured::from(estimate))
}

/// Why there is no throughput although it was tried, or why it is a bound.
fn throughput_outcome(rows: &[&ThroughputRow], found: Option<&Capacity>) -> Option<(Status, String)> {
    if let Some(found) = found {
        return found.undecided.as_ref().map(|why| (Status::Unstable, why.clone()));
    }
    // One number of waves that settled, in noise, says nothing as long as the others do not.
    let row = rows.iter().filter(|row| row.status != Status::Ok).min_by_key(|row| row.status)?;
    let status =
        if rows.len() > 1 && rows.iter().any(|row| row.status == Status::Ok) { Status::Unstable } else { row.status };
    Some((status, format!("{} waves: {}", row.waves_per_simd, row.detail)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_throughput_that_nothing_confirms_says_so() {
        let row = ThroughputRow::example(4, Some((1.0, 0.5)));
        let limits = Limits { cycles: None, simds: 4, units: None, least: Cycles(4.0) };
        assert_eq!(Capacity::of(&[&row], &limits), None, "one number of waves, with a wide interval");
        let why = "nothing confirms the throughput of 4 waves".to_owned();
        assert_eq!(without_reason(&[&row]), (Status::Unstable, why));
        assert_eq!(without_reason(&[]).0, Status::Failed);
    }

    /// A front end that charges one cycle in each line of 16 dwords makes copies of 4 cycles 3 % slower.
    #[test]
    fn a_small_charge_changes_the_throughput_of_short_instructions() {
        let exactly = Estimate::exactly;
        assert!(is_slower(&exactly(0.125), 4.0));
        assert!(!is_slower(&exactly(0.125), 16.0));
        assert!(is_slower(&exactly(0.3), 88.0), "published cycles are resolved as finely as that");
        assert!(!is_slower(&exactly(0.0), 4.0));
        let noisy = Estimate { value: 0.3, standard_error: 0.2, degrees: 50.0 };
        assert!(!is_slower(&noisy, 4.0), "no more than noise");
    }

    /// Sources may state more than such a row reached, and it confirms none of them.
    #[test]
    fn a_throughput_that_did_not_settle_is_a_bound() {
        let limits = Limits { cycles: None, simds: 4, units: None, least: Cycles(4.0) };
        let of = |many: Option<(f64, f64)>| {
            let rows = ThroughputRow::examples(&[(1, Some((0.5, 0.01))), (2, Some((0.9, 0.01))), (4, many)]);
            let rows: Vec<&ThroughputRow> = rows.iter().collect();
            let best = Capacity::of(&rows, &limits).expect("rows that settled");
            (best.undecided.is_some(), is_least(&best, &rows, 4))
        };
        assert_eq!(of(Some((0.9, 0.01))), (false, false));
        assert_eq!(of(None), (true, true), "on 4 waves it did not settle");
    }
}
