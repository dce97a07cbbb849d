//! The results of a run's suite `units`, and their section.

use super::cells::{UnitRow, cells};
use super::delays::{DelayRow, delays};
use super::overlap::{TranscendentalOverlapRow, beside};
use crate::document::{Document, Topic};
use crate::one_wave::OneWave;
use crate::suites::rule::most_free;
use crate::tables::{cell, two, unique};

/// The results of a run's suite `units`; empty without it.
#[derive(Debug, Clone, Default)]
pub struct Units {
    /// Rows of `units.csv`.
    pub cells: Vec<UnitRow>,
    /// Rows of `delays.csv`.
    pub delays: Vec<DelayRow>,
    /// Rows of `transcendental-overlap.csv`.
    pub beside: Vec<TranscendentalOverlapRow>,
}

impl Units {
    pub(in crate::suites) fn of(waves: &OneWave<'_>) -> Self {
        Self { cells: cells(waves), delays: delays(waves), beside: beside(waves) }
    }

    /// The row of a producer and a consumer, by their units.
    pub fn cell(&self, producer: &str, consumer: &str) -> Option<&UnitRow> {
        self.cells.iter().find(|row| row.producer == producer && row.consumer == consumer)
    }

    /// Transcendental instructions and their neighbours, each pair once.
    pub fn neighbours(&self) -> Vec<(&str, &str)> {
        unique(self.beside.iter().map(|row| (row.instruction.as_str(), row.neighbour.as_str())))
    }

    /// The rows of a transcendental instruction and a neighbour, by their amounts.
    pub fn beside<'u>(
        &'u self,
        instruction: &'u str,
        neighbour: &'u str,
    ) -> impl Iterator<Item = &'u TranscendentalOverlapRow> {
        self.beside.iter().filter(move |row| row.instruction == instruction && row.neighbour == neighbour)
    }

    /// The most of a neighbour that cost nothing after each transcendental instruction, with all fewer ones, and whether one
    /// more was measured to cost something; none if some amount did not settle before that is known.
    pub fn free(&self, instruction: &str, neighbour: &str) -> Option<(u32, bool)> {
        let rows = self.beside(instruction, neighbour).filter(|row| row.amount > 0);
        most_free(rows.map(|row| (row.amount, row.is_free()))).filter(|(most, costs_more)| *costs_more || *most > 0)
    }
}

/// Adds the section, if the run has the suite.
pub(in crate::suites) fn section(page: &mut Document, found: &Units) {
    if !found.cells.is_empty() {
        matrix(page, found);
        details(page, found);
    }
    changes(page, found);
    free(page, found);
}

/// The producers, each a line, and the consumers, each a column.
fn matrix(page: &mut Document, found: &Units) {
    page.section(Topic::Suite, 2, "Latencies between units");
    page.paragraph(
        "Shader cycles from the issue of the producer (line) to that of the consumer (column) that reads its result, one wave. ≤: the consumer does not certainly wait longer than an independent one. \\* where a required instruction between the two is included, such as the wait for memory. Empty where the consumer cannot read the producer's registers, ? where there is no number; \
         `units.csv` says why. The intervals are of 99.9 %.",
    );
    let consumers = unique(found.cells.iter().map(|row| row.consumer.as_str()));
    let producers = unique(found.cells.iter().map(|row| row.producer.as_str()));
    page.grid("Producer", &producers, &consumers, |producer, consumer| {
        found.cell(producer, consumer).map(of_cell).unwrap_or_default()
    });
}

fn of_cell(row: &UnitRow) -> String {
    match (row.cycles, row.at_most) {
        (Some(cycles), _) => {
            let mark = if row.detail.is_empty() { "" } else { "\\*" };
            format!("{}{mark}", cell(Some(cycles)))
        }
        (None, Some(at_most)) => format!("≤ {}", two(at_most)),
        (None, None) => "?".to_owned(),
    }
}

/// Which instruction stands for each unit, and what stands between two of them.
fn details(page: &mut Document, found: &Units) {
    let units = |row: &UnitRow| {
        [(&row.producer, &row.producer_instruction), (&row.consumer, &row.consumer_instruction)]
            .map(|(unit, name)| format!("{unit} {name}"))
    };
    let words = unique(found.cells.iter().flat_map(units));
    page.paragraph(format!("Instructions of the units: {}.", words.join(", ")));
}

fn changes(page: &mut Document, found: &Units) {
    if found.delays.is_empty() {
        return;
    }
    page.part("S_DELAY_ALU");
    page.paragraph(
        "Extra shader cycles of a pair with S_DELAY_ALU between the two: as a compiler writes it (right), with another value (wrong), and without a dependency (needless). `delays.csv`.",
    );
    let row = |row: &DelayRow| {
        let more = if row.more.is_some() { cell(row.more) } else { "?".to_owned() };
        [row.producer.clone(), row.consumer.clone(), row.delay.clone(), row.case.name().to_owned(), more]
    };
    page.table(["Producer", "Consumer", "S_DELAY_ALU", "Case", "Cycles more"], found.delays.iter().map(row));
}

fn free(page: &mut Document, found: &Units) {
    let pairs = found.neighbours();
    if pairs.is_empty() {
        return;
    }
    page.part("Overlap with transcendental instructions");
    page.paragraph(
        "Blocks of a transcendental instruction and that many independent ones after it, shader cycles of one wave. Free ones cost nothing. `transcendental-overlap.csv`.",
    );
    let amounts = unique(found.beside.iter().map(|row| row.amount));
    let heads = ["Instruction", "Beside"].map(str::to_owned).into_iter();
    let heads = heads.chain(amounts.iter().map(ToString::to_string)).chain(["Free".to_owned()]);
    let rows = pairs.into_iter().map(|(instruction, neighbour)| {
        let mut cells = vec![instruction.to_owned(), neighbour.to_owned()];
        for amount in &amounts {
            let row = found.beside(instruction, neighbour).find(|row| row.amount == *amount);
            cells.push(cell(row.and_then(|row| row.cycles)));
        }
        cells.push(match found.free(instruction, neighbour) {
            Some((most, true)) => most.to_string(),
            Some((most, false)) => format!("{most} or more"),
            None => "undecided".to_owned(),
        });
        cells
    });
    page.table(heads, rows);
}

/// The line of the summary: how many results there are, and those that say most; `None` of a run without any.
pub(in crate::suites) fn words(found: &Units) -> Option<String> {
    let known = found.cells.iter().filter(|row| row.cycles.is_some()).count();
    let bound = found.cells.iter().filter(|row| row.at_most.is_some()).count();
    if found.cells.is_empty() && found.beside.is_empty() {
        return None;
    }
    let of_itself = |unit: &str| {
        let cycles = found.cell(unit, unit)?.cycles?;
        let [value, ..] = cycles.numbers();
        Some(format!("{unit} to {unit} {} cycles", (value * 100.0).round() / 100.0))
    };
    let mut words =
        vec![format!("of {} results from unit to unit {known} known, {bound} within a bound", found.cells.len())];
    words.extend(["vector", "transcendental", "scalar"].into_iter().filter_map(of_itself));
    let free = |(instruction, neighbour): (&str, &str)| {
        let (most, is_most) = found.free(instruction, neighbour)?;
        let more = if is_most { "" } else { " or more" };
        Some(format!("{most}{more} {neighbour} free during {instruction}"))
    };
    words.extend(found.neighbours().into_iter().next().and_then(free));
    Some(format!("{}; see units.csv", words.join(", ")))
}
