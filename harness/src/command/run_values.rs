//! The choice of values that no manual gives to the bit.

use clap::ValueEnum;
use serde::Serialize;

/// Where no manual gives a value to the bit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Values {
    /// It is unknown.
    #[default]
    Strict,
    /// The host computes it.
    Approximate,
}

impl Values {
    /// As the driver's variable has it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Approximate => "approximate",
        }
    }
}
