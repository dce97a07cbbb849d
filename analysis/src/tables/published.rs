//! Published values: the quantities that they are values of, and how they fare.

use std::fmt;

use gcn_model::record::DeviceRecord;

use super::single::words;

words! {
    /// The quantity of a published value.
    pub enum Quantity {
        /// Shader cycles on one wave; of a jump, not taken.
        Cycles = "cycles",
        /// Shader cycles of a jump that is taken.
        TakenCycles = "taken_cycles",
        /// Shader cycles on one wave with the GLC modifier.
        GlcCycles = "glc_cycles",
        /// Shader cycles until a dependent instruction can follow.
        Latency = "latency",
        /// Instructions per cycle per compute unit.
        Throughput = "throughput",
        /// SGPRs with which this many waves run at once.
        Sgprs = "sgprs",
        /// VGPRs that a wave can have then.
        Vgprs = "vgprs",
        /// LDS that a wave can have then, dwords of a lane.
        LdsDwordsPerLane = "lds_dwords_per_lane",
        /// Instructions of unlike kinds per cycle per compute unit.
        Issue = "issue",
    }
}

impl Quantity {
    /// Its column in `timings.csv`, or in `occupancy.csv`.
    pub const fn column(self) -> &'static str {
        match self {
            Self::Cycles | Self::GlcCycles => "cycles",
            Self::TakenCycles => "taken",
            Self::Latency => "latency",
            Self::Throughput => "throughput",
            Self::Sgprs | Self::Vgprs | Self::LdsDwordsPerLane | Self::Issue => self.name(),
        }
    }
}

/// A quantity of an instruction, named by its column in `timings.csv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column(pub Quantity);

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.column())
    }
}

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
