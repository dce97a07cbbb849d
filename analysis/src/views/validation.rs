//! The published values of a run beside its measurements, for a reader and for scripts.

use std::collections::BTreeMap;

use gcn_model::record::DeviceRecord;
use serde_json::{Map, Value, json};

use super::origin::heading;
use crate::document::{Document, Fact, Tone, Topic, literal};
use crate::results::Results;
use crate::tables::{Number, Verdict, by_key};
use crate::verdict::ValidationRow;

/// Published values of a run, beside what it measured.
#[derive(Debug, Clone)]
pub struct Validation<'r> {
    run: &'r Results,
    rows: Vec<&'r ValidationRow>,
}

impl<'r> Validation<'r> {
    /// Those values of a run that are meant.
    pub fn of(run: &'r Results, is_meant: impl Fn(&ValidationRow) -> bool) -> Self {
        Self { run, rows: run.validation.iter().filter(|row| is_meant(row)).collect() }
    }

    /// Their sources, in the order of the values.
    pub fn sources(&self) -> Vec<&'r str> {
        self.counts().into_iter().map(|(source, _)| source).collect()
    }

    fn counts(&self) -> Vec<(&'r str, SourceCounts)> {
        counts_by_source(self.rows.iter().copied())
    }

    /// A table of each source with what differs or answers a question, with `all` every value; then how many values there are.
    pub fn document(&self, all: bool) -> Document {
        let device = &self.run.record.device;
        let mut page = Document::default();
        heading(&mut page, Topic::Sources, &self.run.record);
        let is_shown = |row: &&ValidationRow| all || matches!(row.verdict, Verdict::Mismatch | Verdict::Answers);
        let counts = self.counts();
        for (source, _) in &counts {
            let rows = self.rows.iter().copied().filter(|row| row.source == *source);
            let rows: Vec<&ValidationRow> = rows.filter(is_shown).collect();
            if !rows.is_empty() {
                page.section(Topic::Sources, 2, literal(source));
                table(&mut page, &rows, device);
            }
        }
        page.section(Topic::Sources, 2, "Sources");
        for (source, counts) in counts {
            page.fact(counts.fact(source, "", device));
        }
        page
    }

    /// Every value, and how many there are of each source and verdict.
    pub fn json(&self) -> Value {
        let device = &self.run.record.device;
        let counts = self.counts().into_iter().map(|(source, counts)| {
            let verdicts = Verdict::ALL.map(|verdict| (verdict.name().to_owned(), counts.count(verdict).into()));
            let not_asked = ("not_asked".to_owned(), counts.not_asked.into());
            (source.to_owned(), verdicts.into_iter().chain([not_asked]).collect::<Map<String, Value>>().into())
        });
        json!({
            "device": device.name, "simulated": device.is_simulated(), "sources": counts.collect::<Map<String, Value>>(),
            "rows": self.rows,
        })
    }
}

/// Values of a source. What each one comes to is shown where one of them takes a factor or a range of this run's.
fn table(page: &mut Document, rows: &[&ValidationRow], device: &DeviceRecord) {
    let is_worked_out = rows.iter().any(|row| row.expected != row.published);
    let head = ["instruction", "quantity", "published", "expected", "measured", "verdict"];
    let line = |row: &&ValidationRow| {
        let measured = row.measured.map(|measured| Number::of_quantity(row.quantity, measured).to_string());
        let verdict = if row.asked { row.verdict.word_on(device) } else { "not asked for" };
        let mut cells = vec![
            literal(&row.instruction),
            row.quantity.to_string(),
            literal(&row.published),
            literal(&row.expected),
            measured.unwrap_or_default(),
            verdict.to_owned(),
        ];
        if !is_worked_out {
            cells.remove(3);
        }
        cells
    };
    page.table(head.into_iter().filter(|name| is_worked_out || *name != "expected"), rows.iter().map(line));
}

/// How the values of a source fared.
#[derive(Debug, Clone, Default)]
pub(super) struct SourceCounts {
    /// Those of instructions that the run was asked for.
    pub(super) verdicts: BTreeMap<Verdict, usize>,
    pub(super) not_asked: usize,
}

impl SourceCounts {
    fn of(rows: &[&ValidationRow]) -> Self {
        let mut counts = Self::default();
        for row in rows {
            *(if row.asked { counts.verdicts.entry(row.verdict).or_default() } else { &mut counts.not_asked }) += 1;
        }
        counts
    }

    pub(super) fn count(&self, verdict: Verdict) -> usize {
        self.verdicts.get(&verdict).copied().unwrap_or(0)
    }

    /// A fact about the source: `1265 match, 8 differ, …` behind a prefix.
    pub(super) fn fact(&self, name: &str, prefix: &str, device: &DeviceRecord) -> Fact {
        let [same, other, open, missing] = Verdict::ALL.map(|verdict| self.count(verdict));
        let is_simulated = device.is_simulated();
        let (same_word, other_word, open_word) = match is_simulated {
            true => (Verdict::Match.simulated_word(), Verdict::Mismatch.simulated_word(), "open questions"),
            false => ("match", "differ", "open questions answered"),
        };
        let not_asked = match self.not_asked {
            0 => String::new(),
            count => format!(", {count} not asked for"),
        };
        let tone = match other {
            _ if is_simulated => Tone::Plain,
            0 => Tone::Good,
            _ => Tone::Bad,
        };
        let said = format!("{same} {same_word}, {other} {other_word}, {open} {open_word}, {missing} not measured");
        Fact { tone, ..Fact::plain(name, &format!("{prefix}{said}{not_asked}")) }
    }
}

/// The counts of each source, in the order of the values.
pub(super) fn counts_by_source<'v>(rows: impl IntoIterator<Item = &'v ValidationRow>) -> Vec<(&'v str, SourceCounts)> {
    let by_source = by_key(rows.into_iter().map(|row| (row.source.as_str(), row)));
    by_source.into_iter().map(|(source, rows)| (source, SourceCounts::of(&rows))).collect()
}
