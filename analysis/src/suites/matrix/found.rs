//! The results of a run's suite `matrix`.

use super::chains::{MatrixRow, chains};
use super::overlap::{OverlapRow, overlaps};
use crate::many_waves::ThroughputRow;
use crate::one_wave::OneWave;
use crate::suites::free::most_free;

/// The results of a run's suite `matrix`; empty without it.
#[derive(Debug, Clone, Default)]
pub struct Matrix {
    /// Rows of `matrix.csv`.
    pub instructions: Vec<MatrixRow>,
    /// Rows of `matrix-overlap.csv`.
    pub overlaps: Vec<OverlapRow>,
}

impl Matrix {
    pub(in crate::suites) fn of(waves: &OneWave<'_>, cases: &[ThroughputRow]) -> Self {
        Self { instructions: chains(waves), overlaps: overlaps(waves, cases) }
    }

    /// The rows of a matrix instruction and a neighbour on this many waves of a SIMD, by their amounts.
    pub fn beside<'m>(
        &'m self,
        instruction: &'m str,
        neighbour: &'m str,
        waves_per_simd: u32,
    ) -> impl Iterator<Item = &'m OverlapRow> {
        self.overlaps.iter().filter(move |row| {
            row.instruction == instruction && row.neighbour == neighbour && row.waves_per_simd == waves_per_simd
        })
    }

    /// The most of a neighbour that cost nothing together with an instruction, with all fewer ones; none if some amount did not
    /// settle before that is known.
    pub fn free(&self, instruction: &str, neighbour: &str, waves_per_simd: u32) -> Option<u32> {
        let rows = self.beside(instruction, neighbour, waves_per_simd);
        most_free(rows.map(|row| (row.amount, row.is_free()))).map(|(most, _)| most)
    }
}
