//! A sample: the difference of a pair of readings.

use gcn_model::quantity::Cycles;

use crate::run::StoredReading;

/// Shader cycles that some length of code took once: a difference of two S_MEMTIME readings, or, on many waves, of
/// the last and the first reading of all waves of a compute unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Blocks in the timed code.
    pub n: u32,
    /// Cycles between the readings, the reading's own cost included.
    pub cycles: Cycles,
}

impl From<&StoredReading> for Sample {
    fn from(reading: &StoredReading) -> Self {
        Self { n: reading.n, cycles: Cycles(reading.elapsed() as f64) }
    }
}
