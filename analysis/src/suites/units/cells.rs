//! How soon one unit can use what another brings: rows of `units.csv`.

use gcn_model::quantity::Cycles;
use gcn_model::record::{ExperimentRecord, UNITS, UnitCase};

use crate::one_wave::{OneWave, UNKNOWN_CHARGE, charge_note};
use crate::settle::{CYCLES_RESOLUTION, Status};
use crate::suites::rule::of_rule;
use crate::tables::{Measured, decimal, table};

table! { "units.csv":
    /// A row of `units.csv`.
    pub struct UnitRow {
        /// The unit that brings the result.
        pub producer: String,
        /// Its instruction, upper-case.
        pub producer_instruction: String,
        /// The unit that reads it.
        pub consumer: String,
        /// Its instruction, upper-case.
        pub consumer_instruction: String,
        /// Shader cycles from the issue of the producer to that of the consumer. Of many that are read side by side: the interval is one of
        /// 99.9 %.
        pub cycles: Option<Measured<Cycles>> = "cycles" "low" "high",
        /// Shader cycles within which the result is there at the latest, where no wait can be seen for sure.
        pub at_most: Option<f64>,
        pub status: Status,
        /// Why there are no cycles, or what stands between the two and is in them.
        pub detail: String,
    }
}

/// The rows, in the order of the run.
pub(super) fn cells(waves: &OneWave<'_>) -> Vec<UnitRow> {
    let by_id = waves.run.positions();
    let cases: Vec<(usize, &ExperimentRecord, UnitCase)> = of_rule(waves, UNITS)
        .filter_map(|(position, record)| Some((position, record, UnitCase::read(&record.case)?)))
        .collect();
    let mut rows = Vec::new();
    for (position, record, case) in cases.iter().filter(|(_, _, case)| case.is_dependent) {
        let Some(producer) = &case.producer else { continue };
        let Some(&base) = by_id.get(record.baseline.as_str()) else { continue };
        let is_independent = |other: &UnitCase| {
            !other.is_dependent && other.producer == case.producer && other.consumer == case.consumer
        };
        let apart = cases.iter().find(|(_, _, other)| is_independent(other)).map(|(position, ..)| *position);
        let found = latency(waves, *position, apart, base);
        let (cycles, at_most, status, detail) = match found {
            Ok(Latency::Cycles(cycles)) => {
                let (cycles, note) = less_charge(waves, record, &waves.run.experiments[base], cycles);
                let words = [between(&case.behind), note].into_iter().filter(|words| !words.is_empty());
                (Some(cycles), None, Status::Ok, words.collect::<Vec<_>>().join("; "))
            }
            Ok(Latency::AtMost(cycles)) => (None, Some(cycles), Status::Unsupported, no_wait(cycles, case)),
            Err((status, why)) => (None, None, status, why),
        };
        rows.push(UnitRow {
            producer: producer.clone(),
            producer_instruction: record.instruction.clone(),
            consumer: case.consumer.clone(),
            consumer_instruction: waves.run.experiments[base].instruction.clone(),
            cycles,
            at_most,
            status,
            detail,
        });
    }
    rows
}

/// The result of a dependent pair.
enum Latency {
    /// The consumer waits.
    Cycles(Measured<Cycles>),
    /// It does not, or not for sure: the result is ready within these cycles.
    AtMost(f64),
}

/// From the issue of the producer to that of the consumer: the pair's extra cycles over the consumer alone, if they surely exceed those of the
/// same pair whose consumer waits for nothing.
fn latency(
    waves: &OneWave<'_>,
    dependent: usize,
    apart: Option<usize>,
    base: usize,
) -> Result<Latency, (Status, String)> {
    let difference =
        |position, other| waves.block_difference(position, other).map(|estimate| Measured::from(&estimate).of_many());
    let cycles = difference(dependent, base)?;
    if cycles.value.0 < 0.0 {
        let [value, low, high] = cycles.numbers().map(decimal);
        return Err((Status::Unstable, format!("impossible: {value} cycles, {low} to {high}")));
    }
    let missing = || (Status::Failed, "the independent pair was not measured".to_owned());
    let apart = apart.ok_or_else(missing)?;
    let waited =
        difference(dependent, apart).map_err(|(status, why)| (status, format!("the independent pair: {why}")))?;
    Ok(if waited.low.0 > CYCLES_RESOLUTION { Latency::Cycles(cycles) } else { Latency::AtMost(cycles.high.0) })
}

/// Cycles of a pair without what the front end may charge for a producer of two dwords at the start of a line, and a note on that. A consumer
/// is at the same dword without a producer, but after other instructions: a front end that the run does not tell may charge it otherwise there.
fn less_charge(
    waves: &OneWave<'_>,
    producer: &ExperimentRecord,
    consumer: &ExperimentRecord,
    cycles: Measured<Cycles>,
) -> (Measured<Cycles>, String) {
    match waves.most_charged_at_start() {
        None if producer.bytes.max(consumer.bytes) > 4 => (cycles, UNKNOWN_CHARGE.to_owned()),
        Some(most) if producer.bytes > 4 && most.0 > 0.0 => (cycles.less_up_to(most), charge_note(most)),
        _ => (cycles, String::new()),
    }
}

/// What stands between the two.
fn between(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [name] => format!("{name} is between the two, and included"),
        names => format!("{} are between the two, and included", names.join(" and ")),
    }
}

fn no_wait(cycles: f64, case: &UnitCase) -> String {
    let why = match case.behind.as_slice() {
        [] => "it is not certainly longer than for an independent pair".to_owned(),
        names => format!(
            "with {} between the two it is not certainly longer than for an independent pair",
            names.join(" and ")
        ),
    };
    format!("at most {} cycles: {why}", decimal(cycles))
}
