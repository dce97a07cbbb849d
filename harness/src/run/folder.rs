//! A run's folder: made for the run, appended to as it goes, never overwritten.

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use gcn_analysis::run::{JournalEntry, RunKey, StoredFile, StoredFiles, run_record_text, sync_folder};
use gcn_analysis::{AnalysisError, remove_derived, remove_leftovers, write_atomically};
use gcn_model::record::{ExperimentRecord, ExperimentStatus, JournalRecord, Reading, RunRecord, columns};

use super::RunError;
use super::attempt::Attempt;
use super::growing_file::GrowingFile;
use super::history::History;

/// The files that grow, and their columns. The journal is the first to be made: it is locked.
const JOURNAL: &str = "journal.csv";
const EXPERIMENTS: &str = "experiments.csv";
const READINGS: &str = "readings.csv";

fn files_and_columns() -> [(&'static str, &'static [&'static str]); 3] {
    [
        (JOURNAL, columns::<JournalRecord>()),
        (EXPERIMENTS, columns::<ExperimentRecord>()),
        (READINGS, columns::<Reading>()),
    ]
}

/// `results/<gpu>/<UTC time>`, for a run without `--out`.
pub fn default_folder(gpu: &str, now: jiff::Timestamp) -> PathBuf {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let gpu: String = gpu.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    Path::new("results").join(gpu.trim_matches('.')).join(now.strftime("%Y-%m-%dT%H-%M-%SZ").to_string())
}

/// The folder of a run that goes on. Its files are made when there is something to write, so that a run which fails
/// before its first launch leaves nothing that looks like one.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    files: Option<Files>,
    history: History,
    /// The stored data of a resumed run.
    before: Option<StoredFiles>,
    /// Its attempt when it ended.
    tried: Option<Attempt>,
}

#[derive(Debug)]
struct Files {
    journal: GrowingFile,
    experiments: GrowingFile,
    readings: GrowingFile,
    /// The key of the journal's checksums.
    key: RunKey,
    /// Readings of the current attempt.
    readings_of_try: u64,
    /// Where they start among those that come next.
    start_of_try: usize,
}

impl Files {
    fn create(path: &Path) -> Result<Self, RunError> {
        let [journal, experiments, readings] =
            files_and_columns().map(|(name, columns)| move || GrowingFile::create(&path.join(name), columns));
        let journal = journal().map_err(|error| match error {
            RunError::Write { cause, .. } if cause.kind() == ErrorKind::AlreadyExists => {
                RunError::NotEmpty(path.to_owned())
            }
            error => error,
        })?;
        lock(journal.file(), path)?;
        // Whatever else is found here later, the journal is.
        sync_folder(path).map_err(|cause| RunError::Write { path: path.to_owned(), cause })?;
        Ok(Self::new(journal, experiments()?, readings()?))
    }

    /// Files in which nothing is stored.
    fn new(journal: GrowingFile, experiments: GrowingFile, readings: GrowingFile) -> Self {
        Self { journal, experiments, readings, key: RunKey::default(), readings_of_try: 0, start_of_try: 0 }
    }

    /// The files of a resumed run.
    fn open(path: &Path, mut journal: GrowingFile, before: &StoredFiles) -> Result<Self, RunError> {
        let complete = |file| before.complete(file).len() as u64;
        // The second handle is of the same file, but only the first one has the lock.
        journal.go_on_from(complete(StoredFile::Journal));
        let experiments = GrowingFile::open(&path.join(EXPERIMENTS), complete(StoredFile::Experiments))?;
        let readings = GrowingFile::open(&path.join(READINGS), complete(StoredFile::Readings))?;
        Ok(Self { key: RunKey::of(&before.run().record), ..Self::new(journal, experiments, readings) })
    }

    fn roll_back(&mut self) -> Result<(), RunError> {
        (self.readings_of_try, self.start_of_try) = (0, 0);
        self.journal.roll_back()?;
        self.experiments.roll_back()?;
        self.readings.roll_back()
    }
}

/// One process at a time.
fn lock(journal: &File, folder: &Path) -> Result<(), RunError> {
    journal.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => RunError::Locked(folder.to_owned()),
        TryLockError::Error(cause) => RunError::Write { path: folder.join(JOURNAL), cause },
    })
}

