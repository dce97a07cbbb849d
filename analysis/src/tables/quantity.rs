//! The measured quantities, which published values are values of.

use std::fmt;

/// The quantity of a published value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// Shader cycles on one wave; of a jump, not taken.
    Cycles,
    /// Shader cycles of a jump that is taken.
    TakenCycles,
    /// Shader cycles on one wave with the GLC modifier.
    GlcCycles,
    /// Shader cycles until a dependent instruction can follow.
    Latency,
    /// Instructions per cycle per compute unit.
    Throughput,
    /// SGPRs with which this many waves run at once.
    Sgprs,
    /// VGPRs that a wave can have then.
    Vgprs,
    /// LDS that a wave can have then, dwords of a lane.
    LdsDwordsPerLane,
    /// Instructions of unlike kinds per cycle per compute unit.
    Issue,
}

impl Quantity {
    /// All, those of instructions first.
    pub const ALL: [Self; 9] = [
        Self::Cycles,
        Self::TakenCycles,
        Self::GlcCycles,
        Self::Latency,
        Self::Throughput,
        Self::Sgprs,
        Self::Vgprs,
        Self::LdsDwordsPerLane,
        Self::Issue,
    ];

    /// The word in the tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cycles => "cycles",
            Self::TakenCycles => "taken_cycles",
            Self::GlcCycles => "glc_cycles",
            Self::Latency => "latency",
            Self::Throughput => "throughput",
            Self::Sgprs => "sgprs",
            Self::Vgprs => "vgprs",
            Self::LdsDwordsPerLane => "lds_dwords_per_lane",
            Self::Issue => "issue",
        }
    }

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

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
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
