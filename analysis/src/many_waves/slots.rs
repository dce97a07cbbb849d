//! How many waves a SIMD has room for, whatever they have.

use std::fmt;

/// The waves of a SIMD.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slots {
    /// So many, and neither registers nor anything that was asked for are what limits them.
    Exactly(u32),
    /// So many ran; the registers that the smallest kernel needs may be what allows no more.
    AtLeast(u32),
}

impl Slots {
    /// The number, if it is one.
    pub const fn exactly(self) -> Option<u32> {
        match self {
            Self::Exactly(waves) => Some(waves),
            Self::AtLeast(_) => None,
        }
    }

    /// There are no fewer.
    pub const fn at_least(self) -> u32 {
        match self {
            Self::Exactly(waves) | Self::AtLeast(waves) => waves,
        }
    }
}

impl fmt::Display for Slots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(waves) => write!(f, "{waves} waves on a SIMD"),
            Self::AtLeast(waves) => write!(f, "{waves} or more waves on a SIMD (registers allow no more)"),
        }
    }
}
