//! The suites whose results stand for themselves. A module has the row types, how they follow from a run, and the section; `suites.rs` names it,
//! and nothing else does.

mod contention;
mod lds_lanes;
mod matrix;
mod pairs;
mod rule;
#[expect(clippy::module_inception, reason = "the noun is the suites")]
mod suites;
mod units;

pub use contention::{Contention, QueueRow, ReturnRow, Turn, WaveOrderRow, WayBack};
pub use lds_lanes::LdsLanesRow;
pub use matrix::{Matrix, MatrixRow, OverlapRow};
pub use pairs::PairRow;
pub use suites::Suites;
pub use units::{DelayCase, DelayRow, TranscendentalOverlapRow, UnitRow, Units};
