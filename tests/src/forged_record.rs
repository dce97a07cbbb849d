//! A run's record that says something else than the run did, with all checksums right: somebody's work.

use std::fs;
use std::path::Path;

use gcn_analysis::run::{RunKey, run_record_text, signed};
use gcn_model::record::{JournalRecord, RunRecord};

/// Writes the record into a run's folder, and signs its journal for it.
///
/// # Panics
/// If the folder cannot be written, or its journal is malformed.
pub fn forge_record(folder: &Path, record: &RunRecord) {
    let (key, path) = (RunKey::of(record), folder.join("journal.csv"));
    let mut reader = csv::Reader::from_path(&path).expect("a journal");
    // A last row that was cut off is no row.
    let rows: Vec<JournalRecord> = reader.deserialize().filter_map(Result::ok).collect();
    let header = reader.headers().expect("a header").clone();
    let mut writer =
        csv::WriterBuilder::new().has_headers(false).from_path(path).expect("a journal that can be written");
    writer.write_record(&header).expect("written");
    rows.into_iter().for_each(|row| writer.serialize(signed(row, &key)).expect("written"));
    writer.flush().expect("written");
    fs::write(folder.join("run.json"), run_record_text(record).expect("a record")).expect("written");
}
