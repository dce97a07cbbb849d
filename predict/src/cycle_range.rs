//! Cycles that the user says, alone or as a range.

use serde::de::DeserializeOwned;

use crate::card::End;

/// As many as a GPU file may give.
pub(crate) const MOST_CYCLES: u32 = 1_000_000;

/// Between what numbers a latency lies, shader cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CycleRange {
    pub(crate) low: u32,
    pub(crate) high: u32,
}

impl CycleRange {
    /// The range of a text such as `300` or `300..500`; `None` if malformed or beyond [`MOST_CYCLES`].
    pub(crate) fn of(text: &str) -> Option<Self> {
        let (low, high) = text.split_once("..").unwrap_or((text, text));
        let cycles = |text: &str| text.parse::<u32>().ok().filter(|cycles| *cycles <= MOST_CYCLES);
        let range = Self { low: cycles(low)?, high: cycles(high)? };
        (range.low <= range.high).then_some(range)
    }

    /// The cycles at an end; in the middle they are rounded down.
    pub(crate) fn at(self, end: End) -> u32 {
        match end {
            End::Low => self.low,
            End::Middle => self.low + (self.high - self.low) / 2,
            End::High => self.high,
        }
    }

    /// The text after the middle: `, the middle of 300 to 500`; empty for a single number.
    pub(crate) fn words(self) -> String {
        let Self { low, high } = self;
        if low == high { String::new() } else { format!(", the middle of {low} to {high}") }
    }
}

/// The rows of a file of presets that ships.
///
/// # Panics
/// The file is not as its rows are described; a test reads it.
pub(crate) fn presets<Row: DeserializeOwned>(file: &str) -> Vec<Row> {
    let rows = csv::Reader::from_reader(file.as_bytes()).into_deserialize();
    rows.collect::<Result<_, _>>().expect("a test reads the file that ships")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_one_number_or_two_in_order() {
        assert_eq!(CycleRange::of("300"), Some(CycleRange { low: 300, high: 300 }));
        assert_eq!(CycleRange::of("300..500").map(|range| range.at(End::Middle)), Some(400));
        for wrong in ["", "500..300", "1000001", "-1", "1..", "1...2"] {
            assert_eq!(CycleRange::of(wrong), None, "{wrong}");
        }
    }
}
