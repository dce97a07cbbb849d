//! The results of a run's suite `matrix`, and their section.

use gcn_model::quantity::Cycles;

use super::chains::{MatrixRow, chains};
use super::overlap::{OverlapRow, overlaps};
use crate::document::{Document, Topic};
use crate::many_waves::ThroughputRow;
use crate::one_wave::OneWave;
use crate::suites::rule::most_free;
use crate::tables::{Measured, cell, two, unique};

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

/// Adds the section, if the run has the suite.
pub(in crate::suites) fn section(page: &mut Document, found: &Matrix) {
    if found.instructions.is_empty() && found.overlaps.is_empty() {
        return;
    }
    page.section(Topic::Matrix, 2, "Matrix instructions: latency and overlap");
    page.paragraph(
        "Cycles from one to the next that does not depend on it, one wave; passes are four of these. Operations (a multiplication and an \
         addition each) follow from the shape, for all SIMDs of a compute unit. The last three columns are shader cycles from its issue to \
         that of an instruction that accumulates into the same registers, takes the result as A, or is a vector instruction that reads it: \
         where the kernel has wait states between the two, which hazards ask for, they are in it, and ≤ is their bound (`matrix.csv`).",
    );
    let row = |row: &MatrixRow| {
        [
            row.instruction.clone(),
            cell(row.cycles),
            row.passes.map(|passes| passes.0.to_string()).unwrap_or_default(),
            cell(row.operations_per_cycle),
            cell(row.to_accumulators),
            within(row.to_operand, row.operand_at_most),
            within(row.to_reader, row.reader_at_most),
        ]
    };
    let heads = ["Instruction", "Cycles", "Passes", "Operations per cycle", "To accumulators", "To A", "To a reader"];
    page.table(heads, found.instructions.iter().map(row));
    beside(page, found);
}

/// A number, or the bound that is known.
fn within(measured: Option<Measured<Cycles>>, at_most: Option<f64>) -> String {
    match at_most {
        Some(most) if measured.is_none() => format!("≤ {}", two(most)),
        _ => cell(measured),
    }
}

fn beside(page: &mut Document, found: &Matrix) {
    let pairs = unique(found.overlaps.iter().map(|row| (row.instruction.as_str(), row.neighbour.as_str())));
    if pairs.is_empty() {
        return;
    }
    page.part("Overlap");
    page.paragraph(
        "Blocks of a matrix instruction and others, on one wave of a SIMD and on two. A pair is one of each: its shader cycles, and the share of the shorter that is hidden during the longer. Free is the number of others that cost nothing, of the measured numbers \
         (`matrix-overlap.csv`). Held is how long the matrix instruction occupies what the others need, if enough of them were measured.",
    );
    for what in unique(found.overlaps.iter().map(|row| row.detail.as_str())).into_iter().filter(|what| !what.is_empty())
    {
        page.paragraph(format!("Cycles are {what}."));
    }
    let rows = pairs.into_iter().map(|(instruction, neighbour)| {
        let mut cells = vec![instruction.to_owned(), neighbour.to_owned()];
        for waves in [1, 2] {
            // The first is the smallest amount: one, but for instructions of a single dword.
            let first = found.beside(instruction, neighbour, waves).next();
            cells.push(first.map(pair).unwrap_or_default());
            cells.push(first.map(|row| share(row.hidden)).unwrap_or_default());
            let free = found.free(instruction, neighbour, waves);
            cells.push(free.map_or_else(|| "undecided".to_owned(), |most| most.to_string()));
            if waves == 1 {
                let held = found.beside(instruction, neighbour, waves).last().and_then(OverlapRow::held);
                cells.push(cell(held));
            }
        }
        cells
    });
    page.table(
        ["Instruction", "Beside", "Pair, 1 wave", "Hidden", "Free", "Held", "Pair, 2 waves", "Hidden", "Free"],
        rows,
    );
}

/// The cycles of the smallest block, and how many of the others are in it if not one.
fn pair(row: &OverlapRow) -> String {
    let cycles = cell(Some(row.cycles));
    if row.amount == 1 { cycles } else { format!("{cycles} (with {})", row.amount) }
}

fn share(share: Measured<f64>) -> String {
    let [value, low, high] = share.numbers().map(|share| share * 100.0);
    let half = (high - low) / 2.0;
    if half < 0.5 { format!("{} %", value.round()) } else { format!("{} ± {} %", value.round(), two(half.round())) }
}
