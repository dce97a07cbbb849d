//! The readings of the longest code of an experiment that was measured again.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::run::StoredReading;

/// Lengths of one round are not as far apart as this.
const LENGTHENED: u32 = 8;

/// The readings that count, where rounds that measured again had longer code: in the shorter code, some waves ended before others were launched.
#[derive(Debug)]
pub(super) struct LongestCode<'a> {
    pub(super) readings: Cow<'a, [StoredReading]>,
    /// Launches of each length of longer code; 0 if there was none.
    pub(super) lengthened: u32,
}

impl<'a> LongestCode<'a> {
    /// Of all readings of an experiment.
    pub(super) fn of(readings: &'a [StoredReading]) -> Self {
        let longest = readings.iter().map(|reading| reading.n).max().unwrap_or(0);
        let is_long = |reading: &&StoredReading| reading.n > longest / LENGTHENED;
        if readings.iter().all(|reading| is_long(&reading)) {
            return Self { readings: Cow::Borrowed(readings), lengthened: 0 };
        }
        let readings: Vec<StoredReading> = readings.iter().filter(is_long).copied().collect();
        let launches: BTreeSet<u32> =
            readings.iter().filter(|reading| reading.n == longest).map(|reading| reading.launch).collect();
        Self { readings: Cow::Owned(readings), lengthened: launches.len() as u32 }
    }

    /// The readings of the shorter code, if there was longer code.
    pub(super) fn shorter(&self, readings: &[StoredReading]) -> Option<Self> {
        let least = self.readings.iter().map(|reading| reading.n).min().filter(|_| self.is_lengthened())?;
        let readings = readings.iter().filter(|reading| reading.n < least).copied().collect();
        Some(Self { readings: Cow::Owned(readings), lengthened: 0 })
    }

    /// Whether there was shorter code.
    pub(super) fn is_lengthened(&self) -> bool {
        self.lengthened > 0
    }
}
