//! The results of a run's suite `units`.

use super::cells::{UnitRow, cells};
use super::delays::{DelayRow, delays};
use super::overlap::{TranscendentalOverlapRow, beside};
use crate::one_wave::OneWave;
use crate::suites::suite::tables_of;
use crate::tables::unique;

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

tables_of!(Units { cells, delays, beside });

impl Units {
    pub(super) fn derived(waves: &OneWave<'_>) -> Self {
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
        let mut most = 0;
        for row in self.beside(instruction, neighbour).filter(|row| row.amount > 0) {
            if !row.is_free()? {
                return Some((most, true));
            }
            most = row.amount;
        }
        (most > 0).then_some((most, false))
    }

    /// The line of the summary, if there is anything.
    pub(super) fn summary(&self) -> Option<String> {
        let known = self.cells.iter().filter(|row| row.cycles.is_some()).count();
        let bound = self.cells.iter().filter(|row| row.at_most.is_some()).count();
        if self.cells.is_empty() && self.beside.is_empty() {
            return None;
        }
        let of_itself = |unit: &str| {
            let cycles = self.cell(unit, unit)?.cycles?;
            let [value, ..] = cycles.numbers();
            Some(format!("{unit} to {unit} {} cycles", (value * 100.0).round() / 100.0))
        };
        let mut words =
            vec![format!("of {} results from unit to unit {known} known, {bound} within a bound", self.cells.len())];
        words.extend(["vector", "transcendental", "scalar"].into_iter().filter_map(of_itself));
        let free = |(instruction, neighbour): (&str, &str)| {
            let (most, is_most) = self.free(instruction, neighbour)?;
            let more = if is_most { "" } else { " or more" };
            Some(format!("{most}{more} {neighbour} free during {instruction}"))
        };
        words.extend(self.neighbours().into_iter().next().and_then(free));
        Some(format!("{}; see units.csv", words.join(", ")))
    }
}