impl RunFolder {
    /// Makes the folder, empty.
    ///
    /// # Errors
    /// It holds something already, or cannot be written.
    pub fn create(path: &Path) -> Result<Self, RunError> {
        let failed = |cause| RunError::Write { path: path.to_owned(), cause };
        fs::create_dir_all(path).map_err(failed)?;
        if fs::read_dir(path).map_err(failed)?.next().is_some() {
            return Err(RunError::NotEmpty(path.into()));
        }
        Ok(Self { path: path.into(), files: None, history: History::default(), before: None, tried: None })
    }

    /// Whether a folder is missing or empty, or its run ended before it was recorded.
    pub fn is_of_no_run(path: &Path) -> bool {
        match fs::read_dir(path) {
            Ok(mut entries) => entries.next().is_none() || path.join(JOURNAL).exists(),
            Err(_) => !path.exists(),
        }
    }

    /// Opens the folder of a run to resume, whatever ended it. One that is empty or missing, or in which
    /// nothing was stored yet, is that of a run that starts.
    ///
    /// # Errors
    /// Another process has it, it is not a run's folder, or it differs from a run's own output.
    pub fn resume(path: &Path) -> Result<Self, RunError> {
        if path.is_file() {
            return Err(AnalysisError::NotAFolder(path.to_owned()).into());
        }
        let failed = |cause| RunError::Write { path: path.to_owned(), cause };
        fs::create_dir_all(path).map_err(failed)?;
        let journal_path = path.join(JOURNAL);
        let journal = if journal_path.exists() { Some(GrowingFile::open(&journal_path, 0)?) } else { None };
        if let Some(journal) = &journal {
            lock(journal.file(), path)?;
        }
        if !path.join("run.json").exists() {
            // Without a journal, which is the first to be made and is locked now, nothing here is a run's.
            if journal.is_some() {
                remove_leftovers(path)?;
            }
            remove_beginnings(path)?;
            return Self::create(path);
        }
        let before = StoredFiles::load(path)?;
        let Some(journal) = journal else { return Err(RunError::NoJournal(path.to_owned())) };
        remove_leftovers(path)?;
        let (files, history) = (Files::open(path, journal, &before)?, History::of(&before));
        Ok(Self { path: path.into(), files: Some(files), history, tried: Attempt::of(path)?, before: Some(before) })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The stored data of a resumed run.
    pub(super) fn before(&self) -> Option<&StoredFiles> {
        self.before.as_ref()
    }

    /// Its attempt when it ended.
    pub(super) fn tried(&self) -> Option<&Attempt> {
        self.tried.as_ref()
    }

    /// What came of the tries so far.
    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// Adds readings of the experiment that is being tried.
    pub(super) fn add_readings(&mut self, readings: &[Reading]) -> Result<(), RunError> {
        let files = self.files()?;
        files.readings_of_try += readings.len() as u64;
        files.readings.add_all(readings)
    }

    /// Brings the readings so far onto the disk; they count when the try is over.
    pub(super) fn store_readings(&mut self) -> Result<(), RunError> {
        self.files()?.readings.store()
    }

    /// Ends an attempt.
    pub(super) fn end_try(
        &mut self,
        round: u32,
        experiment: &ExperimentRecord,
        dp_rates: &BTreeSet<u32>,
    ) -> Result<(), RunError> {
        let wants_row = self.history.wants_row(experiment.place);
        let files = self.files()?;
        let start = files.experiments.length();
        let has_failed = experiment.status == ExperimentStatus::Failed;
        if wants_row {
            files.experiments.add(experiment)?;
        }
        let entry = JournalEntry {
            round,
            experiment: &experiment.experiment,
            failure: if has_failed { &experiment.detail } else { "" },
            dp_rates,
            row: files.experiments.from(start),
            readings: files.readings_of_try,
            readings_rows: files.readings.from(files.start_of_try),
        };
        let record = entry.record(&files.key);
        files.journal.add(&record)?;
        (files.readings_of_try, files.start_of_try) = (0, files.readings.length());
        if wants_row {
            self.history.add_row(experiment);
        }
        self.history.add(&experiment.experiment, round, has_failed, dp_rates.iter().copied());
        Ok(())
    }

    /// Adds an attempt of another run unchanged.
    pub(super) fn add_try(&mut self, journal: &[u8], row: &[u8], readings: &[u8]) -> Result<(), RunError> {
        let files = self.files()?;
        files.journal.add_text(journal);
        files.experiments.add_text(row);
        files.readings.add_text(readings);
        Ok(())
    }

    /// Syncs all attempts that ended: readings first and the journal last, so that anything it names is on disk.
    ///
    /// # Errors
    /// The disk is full, or the folder is gone. Complete data stays complete.
    pub(super) fn store(&mut self) -> Result<(), RunError> {
        let files = self.files()?;
        let readings = files.readings.store();
        let stored = readings.and_then(|()| files.experiments.store()).and_then(|()| files.journal.store());
        if let Err(error) = stored {
            // The first error is reported; the run can be resumed in either case.
            let _ = files.roll_back();
            return Err(error);
        }
        [&mut files.readings, &mut files.experiments, &mut files.journal].into_iter().for_each(GrowingFile::complete);
        files.start_of_try = 0;
        Ok(())
    }

    /// Takes back whatever is not complete.
    pub(super) fn roll_back(&mut self) -> Result<(), RunError> {
        self.files.as_mut().map_or(Ok(()), Files::roll_back)
    }

    /// Notes the next attempt, before it starts.
    pub(super) fn note(&self, attempt: &Attempt) -> Result<(), RunError> {
        attempt.note(&self.path)
    }

    /// Removes derived files, before more is stored than they derive from.
    pub(super) fn remove_derived(&self) -> Result<(), RunError> {
        Ok(remove_derived(&self.path)?)
    }

    /// Takes the note back.
    pub(super) fn clear_note(&self) -> Result<(), RunError> {
        Attempt::clear(&self.path)
    }

    fn files(&mut self) -> Result<&mut Files, RunError> {
        match &mut self.files {
            Some(files) => Ok(files),
            none => Ok(none.insert(Files::create(&self.path)?)),
        }
    }

    /// Writes `run.json`, in place of the one before, and the other files with their headers if they are not there.
    pub(super) fn write_record(&mut self, record: &RunRecord) -> Result<(), RunError> {
        self.files()?.key = RunKey::of(record);
        let failed =
            |error: serde_json::Error| RunError::Write { path: self.path.join("run.json"), cause: error.into() };
        let text = run_record_text(record).map_err(failed)?;
        Ok(write_atomically(&self.path, "run.json", &text)?)
    }
}

/// Removes the files of a run that ended while it made them: nothing was stored. Whatever else is there stays.
fn remove_beginnings(folder: &Path) -> Result<(), RunError> {
    let mut beginnings = Vec::new();
    for (name, columns) in files_and_columns() {
        let path = folder.join(name);
        let text = match fs::read(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            read => read.map_err(|cause| RunError::Read { path: path.clone(), cause })?,
        };
        // Zeros are what some file systems leave when the power goes.
        let written = &text[..text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1)];
        if !format!("{}\n", columns.join(",")).as_bytes().starts_with(written) {
            return Err(RunError::NotARun(folder.to_owned()));
        }
        beginnings.push(path);
    }
    // None of them before all are known to be beginnings.
    beginnings.into_iter().try_for_each(|path| fs::remove_file(&path).map_err(|cause| RunError::Write { path, cause }))
}
