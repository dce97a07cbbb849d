//! How the array of banks serves the lanes of an LDS instruction.

use gcn_model::gpu::LdsPasses;
use gcn_model::timing::LdsTiming;

/// How the array of banks serves an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LdsService {
    /// Banks of the array.
    pub banks: u32,
    /// Cycles without conflicts of a pass over as many lanes as there are banks.
    pub pass_cycles: u32,
    /// The lanes that are served together; `None`: as many neighbours as there are banks.
    pub passes: Option<LdsPasses>,
}

impl LdsService {
    /// That of an instruction with this timing; of no use to others than LDS instructions.
    pub(crate) fn of(banks: u32, timing: Option<&LdsTiming>) -> Self {
        Self {
            banks,
            pass_cycles: timing.map_or(0, |timing| timing.pass_cycles),
            passes: timing.and_then(|timing| timing.passes),
        }
    }

    /// The same, with time for all dwords of all lanes.
    pub(crate) fn without_conflicts(self) -> Self {
        Self { pass_cycles: u32::MAX, passes: None, ..self }
    }
}
