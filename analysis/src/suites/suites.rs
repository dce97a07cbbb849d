//! The results of all suites that stand for themselves.

use gcn_model::record::RunRecord;

use super::contention::{self, Contention};
use super::lds_lanes::{self, LdsLanesRow};
use super::matrix::{self, Matrix};
use super::pairs::{self, PairRow};
use super::units::{self, Units};
use crate::document::Document;
use crate::error::AnalysisError;
use crate::many_waves::ThroughputRow;
use crate::one_wave::OneWave;
use crate::tables::{AnyTable, TableFiles};

/// The results of the suites that stand for themselves; each is empty without its suite.
#[derive(Debug, Clone)]
pub struct Suites {
    /// `lds-lanes.csv`.
    pub lds_lanes: Vec<LdsLanesRow>,
    /// `matrix.csv` and `matrix-overlap.csv`.
    pub matrix: Matrix,
    /// `units.csv`, `delays.csv` and `transcendental-overlap.csv`.
    pub units: Units,
    /// `pairs.csv`.
    pub pairs: Vec<PairRow>,
    /// `returns.csv`, `queues.csv` and `wave-order.csv`.
    pub contention: Contention,
}

impl Suites {
    /// From the experiments of a run; `cases` are those of rules on many waves.
    pub(crate) fn of(waves: &OneWave<'_>, cases: &[ThroughputRow]) -> Self {
        Self {
            lds_lanes: lds_lanes::rows(waves, cases),
            matrix: Matrix::of(waves, cases),
            units: Units::of(waves),
            pairs: pairs::rows(waves),
            contention: Contention::of(waves, cases),
        }
    }

    /// The same from files; empty where there is none.
    ///
    /// # Errors
    /// A file differs from a run's output.
    pub(crate) fn read(files: &TableFiles<'_>) -> Result<Self, AnalysisError> {
        Ok(Self {
            lds_lanes: files.rows()?,
            matrix: Matrix { instructions: files.rows()?, overlaps: files.rows()? },
            units: Units { cells: files.rows()?, delays: files.rows()?, beside: files.rows()? },
            pairs: files.rows()?,
            contention: Contention { returns: files.rows()?, queues: files.rows()?, orders: files.rows()? },
        })
    }

    /// The tables, in the order in which a reader meets them.
    pub(crate) fn tables(&self) -> [&dyn AnyTable; 10] {
        let Self { lds_lanes, matrix, units, pairs, contention: Contention { returns, queues, orders } } = self;
        let Matrix { instructions, overlaps } = matrix;
        let Units { cells, delays, beside } = units;
        [lds_lanes, instructions, overlaps, cells, delays, beside, pairs, returns, queues, orders]
    }

    /// Adds the sections of the suites that the run has.
    pub(crate) fn sections(&self, page: &mut Document, record: &RunRecord) {
        lds_lanes::section(page, &self.lds_lanes);
        matrix::section(page, &self.matrix);
        units::section(page, &self.units);
        pairs::section(page, &self.pairs, record);
        contention::section(page, &self.contention);
    }

    /// The line of the summary of each suite that has one, by the suite's name.
    pub(crate) fn words(&self) -> [(&'static str, Option<String>); 2] {
        [("units", units::words(&self.units)), ("pairs", pairs::words(&self.pairs))]
    }
}
