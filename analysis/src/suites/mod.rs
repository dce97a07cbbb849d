//! The suites whose results stand for themselves. A module has the row types, how they follow from a run, and the section; it is named here, and
//! nowhere else.

mod matrix;
mod pairs;
mod suite;
mod units;

use gcn_model::record::RunRecord;

use crate::document::Document;
use crate::many_waves::ThroughputRow;
use crate::one_wave::OneWave;
use crate::tables::{ForEach, Rows, TablesError};
pub use matrix::{Matrix, MatrixRow, OverlapRow};
pub use pairs::PairRow;
use suite::{Suite, Tables, suites};
pub use units::{DelayCase, DelayRow, TranscendentalOverlapRow, UnitRow, Units};

suites! {
    /// `matrix.csv` and `matrix-overlap.csv`.
    matrix: Matrix,
    /// `units.csv`, `delays.csv` and `transcendental-overlap.csv`.
    units: Units,
    /// `pairs.csv`.
    pairs: Vec<PairRow>,
}
