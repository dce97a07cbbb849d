//! Rows of `pairs.csv`.

use std::collections::HashMap;

use gcn_model::isa::{Generation, Processor};
use gcn_model::quantity::Cycles;
use gcn_model::record::{ExperimentRecord, PAIR, PAIR_BANK, PAIR_IN_SEQUENCE, PairCase, SharedSource};

use crate::one_wave::{OneWave, UNKNOWN_CHARGE, charge_note};
use crate::settle::{CYCLES_RESOLUTION, Status, least_issue_cycles, told};
use crate::statistics::Estimate;
use crate::suites::rule::of_rule;
use crate::tables::{Measured, Single, table};

table! { "pairs.csv":
    /// A row of `pairs.csv`: two instructions in one.
    #[derive(Default)]
    pub struct PairRow {
        /// The first of the two, upper-case.
        pub first: String,
        /// The second of the two, upper-case.
        pub second: String,
        /// Which sources are in one bank of registers, if any are.
        pub shared: Option<SharedSource>,
        /// Shader cycles of a wave from one such pair to the next.
        pub cycles: Option<Measured<Cycles>> = "cycles" "low" "high",
        /// Those of the two instructions one after the other.
        pub in_sequence: Option<Measured<Cycles>> = "in_sequence" "in_sequence_low" "in_sequence_high",
        /// Shader cycles more than the same pair takes whose sources are in different banks.
        pub more: Option<Measured<Cycles>> = "more" "more_low" "more_high",
        pub status: Status,
        /// Why, and why something is absent.
        pub detail: String,
    }
}

impl Single for SharedSource {
    fn text(&self) -> String {
        self.to_string()
    }

    fn of_text(text: &str) -> Result<Self, String> {
        Self::read(text).ok_or_else(|| format!("{text:?} is not a source that two instructions share"))
    }
}

/// The rows, in the order of the run.
pub(in crate::suites) fn rows(waves: &OneWave<'_>) -> Vec<PairRow> {
    let pairs = Pairs::of(waves);
    let records = of_rule(waves, PAIR).chain(of_rule(waves, PAIR_BANK));
    records.map(|(position, record)| pairs.row(position, record)).collect()
}

/// Two instructions by name: an experiment.
type ByNames = HashMap<(String, String), usize>;

/// The experiments that rows are compared with.
struct Pairs<'w> {
    waves: &'w OneWave<'w>,
    /// Pairs that keep all rules.
    legal: ByNames,
    /// The two that do the same, one after the other.
    in_sequence: ByNames,
}

impl<'w> Pairs<'w> {
    fn of(waves: &'w OneWave<'w>) -> Self {
        let by_names = |rule: &'static str| {
            let experiments = of_rule(waves, rule);
            experiments.map(|(at, record)| ((record.instruction.clone(), record.case.clone()), at)).collect()
        };
        Self { waves, legal: by_names(PAIR), in_sequence: by_names(PAIR_IN_SEQUENCE) }
    }

    fn row(&self, position: usize, record: &ExperimentRecord) -> PairRow {
        let PairCase { second, shared } = PairCase::read(&record.case);
        let (found, status, why) = told(self.uncharged(position));
        let mut details = vec![why];
        if self.waves.charge_of_copies().is_none() && found.is_some() {
            details.push(UNKNOWN_CHARGE.to_owned());
        }
        if let Some(Uncharged { up_to, .. }) = &found
            && up_to.0 > 0.0
        {
            details.push(charge_note(*up_to));
        }
        let mut known = |outcome: Result<Measured<Cycles>, String>| outcome.map_err(|why| details.push(why)).ok();
        let in_sequence = match shared {
            None => known(self.in_sequence([&record.instruction, second])),
            Some(_) => None,
        };
        let base = self.legal.get(&(record.instruction.clone(), second.to_owned())).map(|at| self.uncharged(*at));
        let more = match (&found, base, shared) {
            (Some(found), Some(Ok(base)), Some(_)) => Some(Measured::from(&found.cycles.minus(&base.cycles))),
            (Some(_), Some(Err(_)), Some(_)) => known(Err("the same pair without that did not settle".to_owned())),
            _ => None,
        };
        details.retain(|detail| !detail.is_empty());
        PairRow {
            first: record.instruction.clone(),
            second: second.to_owned(),
            shared,
            cycles: found.map(|found| Measured::from(&found.cycles).less_up_to(found.up_to)),
            in_sequence,
            more,
            status,
            detail: details.join("; "),
        }
    }

    /// Cycles of a pair without the front end's charge, as far as that is known.
    fn uncharged(&self, position: usize) -> Result<Uncharged, (Status, String)> {
        let found = self.waves.slope(position)?.estimate;
        let whole = |cycles: Estimate| Uncharged { cycles, up_to: Cycles(0.0) };
        let Some(charge) = self.waves.charge_of_copies().filter(|charge| charge.value > 0.0) else {
            return Ok(whole(found));
        };
        let (rest, least) = (found.minus(&charge), least_issue_cycles(self.waves.run.generation));
        // Where not even the first dword of a line is free, the charge may hide cycles of the pair in turn.
        let is_everywhere = self.waves.most_charged_at_start().is_none_or(|most| most.0 > 0.0);
        Ok(match () {
            () if rest.value - least.0 <= CYCLES_RESOLUTION && !is_everywhere => whole(rest),
            () if self.waves.hides_charge(found.low()) => whole(found),
            // A pair that keeps its units longer hides some of it.
            () => Uncharged { cycles: found, up_to: Cycles(charge.value) },
        })
    }

    /// Cycles of the two one after the other; the reason without any.
    fn in_sequence(&self, pair: [&str; 2]) -> Result<Measured<Cycles>, String> {
        let run = self.waves.run;
        let [first, second] =
            pair.map(|name| run.generation.instruction(name).map_or(name, |row| row.canonical_name()).to_owned());
        let position = self.in_sequence.get(&(first.clone(), second.clone()));
        let Some(&position) = position else {
            return Err(not_in_sequence(Processor::find(&run.record.device.target), [&first, &second]));
        };
        let found = self.waves.slope(position).map_err(|(status, why)| format!("in sequence: {status}: {why}"))?;
        let long = [&first, &second].into_iter().filter(|name| is_long(run.generation, name)).count();
        let most = self.waves.charge.map_or(0.0, |charge| charge.most.0);
        Ok(Measured::from(&found.estimate).less_up_to(Cycles(most * long as f64)))
    }
}

/// Whether an instruction has more than one dword, for which a front end may charge.
fn is_long(generation: Generation, name: &str) -> bool {
    generation.instruction(name).is_some_and(|instruction| instruction.dwords().bytes().0 > 4)
}

/// Cycles of a pair, and how much of the front end's charge may be in them.
struct Uncharged {
    cycles: Estimate,
    up_to: Cycles,
}

/// Why there is no experiment of the two one after the other.
fn not_in_sequence(processor: Option<Processor>, both: [&str; 2]) -> String {
    let missing = both.into_iter().find(|name| processor.is_none_or(|it| it.instruction(name).is_none()));
    let why = missing.map(|name| format!(": the target has no {name} alone")).unwrap_or_default();
    format!("not measured in sequence{why}")
}
