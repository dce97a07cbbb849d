//! The action of a wave that repeats a block, in a part of its time.

use crate::issue::activity::Activity;

/// A part of a wave's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Number of the wave, in the order in which they start.
    pub wave: u32,
    /// Address of the instruction that the time is spent on: issuing it, or waiting to.
    pub address: u64,
    pub activity: Activity,
    /// First shader cycle.
    pub start: u64,
    /// Shader cycles, at least 1.
    pub cycles: u64,
}
