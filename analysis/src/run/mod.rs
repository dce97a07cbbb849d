//! A run's folder, read and checked: every later step works on this and nothing else.

mod experiments;
mod folder;
mod readings;
mod row_reader;

pub use experiments::EXPERIMENT_COLUMNS;
pub use folder::StoredRun;
pub use readings::{READING_COLUMNS, StoredReading};
