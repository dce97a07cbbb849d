//! Why there is no prediction.

use gcn_model::decode::DecodeError;
use gcn_simulator::SimulationError;

/// Why there is no prediction.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PredictError {
    /// Words that are no instruction of the target.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// An instruction that the machine cannot repeat.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// There is nothing to repeat.
    #[error("there are no instructions{0}")]
    Empty(String),
    /// The end of a region does not lie behind its start, or it lies beyond the code.
    #[error("the region {name} from {start:#x} to {end:#x} is not a part of the code")]
    Outside {
        name: String,
        /// Address of its first byte.
        start: u64,
        /// Address behind its last byte.
        end: u64,
    },
}
