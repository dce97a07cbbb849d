//! The files of a run as they are on disk, and the part that the journal vouches for.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::path::Path;

use gcn_model::record::{ExperimentRecord, JournalRecord, RunRecord};
use rayon::prelude::*;

use super::StoredRun;
use super::experiments::load_experiments;
use super::journal::{dp_rates, load_journal};
use super::readings::load_readings;
use super::row_file::{RowFile, Torn};
use super::run_record::load_run_record;
use super::run_record::{RunKey, checksum};
use crate::error::{AnalysisError, RowProblem};

/// Most experiments that a run brings to the disk at once: the data after the rows that its journal names is of no more.
pub const BATCH: usize = 64;

/// A file of a run that grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredFile {
    /// `journal.csv`.
    Journal,
    /// `experiments.csv`.
    Experiments,
    /// `readings.csv`.
    Readings,
}

/// One time that an experiment was tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try {
    /// Sweep through the plan, or round after all sweeps.
    pub round: u32,
    /// Position of the experiment in [`StoredRun::experiments`].
    pub experiment: usize,
    /// Line of `journal.csv`.
    pub line: u64,
    /// Why it failed; empty if it did not.
    pub failure: String,
    /// What TRAPSTS.DP_RATE read.
    pub dp_rates: BTreeSet<u32>,
    journal: Range<usize>,
    row: Range<usize>,
    readings: Range<usize>,
}

/// A run's folder with the text of its files.
#[derive(Debug, Clone)]
pub struct StoredFiles {
    run: StoredRun,
    tries: Vec<Try>,
    journal: Option<RowFile>,
    experiments: RowFile,
    readings: RowFile,
}

impl StoredFiles {
    /// Reads and checks a run's folder. Of an incomplete run, data that its journal does not name does not count.
    ///
    /// # Errors
    /// As [`StoredRun::load`].
    pub fn load(folder: &Path) -> Result<Self, AnalysisError> {
        let path = folder.join("run.json");
        let record = load_run_record(&path)?;
        let generation = record.device.known_generation();
        let Some(generation) = generation else {
            return Err(AnalysisError::Generation { path, found: record.device.generation });
        };
        let is_finished = record.end.is_some();
        let mut journal = match folder.join("journal.csv") {
            // A folder that no run wrote has no journal either.
            path if record.sha256.is_empty() && !path.exists() => None,
            _ if record.sha256.is_empty() => return Err(AnalysisError::Changed { path }),
            path => Some(RowFile::open(&path)?),
        };
        // Opened after the journal: everything that it names is in them, also while the run continues.
        let mut experiments = RowFile::open(&folder.join("experiments.csv"))?;
        let mut readings = RowFile::open(&folder.join("readings.csv"))?;
        let mut tries = Ok(Vec::new());
        let mut rows = Vec::new();
        if let Some(journal) = &mut journal {
            if !is_finished {
                journal.cut_torn_lines(BATCH)?;
            }
            rows = load_journal(journal, &RunKey::of(&record))?;
            tries = find_tries(journal, &rows, &experiments, &readings);
            if let (Ok(tries), false) = (&tries, is_finished) {
                experiments.cut(end(tries, |found| &found.row, &experiments));
                readings.cut(end(tries, |found| &found.readings, &readings));
                // More than that was not cut off: the journal was shortened.
                experiments.torn(BATCH)?;
                readings.torn(BATCH)?;
            }
        }
        // The fault of a single row says more than a checksum.
        let records = load_experiments(&experiments)?;
        let stored = load_readings(&readings, &records)?;
        let mut tries = tries?;
        if let Some(journal) = &journal {
            check_tries(&tries, &rows, &experiments, &readings)?;
            check_end(&record, journal, &tries, &experiments, &readings)?;
            find_experiments(&mut tries, &rows, &records, journal)?;
        }
        let (mut failures, mut retried) = (HashMap::new(), Vec::new());
        for found in &tries {
            if !found.failure.is_empty() {
                failures.insert(found.experiment, found.failure.clone());
            } else if let Some(failure) = failures.remove(&found.experiment) {
                retried.push((found.experiment, failure));
            }
        }
        let run = StoredRun::new(record, generation, records, stored).with_failures(failures, retried);
        Ok(Self { run, tries, journal, experiments, readings })
    }

    pub fn run(&self) -> &StoredRun {
        &self.run
    }

    /// The attempts, in the order of the journal; empty for a folder without one.
    pub fn tries(&self) -> &[Try] {
        &self.tries
    }

    /// A file's record of an attempt, unchanged.
    pub fn text_of(&self, file: StoredFile, of: &Try) -> &[u8] {
        let range = match file {
            StoredFile::Journal => &of.journal,
            StoredFile::Experiments => &of.row,
            StoredFile::Readings => &of.readings,
        };
        &self.complete(file)[range.clone()]
    }

    /// The complete part of a file, its header included.
    pub fn complete(&self, file: StoredFile) -> &[u8] {
        self.file(file).map_or(&[], RowFile::text)
    }

    /// The rest, of a limited number of experiments.
    ///
    /// # Errors
    /// It is of more.
    pub fn torn(&self, file: StoredFile, most: usize) -> Result<Torn, AnalysisError> {
        self.file(file).map_or_else(|| Ok(Torn::default()), |file| file.torn(most))
    }

