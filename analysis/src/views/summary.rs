//! The first things that a user wants to know, as data: the command line colours it, [`Summary::plain`] does not.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Deref;

use gcn_model::quantity::Cycles;

use super::question::{Question, questions};
use crate::clock::{NoClock, ShaderClock};
use crate::pairs::pair_words;
use crate::results::{FailedTry, Results};
use crate::settle::Status;
use crate::tables::{Verdict, decimal};
use crate::verdict::{DpFactor, NoDoublePrecision, SemanticRow, SemanticVerdict};

/// Slowest instructions that a summary names.
const SLOWEST: usize = 5;

/// The result of a run in a few lines.
#[derive(Debug, Clone)]
pub struct Summary<'r> {
    /// The results: their fields are the summary's.
    results: &'r Results,
    /// The device's own name.
    pub device: String,
    /// Its target and generation.
    pub chip: String,
    /// Whether the device is the simulator.
    pub simulated: bool,
    /// Whether the run came to its end.
    pub complete: bool,
    /// Instructions by status, in the order of [`Status::ALL`]; those with none are left out.
    pub statuses: Vec<(Status, usize)>,
    /// Published values by source and section, in the order of the page.
    pub sections: Vec<SectionCounts>,
    /// Published values of instructions that the run was not asked for, by source; those of no source that has none.
    pub not_asked: BTreeMap<String, usize>,
    /// Instructions with a number that the CLRX table does not list.
    pub beyond: usize,
    /// What ran at once, if the run has the occupancy suite.
    pub occupancy: Option<String>,
    /// Cases of rules by verdict, if the run has any.
    pub rules: BTreeMap<Verdict, usize>,
    /// The disputed questions, if the run has the suite.
    pub questions: Vec<Question>,
    /// The outcome of the cases whose result no source states, if the run has any.
    pub semantics: Option<String>,
    /// The outcome of the results from unit to unit, if the run has any.
    pub units: Option<String>,
    /// What two instructions in one took, if the run has any.
    pub pairs: Option<String>,
    /// The slowest instructions, slowest first.
    pub slowest: Vec<SummaryRow>,
    /// Instructions that did not settle or failed, with their reasons.
    pub troubled: Vec<SummaryRow>,
}

/// Published values of a section of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SectionCounts {
    /// The source's short name.
    pub source: String,
    pub section: String,
    /// Values by verdict.
    pub verdicts: BTreeMap<Verdict, usize>,
}

/// An instruction that a summary names.
#[derive(Debug, Clone, PartialEq)]
pub struct SummaryRow {
    pub instruction: String,
    pub status: Status,
    /// Its cycles, if they settled.
    pub cycles: Option<Cycles>,
    pub detail: String,
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
        Summary::of(self)
    }
}

impl SectionCounts {
    /// Values with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
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

impl<'r> Summary<'r> {
    /// The summary of an analysis.
    pub(crate) fn of(analysis: &'r Results) -> Self {
        let rows = || {
            analysis.timings.iter().map(|row| SummaryRow {
                instruction: row.instruction.clone(),
                status: row.status,
                cycles: row.cycles.map(|cycles| cycles.value),
                detail: row.detail.clone(),
            })
        };
        let count = |status| analysis.timings.iter().filter(|row| row.status == status).count();
        let mut slowest: Vec<SummaryRow> = rows().filter(|row| row.cycles.is_some()).collect();
        slowest.sort_by(|a, b| {
            let cycles = |row: &SummaryRow| row.cycles.map_or(0.0, f64::from);
            cycles(b).total_cmp(&cycles(a)).then_with(|| a.instruction.cmp(&b.instruction))
        });
        slowest.truncate(SLOWEST);
        Self {
            results: analysis,
            device: analysis.record.device.name.clone(),
            chip: format!("{}, {}", analysis.record.device.target, analysis.record.device.generation_title()),
            simulated: analysis.record.device.is_simulated(),
            complete: analysis.record.end.is_some(),
            statuses: Status::ALL.map(|status| (status, count(status))).into_iter().filter(|&(_, n)| n > 0).collect(),
            sections: sections(analysis),
            not_asked: not_asked(analysis),
            beyond: analysis.beyond_clrx().count(),
            occupancy: (!analysis.occupancy.table.is_empty()).then(|| analysis.occupancy.to_string()),
            rules: analysis.penalties.iter().fold(BTreeMap::new(), |mut counts, row| {
                *counts.entry(row.verdict).or_default() += 1;
                counts
            }),
            questions: questions(&analysis.disputes),
            semantics: semantics_words(&analysis.semantics),
            units: analysis.units.words(),
            pairs: pair_words(&analysis.pairs),
            slowest,
            troubled: rows().filter(|row| matches!(row.status, Status::Unstable | Status::Failed)).collect(),
        }
    }

