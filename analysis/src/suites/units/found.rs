//! The results of a run's suite `units`.

use super::cells::{UnitRow, cells};
use super::delays::{DelayRow, delays};
use super::overlap::{TranscendentalOverlapRow, beside};
use crate::one_wave::OneWave;
use crate::suites::free::most_free;
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
