//! The readings of the longest code of an experiment that was measured again.

use std::borrow::Cow;

use crate::run::StoredReading;

/// Lengths of one round are not as far apart as this.
const LENGTHENED: u32 = 8;

/// The readings that count, where rounds that measured again had longer code: in the shorter code, some waves ended before others were launched.
#[derive(Debug)]
pub(super) struct LongestCode<'a> {
    pub(super) readings: Cow<'a, [StoredReading]>,
    /// Whether there was shorter code.
    pub(super) is_lengthened: bool,
}

impl<'a> LongestCode<'a> {
    /// Of all readings of an experiment.
    pub(super) fn of(readings: &'a [StoredReading]) -> Self {
        let longest = readings.iter().map(|reading| reading.n).max().unwrap_or(0);
        let is_long = |reading: &&StoredReading| reading.n > longest / LENGTHENED;
        if readings.iter().all(|reading| is_long(&reading)) {
            return Self { readings: Cow::Borrowed(readings), is_lengthened: false };
        }
        Self { readings: Cow::Owned(readings.iter().filter(is_long).copied().collect()), is_lengthened: true }
    }
}
