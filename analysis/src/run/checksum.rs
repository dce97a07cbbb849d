//! Checksums of a run's stored data: a digit that was changed afterwards is still a number.

use std::fmt::Write;

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
