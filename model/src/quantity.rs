//! Quantities that carry their unit in the type.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A number of shader clock cycles, as S_MEMTIME counts them; may be a fraction when it is an estimate.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cycles(pub f64);

/// Instructions per shader cycle per compute unit.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(transparent)]
pub struct InstructionsPerCycle(pub f64);

/// A number of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Bytes(pub u32);

/// A number of 32-bit words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Dwords(pub u8);

/// Passes of a matrix instruction through the matrix unit: four shader cycles each (AMD matrix instruction calculator).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Passes(pub u8);

impl Passes {
    /// The same time in cycles.
    pub fn cycles(self) -> Cycles {
        Cycles(f64::from(self.0) * 4.0)
    }
}

impl Dwords {
    /// The same length in bytes.
    pub const fn bytes(self) -> Bytes {
        Bytes(self.0 as u32 * 4)
    }
}

impl From<Cycles> for f64 {
    fn from(cycles: Cycles) -> Self {
        cycles.0
    }
}

impl From<InstructionsPerCycle> for f64 {
    fn from(rate: InstructionsPerCycle) -> Self {
        rate.0
    }
}

impl fmt::Display for Cycles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for InstructionsPerCycle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
