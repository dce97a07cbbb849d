//! Verdicts: whether a measured value meets a printed one.

use super::Scorer;
use super::table::{Row, Table};
use crate::tally::{Outcome, Statement};
use crate::truth::Range;

/// The resolution of a published figure: a quarter cycle, 2 % of a throughput.
const CYCLES: f64 = 0.25;
const THROUGHPUT: f64 = 0.02;

impl Scorer<'_> {
    pub(super) fn validation(&mut self, table: &Table) {
        for row in table.rows() {
            self.verdict(Statement::Validation, row, row.text("expected"), ["match", "mismatch"]);
        }
    }

    pub(super) fn disputes(&mut self, table: &Table) {
        for row in table.rows() {
            self.verdict(Statement::Disputes, row, row.text("predicted"), ["match", "differs"]);
        }
    }

    /// A verdict is right if the truth meets the expectation just as it says, and false if no value of the truth does. Values between "meets"
    /// and "does not" by less than the resolved are not counted.
    fn verdict(&mut self, statement: Statement, row: Row<'_>, expected: &str, [met, missed]: [&str; 2]) {
        if row.text("measured").is_empty() {
            // Nobody asked, or its instruction did not settle, which its own row says.
            return;
        }
        let Some((truth, expected)) = self.true_value(row).zip(numbers(expected)) else { return };
        let resolution =
            if row.text("quantity") == "throughput" { THROUGHPUT * expected.high.max(truth.high) } else { CYCLES };
        let distance = (expected.low - truth.high).max(truth.low - expected.high).max(0.0);
        let covers = expected.low <= truth.low && truth.high <= expected.high;
        // The words of earlier versions are scored as well.
        let verdict = match row.text("verdict") {
            "right" => "match",
            "wrong" => "differs",
            verdict => verdict,
        };
        let outcome = match verdict {
            verdict if verdict == met && distance > resolution => Outcome::False,
            verdict if verdict == missed && covers => Outcome::False,
            verdict if verdict == missed && distance == 0.0 => Outcome::Candidates,
            verdict if verdict == met || verdict == missed => Outcome::Right,
            _ => Outcome::Silent,
        };
        self.add(statement, outcome, || {
            let [source, instruction, quantity, verdict] =
                ["source", "instruction", "quantity", "verdict"].map(|name| row.text(name));
            format!(
                "{source} {instruction} {quantity}: {verdict} with {} to {}, measured {}, truth {} to {}",
                expected.low,
                expected.high,
                row.text("measured"),
                truth.low,
                truth.high
            )
        });
    }

    fn true_value(&self, row: Row<'_>) -> Option<Range> {
        let name = row.text("instruction");
        let bytes = 4 * u32::from(self.truth.find(name)?.0.dwords().0);
        match row.text("quantity") {
            "cycles" => self.truth.cycles(name, bytes),
            "taken_cycles" => self.truth.taken(name),
            "throughput" => self.truth.best_throughput(name, bytes, &self.waves),
            "latency" => self.truth.latency(name),
            _ => None,
        }
    }
}

/// `4`, `18?`, `16 to 24`; two alternatives are not compared.
fn numbers(text: &str) -> Option<Range> {
    if let Some((low, high)) = text.split_once(" to ") {
        return Some(Range { low: low.parse().ok()?, high: high.parse().ok()? });
    }
    text.trim_end_matches('?').parse().ok().map(Range::exactly)
}
