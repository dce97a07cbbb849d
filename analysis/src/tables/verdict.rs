//! How published values fare.

use std::fmt;

use gcn_model::record::DeviceRecord;

use super::single::words;

words! { in word_on:
    /// How a published value fared.
    pub enum Verdict {
        /// The measurement meets it.
        Match = "match",
        /// The measurement contradicts it.
        Mismatch = "mismatch",
        /// The source does not know, doubts it or does not speak of it; the measurement says.
        Answers = "answers",
        /// There is no measurement, or none sharp enough.
        Unmeasured = "unmeasured",
    }
}

impl Verdict {
    /// The word for people: on the page, in the report, in the summary.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::Mismatch => "differs",
            Self::Answers => "answers",
            Self::Unmeasured => "not measured",
        }
    }

    /// The word for people on numbers of the simulator: it was given some of the sources, and judges none.
    pub const fn simulated_word(self) -> &'static str {
        match self {
            Self::Match => "as simulated",
            Self::Mismatch => "not as simulated",
            Self::Answers => "open",
            Self::Unmeasured => "not measured",
        }
    }

    /// The word for people, of a device.
    pub fn word_on(self, device: &DeviceRecord) -> &'static str {
        if device.is_simulated() { self.simulated_word() } else { self.word() }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}
