//! The results of the suite `contention`, and their section.

use gcn_model::record::{ALIKE, RAISED};

use super::order::{self, Turn, WaveOrderRow};
use super::queue::{self, QueueRow};
use super::returns::{self, ReturnRow, WayBack};
use crate::document::{Document, Topic};
use crate::many_waves::ThroughputRow;
use crate::one_wave::OneWave;
use crate::tables::{Measured, cell};

/// What a run found of what waves share; each is empty without the suite.
#[derive(Debug, Clone)]
pub struct Contention {
    /// `returns.csv`.
    pub returns: Vec<ReturnRow>,
    /// `queues.csv`.
    pub queues: Vec<QueueRow>,
    /// `wave-order.csv`.
    pub orders: Vec<WaveOrderRow>,
}

impl Contention {
    /// From the experiments of a run; `cases` are those of rules on many waves.
    pub(in crate::suites) fn of(waves: &OneWave<'_>, cases: &[ThroughputRow]) -> Self {
        Self { returns: returns::rows(waves, cases), queues: queue::rows(waves), orders: order::rows(waves) }
    }

    /// Bytes of loads in a cycle.
    pub fn returned(&self, way: WayBack) -> Option<Measured> {
        self.returns.iter().find(|row| row.way == way)?.bytes
    }

    /// Whether the oldest of two waves of the same priority issues first; `None` where the run does not tell.
    pub fn oldest_first(&self) -> Option<bool> {
        match self.turn(ALIKE)? {
            Turn::Shared => Some(false),
            Turn::LowerFirst => Some(true),
            Turn::HigherFirst => None,
        }
    }

    /// Whether a wave with a higher priority issues first; `None` where the run does not tell.
    pub fn heeds_priority(&self) -> Option<bool> {
        let raised = self.turn(RAISED)?;
        Some(raised == Turn::HigherFirst).filter(|_| self.turn(ALIKE) != Some(Turn::HigherFirst))
    }

    fn turn(&self, case: &str) -> Option<Turn> {
        self.orders.iter().find(|row| row.case == case)?.turn
    }
}

/// Adds the section, if the run has the suite.
pub(in crate::suites) fn section(page: &mut Document, found: &Contention) {
    let Contention { returns, queues, orders } = found;
    if returns.is_empty() && queues.is_empty() && orders.is_empty() {
        return;
    }
    page.section(Topic::Suite, 2, "What waves share");
    let or_why = |told: Option<String>, why: &str| told.unwrap_or_else(|| why.to_owned());
    if !returns.is_empty() {
        page.paragraph("Bytes in a shader cycle by which more loads take longer, of a wave alone and of a compute unit (`returns.csv`).");
        let rows = returns.iter().map(|row| {
            let bytes = or_why(row.bytes.map(|bytes| cell(Some(bytes))), &row.detail);
            [row.instruction.clone(), row.way.to_string(), row.waves_per_simd.to_string(), bytes]
        });
        page.table(["Instruction", "Way back", "Waves on a SIMD", "Bytes per cycle"], rows);
    }
    if !queues.is_empty() {
        page.paragraph(
            "Instructions of a wave that wait while their unit executes one, and the cycles from one issue to the next: of the second one, and of \
             those after which no place is free (`queues.csv`).",
        );
        let rows = queues.iter().map(|row| {
            let places = or_why(row.places.map(|places| places.to_string()), &row.detail);
            [row.instruction.clone(), places, cell(row.first), cell(row.full)]
        });
        page.table(["Instruction", "Places", "Second", "Full"], rows);
    }
    if !orders.is_empty() {
        page.paragraph(
            "Two waves on each SIMD run the same code: with the priority that they have, and with the highest one (S_SETPRIO) for those in odd slots. \
             The ratio is the time of the wave in the odd slot, divided by that of the other (`wave-order.csv`).",
        );
        let rows = orders.iter().map(|row| {
            let turn = or_why(row.turn.map(|turn| turn.to_string()), &row.detail);
            [row.instruction.clone(), row.case.clone(), turn, cell(row.ratio), row.pairs.to_string()]
        });
        page.table(["Instruction", "Priorities", "Issue", "Ratio", "Pairs"], rows);
    }
}