    /// The whole summary as plain text, one fact a line.
    pub fn plain(&self) -> String {
        let mut text = String::new();
        let mut line = |arguments: std::fmt::Arguments<'_>| {
            // Writing to a String does not fail.
            let _ = writeln!(text, "{arguments}");
        };
        let unfinished = if self.complete { "" } else { " (the run is incomplete)" };
        line(format_args!("{}{unfinished}", self.device));
        let statuses: Vec<String> = self.statuses.iter().map(|(status, count)| format!("{count} {status}")).collect();
        let statuses = if statuses.is_empty() { "none measured".to_owned() } else { statuses.join(", ") };
        line(format_args!("instructions: {statuses}"));
        line(format_args!("readings: {}", self.tally()));
        line(format_args!("shader clock: {}", clock_words(&self.clock)));
        line(format_args!("{}", dpfactor_line(&self.dpfactor)));
        for section in &self.sections {
            let counts: Vec<String> =
                section.verdicts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
            line(format_args!("{} {}: {}", section.source, section.section, counts.join(", ")));
        }
        for (source, count) in &self.not_asked {
            line(format_args!("{source}: {count} values of instructions that were not asked for"));
        }
        line(format_args!("not in the CLRX table: {} instructions", self.beyond));
        if !self.glc.is_empty() {
            let names: Vec<String> = self.glc.iter().map(ToString::to_string).collect();
            line(format_args!("{}", names.join(", ")));
        }
        let rules: Vec<String> = self.rules.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect();
        let suites = [
            ("LDS", self.lds_banks.as_ref().map(ToString::to_string)),
            ("front end", self.front_end.as_ref().map(ToString::to_string)),
            ("occupancy", self.occupancy.clone()),
            ("cases of rules", (!rules.is_empty()).then(|| rules.join(", "))),
            ("units", self.units.clone()),
            ("pairs", self.pairs.clone()),
            ("semantics", self.semantics.clone()),
        ];
        for (suite, found) in suites.iter().filter_map(|(suite, found)| Some((suite, found.as_ref()?))) {
            line(format_args!("{suite}: {found}"));
        }
        for (what, tries) in [("failed", &self.failed), ("failed once", &self.retried)] {
            for FailedTry { experiment, why } in tries {
                line(format_args!("{what}: {experiment}: {why}"));
            }
        }
        for row in &self.slowest {
            line(format_args!("slowest: {} {} cycles", row.instruction, row.cycles.map(decimal).unwrap_or_default()));
        }
        for row in &self.troubled {
            line(format_args!("{}: {}: {}", row.status, row.instruction, row.detail));
        }
        text
    }
}

/// The shader clock in a line.
pub(crate) fn clock_words(clock: &Result<ShaderClock, NoClock>) -> String {
    clock.as_ref().map_or_else(ToString::to_string, ToString::to_string)
}

fn dpfactor_line(dpfactor: &Result<DpFactor, NoDoublePrecision>) -> String {
    match dpfactor {
        Ok(found) => format!(
            "DPFACTOR {} ({}, double precision {}), {}",
            found.words(),
            found.class.name(),
            found.rate(),
            found.agreement(),
        ),
        Err(absent) => format!("DPFACTOR not measured: {absent}"),
    }
}

/// Published values that no one asked about.
fn not_asked(analysis: &Results) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for row in analysis.validation.iter().filter(|row| !row.asked) {
        *counts.entry(row.source.clone()).or_default() += 1;
    }
    counts
}

/// Verdicts by source and section, in the order in which they appear.
fn sections(analysis: &Results) -> Vec<SectionCounts> {
    let mut sections: Vec<SectionCounts> = Vec::new();
    for row in analysis.validation.iter().filter(|row| row.asked) {
        let known = sections.iter_mut().find(|known| known.source == row.source && known.section == row.section);
        let counts = match known {
            Some(known) => known,
            None => {
                let (source, section) = (row.source.clone(), row.section.clone());
                sections.push(SectionCounts { source, section, verdicts: BTreeMap::new() });
                let last = sections.len() - 1;
                &mut sections[last]
            }
        };
        *counts.verdicts.entry(row.verdict).or_default() += 1;
    }
    sections
}
