//! `units.csv`, `pairs.csv`, `matrix.csv` and `matrix-overlap.csv`.

use super::Scorer;
use super::table::{Row, Table};
use crate::tally::{Outcome, Statement};
use crate::truth::{Range, Reader};

/// Cycles are false from this many on.
const APART: f64 = 0.5;

impl Scorer<'_> {
    pub(super) fn units(&mut self, table: &Table) {
        for row in table.rows().filter(|row| row.text("status") != "open") {
            let [producer, instruction, consumer] =
                ["producer", "producer_instruction", "consumer"].map(|name| row.text(name));
            let Some(truth) = self.truth.unit(producer, instruction, consumer) else { continue };
            let what = format!("{producer} ({instruction}) to {consumer}");
            let found = row.measured(["cycles", "low", "high"]);
            match row.number("at_most").filter(|_| found.is_none()) {
                Some(most) => self.bound(Statement::Unit, &what, most, truth),
                None => self.cycles(Statement::Unit, row, &what, found, truth),
            }
        }
    }

    pub(super) fn pairs(&mut self, table: &Table) {
        for row in table.rows().filter(|row| row.text("shared").is_empty()) {
            let (first, second) = (row.text("first"), row.text("second"));
            let Some(truth) = self.truth.pair(first, second) else { continue };
            let found = row.measured(["cycles", "low", "high"]);
            self.cycles(Statement::Pair, row, &format!("{first} with {second}"), found, truth);
        }
    }

    pub(super) fn matrices(&mut self, table: &Table) {
        for row in table.rows() {
            let name = row.text("instruction");
            let cycles = self.truth.cycles(name, 8);
            self.matrix(row, "cycles", cycles);
            for (column, reader) in
                [("accumulators", Reader::Accumulator), ("operand", Reader::Operand), ("reader", Reader::Other)]
            {
                self.matrix(row, column, self.truth.matrix_latency(name, reader));
            }
        }
    }

    fn matrix(&mut self, row: Row<'_>, column: &str, truth: Option<Range>) {
        let Some(truth) = truth else { return };
        let (low, high) = (format!("{column}_low"), format!("{column}_high"));
        let what = format!("{} {column}", row.text("instruction"));
        let found = row.measured([column, low.as_str(), high.as_str()]);
        self.cycles(Statement::Matrix, row, &what, found, truth);
    }

    pub(super) fn overlaps(&mut self, table: &Table) {
        for row in table.rows().filter(|row| row.text("waves_per_simd") == "1") {
            let (name, neighbour) = (row.text("instruction"), row.text("neighbour"));
            let amount = row.whole("amount").unwrap_or_default();
            let Some(truth) = self.truth.overlap(name, neighbour, amount) else { continue };
            let found = row.measured(["cycles", "low", "high"]);
            self.cycles(Statement::Overlap, row, &format!("{name} beside {amount} {neighbour}"), found, truth);
        }
    }

    /// Cycles, which are a bound where the row says that an unknown charge is in them.
    fn cycles(&mut self, statement: Statement, row: Row<'_>, what: &str, found: Option<[f64; 3]>, truth: Range) {
        let with_charge = found.filter(|_| row.text("detail").contains("with the front end's charge"));
        match with_charge {
            Some([.., most]) => self.bound(statement, what, most, truth),
            None => self.number(statement, what, found, truth, (0.0, APART)),
        }
    }

    /// A statement that a number is at most this.
    fn bound(&mut self, statement: Statement, what: &str, most: f64, truth: Range) {
        let outcome = if truth.low <= most + APART { Outcome::Candidates } else { Outcome::False };
        self.add(statement, outcome, || format!("{what}: at most {most}, truth {}", truth.low));
    }
}
