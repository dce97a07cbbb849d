//! A change of a region, and its gain.

use gcn_model::quantity::Cycles;
use serde::Serialize;

/// The kind of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdviceKind {
    MoreWaves,
    WaitMoved,
    LoadsAhead,
    DualIssue,
    MatrixInterleaved,
    Interleaved,
    Alignment,
}

impl AdviceKind {
    /// Its name in a list.
    pub fn name(self) -> &'static str {
        match self {
            Self::MoreWaves => "more waves",
            Self::WaitMoved => "wait moved",
            Self::LoadsAhead => "loads ahead",
            Self::DualIssue => "dual issue",
            Self::MatrixInterleaved => "matrix instructions interleaved",
            Self::Interleaved => "interleaved",
            Self::Alignment => "alignment",
        }
    }
}

/// A change, and the simulated result of the changed code.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    pub kind: AdviceKind,
    /// What to do.
    pub words: String,
    pub waves_per_simd: u32,
    /// Cycles of an iteration with the change.
    pub cycles: Cycles,
    /// Of the cycles in which a SIMD does an iteration of a wave, in percent.
    pub gain_percent: f64,
    /// The changed region; empty where its code stays.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub code: Vec<String>,
}
