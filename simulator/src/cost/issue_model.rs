//! The issue model: which cycles the SIMDs of a compute unit issue in, and when results can be read.
//!
//! A generation chooses it. Facts §3.1 (GCN: four SIMDs take turns, each issues every fourth cycle, and a result is there when the
//! wave issues again) and facts-cdna-rdna §3.2 (RDNA: a SIMD issues every cycle, and a dependent instruction waits for the result).

/// SIMDs of a compute unit that the simulator has room for.
pub(crate) const MOST_SIMDS: usize = 4;

/// When the result of a vector or scalar instruction can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Results {
    /// With the end of the instruction: nothing of the wave issues before.
    AtOnce,
    /// By a scoreboard: the wave goes on, and an instruction that reads the result waits until it is there.
    Scoreboard,
}

/// How the SIMDs of a compute unit issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IssueModel {
    /// SIMDs of a compute unit, at most 4.
    pub simds: u32,
    /// Lanes of a wave: 32 or 64.
    pub wave_size: u32,
    /// Shader cycles between two issues of a SIMD to the same unit.
    pub interval: u32,
    /// When results can be read.
    pub results: Results,
}

impl IssueModel {
    /// GCN: four SIMDs of 16 lanes, of which each issues every fourth cycle.
    pub const GCN: Self = Self { simds: 4, wave_size: 64, interval: 4, results: Results::AtOnce };
}
