//! Why a compute unit stops before its waves have ended.

use crate::error::Problem;

/// Why a compute unit stopped in the middle.
pub(crate) enum Stop {
    /// A wave got to an instruction that cannot be executed.
    Problem {
        /// Wave of the launch.
        wave: u32,
        /// Address of the instruction.
        address: u64,
        problem: Problem,
    },
    /// A wave got to a place without decoded code: it continues with `ComputeUnit::resume`.
    Undecoded {
        /// Wave of the compute unit.
        index: u32,
        /// Address of the instruction.
        address: u64,
    },
}
