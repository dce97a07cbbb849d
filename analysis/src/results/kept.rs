//! The results of a folder: derived from the records of a run where it has them, and read where only the tables were kept.

use std::collections::HashSet;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use gcn_model::published::sources;
use gcn_model::record::RunRecord;
use gcn_model::regular_file;

use super::derived::asks_for_everything;
use super::results::Results;
use crate::clock::{NoClock, ShaderClock};
use crate::error::AnalysisError;
use crate::occupancy::Occupancy;
use crate::one_wave::{Distribution, TimingRow};
use crate::run::{RECORDS, StoredRun, load_run_record, parse_run_record};
use crate::suites::Suites;
use crate::tables::{Quantity, TableFiles, Tabled};
use crate::verdict::{DpFactor, NoDoublePrecision, ValidationRow, glc_extras, lds_banks};

/// The file of the run's record.
const RECORD: &str = "run.json";

/// The file of DPFACTOR.
const DPFACTOR: &str = "dpfactor.json";

impl Results {
    /// The results of a run's folder. Those of a run that has its records are derived anew: files in the folder may be of an earlier
    /// state of the run, or changed, and are never shown. A folder without the record files holds results that were kept without them.
    ///
    /// # Errors
    /// The folder is not a run's, or something in it differs from the run's output: the error names file and line.
    pub fn load(folder: &Path) -> Result<Self, AnalysisError> {
        if folder.is_file() {
            return Err(AnalysisError::NotAFolder(folder.to_owned()));
        }
        if !folder.is_dir() {
            return Err(AnalysisError::NoFolder(folder.to_owned()));
        }
        if !has_records(folder)? {
            return Self::of_files(folder);
        }
        let run = StoredRun::load(folder)?;
        let mut results = Self::of(&run);
        // A file that is not there says nothing wrong.
        let differs = |(name, text): (&'static str, Option<String>)| {
            let stored = fs::read(folder.join(name)).ok()?;
            (Some(stored.as_slice()) != text.as_ref().map(String::as_bytes)).then_some(name)
        };
        results.differing = results.files().into_iter().filter_map(differs).collect();
        results.differing.sort_unstable();
        folder.clone_into(&mut results.folder);
        results.run = Some(Box::new(run));
        Ok(results)
    }

    /// Reads the tables of a folder without readings of a run: published results are kept without them. Their content is not verified.
    ///
    /// # Errors
    /// The folder is not a run's, `timings.csv` is missing, or a file differs from a run's output: the error names file and line.
    pub fn of_files(folder: &Path) -> Result<Self, AnalysisError> {
        Self::read(folder, |name| text(&folder.join(name)))
    }

    /// The results that were kept without readings, and in no folder: `text` gives the files, and `place` names them in errors.
    ///
    /// # Errors
    /// As [`Results::of_files`].
    pub fn of_kept(place: &Path, text: impl Fn(&str) -> Option<String>) -> Result<Self, AnalysisError> {
        Self::read(place, |name| Ok(text(name)))
    }

    fn read(
        folder: &Path,
        text: impl Fn(&str) -> Result<Option<String>, AnalysisError>,
    ) -> Result<Self, AnalysisError> {
        let record = text(RECORD)?.ok_or_else(|| AnalysisError::NotARun(folder.to_owned()))?;
        let record = parse_run_record(&folder.join(RECORD), &record)?;
        let folder = folder.to_owned();
        let rows = TableFiles { folder: &folder, text: &text };
        let (throughputs, variants) = (rows.rows()?, rows.rows()?);
        if text(TimingRow::FILE)?.is_none() {
            return Err(AnalysisError::NoTable { path: folder.join(TimingRow::FILE), folder });
        }
        let timings: Vec<TimingRow> = rows.rows()?;
        let mut validation: Vec<ValidationRow> = rows.rows()?;
        mark_asked(&mut validation, &record, &timings);
        Ok(Self {
            run: None,
            differing: Vec::new(),
            clock: clock(&record, rows.rows()?),
            estimates: rows.rows()?,
            timings,
            distributions: Distribution::of_rows(&rows.rows()?),
            penalties: rows.rows()?,
            front_end: None,
            lds_banks: lds_banks(&throughputs, &record.device, sources()),
            glc: glc_extras(sources(), &variants),
            throughputs,
            variants,
            disputes: rows.rows()?,
            semantics: rows.rows()?,
            occupancy: Occupancy {
                residence: rows.rows()?,
                issue: rows.rows()?,
                slots: None,
                allocations: rows.rows()?,
                table: rows.rows()?,
            },
            suites: Suites::read(&rows)?,
            dpfactor: dpfactor(&folder, text(DPFACTOR)?)?,
            validation,
            unsettled: Vec::new(),
            failed: Vec::new(),
            retried: Vec::new(),
            experiments: 0,
            record,
            folder: folder.clone(),
        })
    }
}

/// Whether a folder has a run's records, or a part of them. A folder that no run wrote (its `run.json` has no checksum, and there is no journal)
/// has tables alone.
fn has_records(folder: &Path) -> Result<bool, AnalysisError> {
    let is_there = |name: &str| folder.join(name).symlink_metadata().is_ok();
    if !RECORDS.into_iter().any(|name| name != RECORD && is_there(name)) {
        return Ok(false);
    }
    let is_foreign = !is_there("journal.csv") && is_there("timings.csv") && is_there(RECORD);
    Ok(!(is_foreign && load_run_record(&folder.join(RECORD))?.sha256.is_empty()))
}

/// What the run was asked for, which the file does not have. Occupancy is no instruction's.
fn mark_asked(validation: &mut [ValidationRow], record: &RunRecord, timings: &[TimingRow]) {
    use Quantity::{Issue, LdsDwordsPerLane, Sgprs, Vgprs};
    let is_whole = asks_for_everything(record);
    let names: HashSet<&str> = timings.iter().map(|row| row.instruction.as_str()).collect();
    for row in validation {
        let is_of_waves = matches!(row.quantity, Issue | LdsDwordsPerLane | Sgprs | Vgprs);
        row.asked = is_whole || is_of_waves || names.contains(row.instruction.as_str());
    }
}

fn clock(record: &RunRecord, stretches: Vec<crate::clock::ClockStretch>) -> Result<ShaderClock, NoClock> {
    ShaderClock::of_stretches(stretches).ok_or_else(|| NoClock::of(record).unwrap_or(NoClock::NotKept))
}

/// A file's text, if there is one.
fn text(path: &Path) -> Result<Option<String>, AnalysisError> {
    match regular_file::read_to_string(path, regular_file::MOST_OF_A_RUN) {
        Ok(text) => Ok(Some(text)),
        Err(absent) if absent.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(AnalysisError::ReadTable { path: path.to_owned(), source }),
    }
}

/// The factor, if there is its file.
fn dpfactor(folder: &Path, text: Option<String>) -> Result<Result<DpFactor, NoDoublePrecision>, AnalysisError> {
    let failed = |source| AnalysisError::Json { path: folder.join(DPFACTOR), source };
    let found = text.map(|text| serde_json::from_str(&text).map_err(failed)).transpose()?;
    Ok(found.ok_or(NoDoublePrecision))
}
