//! `run.json`, which carries its own checksum, and the checksums of a run's stored data: a digit that was changed afterwards is still a number.

use std::fmt::Write;
use std::io::ErrorKind;
use std::path::Path;

use gcn_model::record::{DeviceRecord, RunRecord};
use gcn_model::regular_file;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::error::AnalysisError;

/// The phrase of a kept record where a run states how and when.
const NOT_KEPT: &str = "not kept";

/// What stands before the checksum.
const KEY: &str = "\"sha256\": \"";

/// The text of `run.json`, with its checksum.
///
/// # Errors
/// None that the types allow.
pub fn run_record_text(record: &RunRecord) -> Result<String, serde_json::Error> {
    let record = RunRecord { sha256: String::new(), ..record.clone() };
    let text = serde_json::to_string_pretty(&record)? + "\n";
    let sum = sha256(&[text.as_bytes()]);
    // The field is the last one.
    let at = text.rfind(KEY).map_or(text.len(), |at| at + KEY.len());
    Ok(format!("{}{sum}{}", &text[..at], &text[at..]))
}

/// The text of `run.json` beside tables that are kept without readings: what was measured and with what, without times, checksums and code
/// objects, so that the same results give the same text again. No checksum vouches for it.
///
/// # Errors
/// None that the types allow.
pub fn kept_record_text(record: &RunRecord) -> Result<String, serde_json::Error> {
    let kept = RunRecord {
        device: DeviceRecord { facts_sha256: None, ..record.device.clone() },
        assembler: NOT_KEPT.into(),
        code_objects: Vec::new(),
        start: String::new(),
        // An interrupted run has no end, kept or not.
        end: record.end.as_ref().map(|_| NOT_KEPT.into()),
        resumed: Vec::new(),
        tries: None,
        sha256: String::new(),
        ..record.clone()
    };
    Ok(serde_json::to_string_pretty(&kept)? + "\n")
}

/// Reads and checks `run.json`. A file with an empty checksum was written by no run, and is taken as it is.
///
/// # Errors
/// No such file, no record, another schema, or a file that was changed after the run wrote it.
pub fn load_run_record(path: &Path) -> Result<RunRecord, AnalysisError> {
    let text =
        regular_file::read_to_string(path, regular_file::MOST_OF_A_RUN).map_err(|source| match path.parent() {
            Some(folder) if source.kind() == ErrorKind::NotADirectory => AnalysisError::NotAFolder(folder.to_owned()),
            _ => AnalysisError::Read { path: path.to_owned(), source },
        })?;
    parse_run_record(path, &text)
}

/// Checks the text of a `run.json`; `path` names it in errors.
///
/// # Errors
/// No record, another schema, or a text that was changed after the run wrote it.
pub(crate) fn parse_run_record(path: &Path, text: &str) -> Result<RunRecord, AnalysisError> {
    let record: RunRecord =
        serde_json::from_str(text).map_err(|source| AnalysisError::RunRecord { path: path.to_owned(), source })?;
    if record.schema != RunRecord::SCHEMA {
        let (found, supported) = (record.schema, RunRecord::SCHEMA);
        return Err(AnalysisError::Schema { path: path.to_owned(), found, supported, tool: record.tool });
    }
    if !record.sha256.is_empty() {
        let without = text.replacen(&format!("{KEY}{}\"", record.sha256), &format!("{KEY}\""), 1);
        if sha256(&[without.as_bytes()]) != record.sha256 {
            return Err(AnalysisError::Changed { path: path.to_owned() });
        }
    }
    Ok(record)
}

/// Hexadecimal digits of a checksum in `journal.csv`: 64 bits tell an accident for certain.
const DIGITS: usize = 16;

/// SHA-256 of the parts in sequence, hex.
pub fn sha256(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Checksum of some rows as in their file.
pub(super) fn checksum(rows: &[u8]) -> String {
    let mut sum = sha256(&[rows]);
    sum.truncate(DIGITS);
    sum
}

/// Checksum of a run's identity: each row of its journal is signed with it, so that the `run.json` of another run is
/// found out. It is equal for the shards of a run and for a run that was done again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunKey(String);

impl RunKey {
    /// The key of a run, whichever part of it and whenever.
    pub fn of(record: &RunRecord) -> Self {
        let device = &record.device;
        // No number with a fraction: its digits may change on the way through a file.
        let identity = json!([
            record.tool,
            record.assembler,
            record.options,
            record.code_objects,
            [device.name, device.driver, device.target, device.generation],
            device.compute_units,
            device.facts_sha256,
        ]);
        Self(checksum(identity.to_string().as_bytes()))
    }

    /// The key as text.
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}
