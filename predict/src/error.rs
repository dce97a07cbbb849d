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
    /// An instruction that the simulator cannot repeat.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// Waves that the GPU has not, or that a run says nothing of.
    #[error("{0}")]
    Waves(String),
    /// The code cannot be checked for hazards.
    #[error("{0}")]
    Hazards(String),
    /// There is nothing to repeat.
    #[error("there are no instructions{0}")]
    Empty(String),
    /// The end of a region is not after its start, or it lies beyond the code.
    #[error("the region {name} from {start:#x} to {end:#x} is not a part of the code")]
    Outside {
        name: String,
        /// Address of its first byte.
        start: u64,
        /// Address after its last byte.
        end: u64,
    },
    /// The code object has no kernel of that name.
    #[error("there is no kernel {name}; there are: {known}")]
    NoSuchKernel {
        name: String,
        /// The kernels that there are.
        known: String,
    },
    /// An argument that does not fit the kernel's parameter.
    #[error("argument {number}: {problem}")]
    Argument {
        /// Its number, counted from 1.
        number: usize,
        problem: String,
    },
    /// There are fewer arguments than the kernel has.
    #[error("argument {number} is missing: the kernel expects {expected}")]
    MissingArgument {
        /// Its number, counted from 1.
        number: usize,
        /// The kernel's parameter.
        expected: String,
    },
    /// An argument that only a runtime fills in.
    #[error("the kernel needs hidden_{0}, which only a runtime can provide")]
    Hidden(String),
    /// The size of the work-groups is not one that the kernel runs with.
    #[error("`group`: {0}")]
    Group(String),
    /// The code object's statement about a kernel cannot be true.
    #[error("the metadata of kernel {kernel}: {problem}")]
    Metadata { kernel: String, problem: String },
    /// The argument cannot be read back.
    #[error("argument {number} cannot be read back: {problem}")]
    NotReadable {
        /// Its number, counted from 1.
        number: usize,
        problem: String,
    },
}
