//! `penalties.csv`: the cost of a place or a neighbour for a lone wave.

use gcn_model::record::{NeighbourCase, PlaceCase};

use super::Scorer;
use super::table::{Row, Table};
use crate::tally::Statement;
use crate::truth::Range;

/// A penalty is false from half a cycle on.
const APART: f64 = 0.5;

impl Scorer<'_> {
    pub(super) fn penalties(&mut self, table: &Table) {
        for row in table.rows().filter(|row| row.text("waves_per_simd") == "1") {
            let Some((statement, truth)) = self.penalty(row) else { continue };
            let what = format!("{} {} at {}", row.text("experiment"), row.text("case"), row.text("offset_dwords"));
            let found = row.measured(["penalty_cycles", "low", "high"]);
            // "At least": the value is a bound.
            let is_bound = row.text("verdict") == "undecided";
            self.number(statement, &what, found.filter(|_| !is_bound), truth, (0.0, APART));
        }
    }

    /// The subject of a row, and the truth.
    fn penalty(&self, row: Row<'_>) -> Option<(Statement, Range)> {
        let case = row.text("case");
        let offset = row.whole("offset_dwords");
        Some(match row.text("experiment") {
            "alignment" => {
                let truth = match PlaceCase::read(case) {
                    PlaceCase::After { short, long } => self.truth.behind(short, long, offset?),
                    // Against the same operation in one dword, which is charged nothing.
                    PlaceCase::InTwoDwords(name) => self.truth.alignment(name, offset?),
                    PlaceCase::Alone(name) => self.truth.alignment_from_first(name, offset?),
                };
                (Statement::Alignment, truth?)
            }
            "jump-forward" => (Statement::Jumps, self.truth.jump(offset?, false).more_than(self.truth.jump(0, false))),
            "jump-backward" => (Statement::Jumps, self.truth.jump(offset?, true).more_than(self.truth.jump(0, true))),
            "jump-not-taken" => (Statement::Jumps, self.truth.untaken(offset?).more_than(self.truth.untaken(0))),
            "scheduling" => {
                let NeighbourCase { producer, consumer, is_dependent } = NeighbourCase::read(case)?;
                (Statement::Scheduling, self.truth.scheduling(producer, consumer, is_dependent)?)
            }
            _ => return None,
        })
    }
}
