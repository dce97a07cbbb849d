//! The summary as data.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::one_wave::TimingRow;
use crate::results::Results;
use crate::settle::Status;
use crate::tables::Verdict;
use crate::verdict::{SemanticRow, SemanticVerdict};
use crate::views::question::{Question, questions};
use crate::views::validation::counts_by_source;

/// The result of a run in a few lines.
#[derive(Debug, Clone)]
pub struct Summary<'r> {
    /// The results: their fields are the summary's.
    results: &'r Results,
    /// Instructions by status, in the order of [`Status::ALL`]; those with none are left out.
    pub statuses: Vec<(Status, usize)>,
    /// Published values of instructions that the run was asked for, by source in the order of the page.
    pub published: Vec<(String, BTreeMap<Verdict, usize>)>,
    /// Published values of instructions that the run was not asked for, by source; those of no source that has none.
    pub not_asked: BTreeMap<String, usize>,
    /// Instructions with a number that the CLRX table does not list.
    pub beyond: usize,
    /// Cases of rules by verdict, if the run has any.
    pub rules: BTreeMap<Verdict, usize>,
    /// The disputed questions, if the run has the suite.
    pub questions: Vec<Question>,
    /// What each other suite found, by its name, where the run has it.
    pub suites: Vec<(&'static str, String)>,
    /// Instructions that did not settle or failed, with their reasons.
    pub troubled: Vec<&'r TimingRow>,
}

impl Deref for Summary<'_> {
    type Target = Results;

    fn deref(&self) -> &Results {
        self.results
    }
}

impl Results {
    /// The first things that a user wants to know.
    pub fn summary(&self) -> Summary<'_> {
        let occupancy = (!self.occupancy.table.is_empty()).then(|| self.occupancy.to_string());
        let suites = [("occupancy", occupancy)].into_iter().chain(self.suites.words());
        let suites = suites.chain([("semantics", semantics_words(&self.semantics))]);
        let counts = counts_by_source(&self.validation);
        let asked = counts.iter().filter(|(_, of)| !of.verdicts.is_empty());
        Summary {
            results: self,
            statuses: self.instructions_by_status(),
            not_asked: counts
                .iter()
                .filter(|(_, of)| of.not_asked > 0)
                .map(|(source, of)| ((*source).to_owned(), of.not_asked))
                .collect(),
            published: asked.map(|(source, of)| ((*source).to_owned(), of.verdicts.clone())).collect(),
            beyond: self.beyond_clrx().count(),
            rules: self.penalties.iter().fold(BTreeMap::new(), |mut counts, row| {
                *counts.entry(row.verdict).or_default() += 1;
                counts
            }),
            questions: questions(&self.disputes),
            suites: suites.filter_map(|(suite, said)| Some((suite, said?))).collect(),
            troubled: self.timings.iter().filter(|row| row.status.is_open()).collect(),
        }
    }

    fn instructions_by_status(&self) -> Vec<(Status, usize)> {
        let count = |status| self.timings.iter().filter(|row| row.status == status).count();
        Status::ALL.map(|status| (status, count(status))).into_iter().filter(|(_, count)| *count > 0).collect()
    }
}

impl Summary<'_> {
    /// What a suite found, if the run has it.
    pub fn suite(&self, name: &str) -> Option<&str> {
        self.suites.iter().find(|(suite, _)| *suite == name).map(|(_, said)| said.as_str())
    }
}

/// The cases that hold a known reading; of the simulator that is its own implementation.
fn semantics_words(rows: &[SemanticRow]) -> Option<String> {
    let first = rows.first()?;
    let count = |verdict| rows.iter().filter(|row| row.verdict == verdict).count();
    let counts = [
        format!("of {} open cases {} hold a known reading", rows.len(), count(SemanticVerdict::Holds)),
        format!("{} neither", count(SemanticVerdict::Neither)),
        format!("{} not measured", count(SemanticVerdict::Unmeasured)),
    ];
    let whose = if first.device == "simulated" { " (a simulated result: what the simulator implements)" } else { "" };
    Some(format!("{}{whose}; see semantics.csv", counts.join(", ")))
}
