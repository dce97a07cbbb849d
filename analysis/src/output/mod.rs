//! The files that are derived from a run.

mod csv_tables;
mod file;

pub use csv_tables::{throughput_csv, timings_csv};
pub(crate) use file::write_atomically;
