//! Rows of `pairs.csv`.

use std::collections::HashMap;

use gcn_model::isa::{Generation, Processor};
use gcn_model::quantity::Cycles;
use gcn_model::record::{ExperimentRecord, PAIR, PAIR_BANK, PAIR_IN_SEQUENCE, PairCase, SharedSource};

use crate::one_wave::{OneWave, UNKNOWN_CHARGE};
use crate::settle::Status;
use crate::statistics::Estimate;
use crate::tables::{Measured, table};

/// A row of `pairs.csv`: two instructions in one.
#[derive(Debug, Clone, PartialEq)]
pub struct PairRow {
    /// The first of the two, upper-case.
    pub first: String,
    /// The second of the two, upper-case.
    pub second: String,
    /// Which sources are in one bank of registers, if any are.
    pub shared: Option<SharedSource>,
    /// Shader cycles of a wave from one such pair to the next.
    pub cycles: Option<Measured<Cycles>>,
    /// Those of the two instructions one after the other.
    pub in_sequence: Option<Measured<Cycles>>,
    /// Shader cycles more than the same pair takes whose sources are in different banks.
    pub more: Option<Measured<Cycles>>,
    pub status: Status,
    /// Why, and why something is absent.
    pub detail: String,
}

table!(PairRow {
    first,
    second,
    shared,
    cycles: "cycles" "low" "high",
    in_sequence: "in_sequence" "in_sequence_low" "in_sequence_high",
    more: "more" "more_low" "more_high",
    status,
    detail,
});

/// The rows, in the order of the run.
pub(crate) fn pair_rows(waves: &OneWave<'_>) -> Vec<PairRow> {
    let generation = waves.run().generation;
    let processor = Processor::find(&waves.run().record.device.target);
    let alone = |name: &str| generation.instruction(name).map_or(name, |row| row.canonical_name()).to_owned();
    let of_rule = |rule: &'static str| {
        let experiments = waves.experiments().iter().enumerate();
        experiments.filter(move |(_, record)| record.rule == rule)
    };
    let key = |record: &ExperimentRecord| (record.instruction.clone(), record.case.clone());
    let in_sequence: HashMap<_, _> =
        of_rule(PAIR_IN_SEQUENCE).map(|(position, record)| (key(record), position)).collect();
    let legal: HashMap<_, _> = of_rule(PAIR).map(|(position, record)| (key(record), position)).collect();
    let slope = |position: usize| waves.slope(position).map(|slope| slope.estimate);
    let measured = |estimate: &Estimate| Measured::from(estimate);
    let charge = waves.charge_of_copies();
    let uncharged = |position: usize| {
        let found = slope(position)?;
        Ok(charge.filter(|charge| *charge > 0.0).map_or(found, |charge| found.minus(&Estimate::exactly(charge))))
    };
    let mut rows = Vec::new();
    for (position, record) in of_rule(PAIR).chain(of_rule(PAIR_BANK)) {
        let PairCase { second, shared } = PairCase::read(&record.case);
        let found = uncharged(position);
        let (status, mut detail) = match &found {
            Ok(_) => (Status::Ok, String::new()),
            Err((status, why)) => (*status, why.clone()),
        };
        let mut say = |text: String| {
            let separator = if detail.is_empty() { "" } else { "; " };
            detail += &format!("{separator}{text}");
        };
        if charge.is_none() && found.is_ok() {
            say(UNKNOWN_CHARGE.to_owned());
        }
        let both = (alone(&record.instruction), alone(second));
        let in_sequence = match in_sequence.get(&both).map(|position| slope(*position)) {
            _ if shared.is_some() => None,
            Some(Ok(in_sequence)) => {
                let long = [&both.0, &both.1].into_iter().filter(|name| is_long(generation, name)).count();
                let up_to = Cycles(waves.front_end_charge().map_or(0.0, |charge| charge.most.0) * long as f64);
                let in_sequence = measured(&in_sequence);
                Some(if up_to.0 > 0.0 { in_sequence.less_up_to(up_to) } else { in_sequence })
            }
            Some(Err((status, why))) => {
                say(format!("in sequence: {status}: {why}"));
                None
            }
            None => {
                say(not_in_sequence(processor, [&both.0, &both.1]));
                None
            }
        };
        let base = legal.get(&(record.instruction.clone(), second.to_owned()));
        let base = base.map(|position| uncharged(*position));
        let more = match (&found, base) {
            (Ok(found), Some(Ok(base))) if shared.is_some() => Some(found.minus(&base)),
            (Ok(_), Some(Err(_))) if shared.is_some() => {
                say("the same pair without that did not settle".to_owned());
                None
            }
            _ => None,
        };
        rows.push(PairRow {
            first: record.instruction.clone(),
            second: second.to_owned(),
            shared,
            cycles: found.as_ref().ok().map(measured),
            in_sequence,
            more: more.as_ref().map(measured),
            status,
            detail,
        });
    }
    rows
}

/// Whether an instruction has more than one dword, for which a front end may charge.
fn is_long(generation: Generation, name: &str) -> bool {
    generation.instruction(name).is_some_and(|instruction| instruction.dwords().bytes().0 > 4)
}

/// Why there is no experiment of the two one after the other.
fn not_in_sequence(processor: Option<Processor>, both: [&str; 2]) -> String {
    let missing = both.into_iter().find(|name| processor.is_none_or(|it| it.instruction(name).is_none()));
    let why = missing.map(|name| format!(": the target has no {name} alone")).unwrap_or_default();
    format!("not measured in sequence{why}")
}
