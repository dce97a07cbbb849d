//! The four generations of the instruction set.

use serde::{Deserialize, Serialize};

/// A generation of the GCN instruction set, as the published page counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Generation {
    /// GCN 1.0: Southern Islands, gfx6.
    #[serde(rename = "1.0")]
    Gcn10,
    /// GCN 1.1: Sea Islands, gfx7.
    #[serde(rename = "1.1")]
    Gcn11,
    /// GCN 1.2: Volcanic Islands and Polaris, gfx8.
    #[serde(rename = "1.2")]
    Gcn12,
    /// GCN 1.4: Vega, gfx9.
    #[serde(rename = "1.4")]
    Gcn14,
}

impl Generation {
    /// All generations, oldest first.
    pub const ALL: [Self; 4] = [Self::Gcn10, Self::Gcn11, Self::Gcn12, Self::Gcn14];

    /// The name on the published page: `1.0`, `1.1`, `1.2` or `1.4`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gcn10 => "1.0",
            Self::Gcn11 => "1.1",
            Self::Gcn12 => "1.2",
            Self::Gcn14 => "1.4",
        }
    }

    /// Position in [`Generation::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}
