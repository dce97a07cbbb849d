//! The results of the suite `contention`.

use super::order::{self, Turn, WaveOrderRow};
use super::queue::{self, QueueRow};
use super::returns::{self, ReturnRow, WayBack};
use crate::many_waves::ThroughputRow;
use crate::one_wave::OneWave;
use crate::tables::Measured;
use gcn_model::record::{ALIKE, RAISED};

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
