//! Where the waves of a work-group may run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Where the waves of a work-group may run, on generations whose compute units are halves of work-group processors.
///
/// Source: AMD RDNA ISA manuals, "WGP and CU Mode": on the two SIMDs of a compute unit with its half of the LDS, or on all four of a processor,
/// with LDS anywhere in both halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GroupMode {
    #[serde(rename = "cu")]
    ComputeUnit,
    /// On all compute units of a work-group processor.
    #[serde(rename = "wgp")]
    Processor,
}

impl GroupMode {
    const ALL: [Self; 2] = [Self::ComputeUnit, Self::Processor];

    /// Its short name, as options and records have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ComputeUnit => "cu",
            Self::Processor => "wgp",
        }
    }
}

impl fmt::Display for GroupMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for GroupMode {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|mode| mode.name() == text).ok_or_else(|| "there are cu and wgp".to_owned())
    }
}
