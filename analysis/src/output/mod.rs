//! The files that are derived from a run.

mod csv_tables;
mod dpfactor_json;
mod file;
mod page;

pub(crate) use csv_tables::table;
pub use csv_tables::{
    allocation_csv, clock_csv, disputes_csv, distributions_csv, estimates_csv, issue_csv, occupancy_csv, penalties_csv,
    residence_csv, throughput_csv, timings_csv, validation_csv, variants_csv,
};
pub use dpfactor_json::dpfactor_json;
pub(crate) use file::remove;
pub use file::{remove_leftovers, write_atomically};
pub use page::page;
