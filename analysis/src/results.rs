//! A folder's results: derived from the records of a run where it has them, and read where only the tables were kept.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use crate::analysis::Analysis;
use crate::error::AnalysisError;
use crate::run::{RECORDS, StoredRun, load_run_record};
use crate::tables::{Origin, Tables, TablesError};

/// The tables of a run's folder. Those of a run that has its records are derived anew: files in the folder may be of an earlier
/// state of the run, or changed, and are never shown. A folder without the record files holds results that were kept without them.
///
/// # Errors
/// The folder is not a run's, or something in it differs from the run's output: the error names file and line.
pub fn load_tables(folder: &Path) -> Result<Tables, TablesError> {
    if folder.is_file() {
        return Err(AnalysisError::NotAFolder(folder.to_owned()).into());
    }
    if !folder.is_dir() {
        return Err(TablesError::NoFolder(folder.to_owned()));
    }
    if !has_records(folder)? {
        return Tables::of_files(folder);
    }
    let run = StoredRun::load(folder)?;
    let analysis = Analysis::of(&run);
    let record = run.record.clone();
    let files: HashMap<&str, Option<String>> = analysis.files().into_iter().collect();
    let text = |name: &str| Ok(files.get(name).cloned().flatten());
    let mut tables = Tables::of_texts(folder, record, Origin::Records(Box::new(run)), text)?;
    tables.front_end = analysis.front_end().cloned();
    // A file that is not there says nothing wrong.
    let differs = |name: &&str, text: &Option<String>| {
        fs::read(folder.join(name)).is_ok_and(|stored| Some(stored.as_slice()) != text.as_ref().map(String::as_bytes))
    };
    tables.differing = files.iter().filter(|(name, text)| differs(name, text)).map(|(&name, _)| name).collect();
    tables.differing.sort_unstable();
    Ok(tables)
}

/// Whether a folder has a run's records, or a part of them. A folder that no run wrote (its `run.json` has no checksum, and there is no journal)
/// has tables alone.
fn has_records(folder: &Path) -> Result<bool, TablesError> {
    let is_there = |name: &str| folder.join(name).symlink_metadata().is_ok();
    if !RECORDS.into_iter().any(|name| name != "run.json" && is_there(name)) {
        return Ok(false);
    }
    let is_foreign = !is_there("journal.csv") && is_there("timings.csv") && is_there("run.json");
    Ok(!(is_foreign && load_run_record(&folder.join("run.json"))?.sha256.is_empty()))
}
