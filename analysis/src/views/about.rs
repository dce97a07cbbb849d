//! All that a run knows of one instruction, for a reader.

use super::SIMULATED;
use super::tables::{Heading, Table, TableRow};
use crate::document::{Document, Topic, literal};
use crate::results::{Guesses, Results};
use crate::tables::{Shown, marked};

/// The table of an instruction's own numbers.
const TIMINGS: &str = "timings";

impl Results {
    /// The rows of all tables that speak of an instruction.
    pub fn document_about(&self, instruction: &str) -> Document {
        let device = &self.record.device;
        let mut page = Document::default();
        page.section(Topic::Instructions, 1, literal(&format!("{instruction}  {}", self.title())));
        if device.is_simulated() {
            page.warning(SIMULATED);
        }
        let detail = self.timings.iter().find(|row| row.instruction == instruction).map(|row| row.detail.as_str());
        if let Some(detail) = detail.filter(|detail| !detail.is_empty()) {
            page.paragraph(literal(detail));
        }
        let guess = Guesses::of(device).on(instruction);
        let guesses = [("cycles", guess.cycles), ("latency", guess.latency), ("throughput", guess.throughput)];
        if guesses.iter().any(|(_, is_guess)| *is_guess) {
            page.paragraph("e after a number: the simulated card has it from an estimate.");
        }
        for table in self.tables(Some(instruction)) {
            page.section(Topic::Instructions, 2, table.title.as_str());
            let is_guess = |name: &str| table.id == TIMINGS && guesses.contains(&(name, true));
            lines(&mut page, &table, instruction, is_guess);
        }
        page
    }
}

/// The lines of a table, without columns that say nothing but the instruction's name; a single row is a line for each of its cells.
fn lines(page: &mut Document, table: &Table, instruction: &str, is_guess: impl Fn(&str) -> bool) {
    let says = |at: &usize| table.rows.iter().any(|row| row.cells[*at].text != instruction);
    let kept: Vec<usize> = (0..table.columns.len()).filter(says).collect();
    if let [row] = &table.rows[..] {
        let cells = kept.iter().map(|at| (&table.columns[*at], &row.cells[*at]));
        let line = |(heading, cell): (&Heading, &Shown)| {
            let number = literal(&marked(words(cell), is_guess(&heading.name)));
            [heading.name.clone(), number, heading.description.clone()]
        };
        return page.table(["", "", ""], cells.filter(|(_, cell)| !cell.text.is_empty()).map(line));
    }
    let line = |row: &TableRow| kept.iter().map(|at| literal(&words(&row.cells[*at]))).collect::<Vec<_>>();
    page.table(kept.iter().map(|at| &table.columns[*at].name), table.rows.iter().map(line));
}

/// A cell with its digits and interval.
fn words(cell: &Shown) -> String {
    match (cell.text.contains('±'), cell.exact.as_str()) {
        (_, "") => cell.text.clone(),
        (true, exact) => exact.to_owned(),
        (false, exact) => format!("{}, from {exact}", cell.text),
    }
}
