//! The results of all suites that stand for themselves.

use gcn_model::record::RunRecord;

use super::lds_lanes::{self, LdsLanesRow};
use super::matrix::{self, Matrix};
use super::pairs::{self, PairRow};
use super::units::{self, Units};
use crate::document::Document;
use crate::many_waves::ThroughputRow;
use crate::one_wave::OneWave;
use crate::tables::{AnyTable, TableFiles, TablesError};

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
}

impl Suites {
    /// From the experiments of a run; `cases` are those of rules on many waves.
    pub(crate) fn of(waves: &OneWave<'_>, cases: &[ThroughputRow]) -> Self {
        Self {
            lds_lanes: lds_lanes::rows(waves, cases),
            matrix: Matrix::of(waves, cases),
            units: Units::of(waves),
            pairs: pairs::rows(waves),
        }
    }

    /// The same from files; empty where there is none.
    ///
    /// # Errors
    /// A file differs from a run's output.
    pub(crate) fn read(files: &TableFiles<'_>) -> Result<Self, TablesError> {
        Ok(Self {
            lds_lanes: files.rows()?,
            matrix: Matrix { instructions: files.rows()?, overlaps: files.rows()? },
            units: Units { cells: files.rows()?, delays: files.rows()?, beside: files.rows()? },
            pairs: files.rows()?,
        })
    }

    /// The tables, in the order in which a reader meets them.
    pub(crate) fn tables(&self) -> [&dyn AnyTable; 7] {
        let Self { lds_lanes, matrix, units, pairs } = self;
        [lds_lanes, &matrix.instructions, &matrix.overlaps, &units.cells, &units.delays, &units.beside, pairs]
    }

    /// Adds the sections of the suites that the run has.
    pub(crate) fn sections(&self, page: &mut Document, record: &RunRecord) {
        lds_lanes::section(page, &self.lds_lanes);
        matrix::section(page, &self.matrix);
        units::section(page, &self.units);
        pairs::section(page, &self.pairs, record);
    }

    /// The line of the summary of each suite that has one, by the suite's name.
    pub(crate) fn words(&self) -> [(&'static str, Option<String>); 2] {
        [("units", units::words(&self.units)), ("pairs", pairs::words(&self.pairs))]
    }
}