    fn file(&self, file: StoredFile) -> Option<&RowFile> {
        match file {
            StoredFile::Journal => self.journal.as_ref(),
            StoredFile::Experiments => Some(&self.experiments),
            StoredFile::Readings => Some(&self.readings),
        }
    }
}

impl StoredRun {
    /// Reads a run's folder. Of an incomplete or running run, this is the part that its journal calls complete.
    ///
    /// # Errors
    /// A file that is missing, of another schema, cut off, edited or of another run: the error names file and line.
    pub fn load(folder: &Path) -> Result<Self, AnalysisError> {
        StoredFiles::load(folder).map(|files| files.run)
    }
}

/// The byte where the last try's part of a file ends.
fn end(tries: &[Try], part: impl Fn(&Try) -> &Range<usize>, file: &RowFile) -> usize {
    let header = || file.text().iter().position(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    tries.iter().map(|found| part(found).end).max().filter(|&end| end > 0).unwrap_or_else(header)
}

/// Where the rows of each try are; of which experiment it is comes later.
fn find_tries(
    journal: &RowFile,
    records: &[(u64, JournalRecord)],
    experiments: &RowFile,
    readings: &RowFile,
) -> Result<Vec<Try>, AnalysisError> {
    let mut tries: Vec<Try> = Vec::with_capacity(records.len());
    let (mut rows, mut stored) = (experiments.places(), readings.places());
    let missing = |file: &RowFile, record: &JournalRecord| {
        let problem = match file.text().last() {
            Some(b'\n') => RowProblem::Missing(record.experiment.clone()),
            _ => RowProblem::CutOff,
        };
        file.error(file.line_of(file.text().len()), problem)
    };
    for ((line, record), (_, place)) in records.iter().zip(journal.places()) {
        // Nothing is where the try before it ended.
        let (last_row, last_reading) = tries.last().map_or((0, 0), |last: &Try| (last.row.end, last.readings.end));
        let mut found = Try {
            round: record.round,
            experiment: usize::MAX,
            line: *line,
            failure: record.failure.clone(),
            dp_rates: dp_rates(record).collect(),
            journal: place,
            row: last_row..last_row,
            readings: last_reading..last_reading,
        };
        if !record.row_checksum.is_empty() {
            found.row = rows.next().ok_or_else(|| missing(experiments, record))?.1;
        }
        for index in 0..record.readings {
            let row = stored.next().ok_or_else(|| missing(readings, record))?.1;
            found.readings = if index == 0 { row } else { found.readings.start..row.end };
        }
        tries.push(found);
    }
    Ok(tries)
}

/// Whether the rows of each try are those that the run wrote.
fn check_tries(
    tries: &[Try],
    records: &[(u64, JournalRecord)],
    experiments: &RowFile,
    readings: &RowFile,
) -> Result<(), AnalysisError> {
    let changed = |file: &RowFile, range: &Range<usize>, what: String| {
        let last_line = file.line_of(range.end) - 1;
        file.error(file.line_of(range.start), RowProblem::Checksum { what, last_line })
    };
    // The first fault in the order of the tries is the one to tell.
    let check = |(found, (_, record)): (&Try, &(u64, JournalRecord))| {
        if !found.row.is_empty() && checksum(&experiments.text()[found.row.clone()]) != record.row_checksum {
            return Some(changed(experiments, &found.row, format!("the row of {}", record.experiment)));
        }
        if checksum(&readings.text()[found.readings.clone()]) != record.readings_checksum {
            return Some(changed(readings, &found.readings, format!("a reading of {}", record.experiment)));
        }
        None
    };
    let fault = tries.par_iter().zip(records).find_map_first(check);
    fault.map_or(Ok(()), Err)
}

/// Which experiment each try is of.
fn find_experiments(
    tries: &mut [Try],
    rows: &[(u64, JournalRecord)],
    records: &[ExperimentRecord],
    journal: &RowFile,
) -> Result<(), AnalysisError> {
    let positions: HashMap<&str, usize> =
        records.iter().enumerate().map(|(position, record)| (record.experiment.as_str(), position)).collect();
    for (found, (line, row)) in tries.iter_mut().zip(rows) {
        let unknown = || journal.error(*line, RowProblem::UnknownExperiment(row.experiment.clone()));
        found.experiment = *positions.get(row.experiment.as_str()).ok_or_else(unknown)?;
    }
    Ok(())
}

/// Whether a run that came to its end has all that it had then, and nothing else.
fn check_end(
    record: &RunRecord,
    journal: &RowFile,
    tries: &[Try],
    experiments: &RowFile,
    readings: &RowFile,
) -> Result<(), AnalysisError> {
    if record.end.is_none() {
        return Ok(());
    }
    if let Some(expected) = record.tries.filter(|&expected| expected != tries.len() as u64) {
        let line = tries.last().map_or(1, |last| last.line) + 1;
        return Err(journal.error(line, RowProblem::Tries { found: tries.len() as u64, expected }));
    }
    for (file, end) in [
        (experiments, end(tries, |found| &found.row, experiments)),
        (readings, end(tries, |found| &found.readings, readings)),
    ] {
        if end < file.text().len() {
            return Err(file.error(file.line_of(end), RowProblem::Unexpected));
        }
    }
    Ok(())
}
