//! Checksums of a run's stored data: a digit that was changed afterwards is still a number.

use std::fmt::Write;

use gcn_model::record::RunRecord;
use serde_json::json;
use sha2::{Digest, Sha256};

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
