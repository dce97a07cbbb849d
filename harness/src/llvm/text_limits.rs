//! How much assembling a text may take.

use serde::{Deserialize, Serialize};

/// Bytes of text that add a second and 128 MiB to the limits: several times as much as instructions need.
const STEP: usize = 500_000;
const STEP_MIB: u64 = 128;

/// How much assembling a text may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextLimits {
    /// Seconds of processor time.
    pub seconds: u64,
    /// Address space, MiB.
    pub mebibytes: u64,
}

impl TextLimits {
    /// The limits for a text of some bytes.
    pub(super) fn for_bytes(self, bytes: usize) -> Self {
        let steps = (bytes / STEP) as u64;
        let (seconds, mebibytes) = (self.seconds.saturating_add(steps), steps.saturating_mul(STEP_MIB));
        Self { seconds, mebibytes: self.mebibytes.saturating_add(mebibytes) }
    }
}
