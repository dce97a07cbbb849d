//! Kernels: what an experiment repeats, as assembly text, and the check that the assembled code is just that.

mod check;
mod encode;
mod error;
mod handling;
mod layout;
mod operands;
mod plan;
mod template;

pub use check::{CheckError, check};
pub use error::KernelError;
pub use handling::{Action, Handling, handling};
pub use layout::{COMPLETION_MARK, READINGS_BYTES, RECORD_BYTES, SAMPLES_PER_KERNEL};
pub use operands::{Copies, Target};
pub use plan::{Block, Filler, KernelPlan, Loops, SCALAR_FILLER, Section, VECTOR_FILLER};
pub use template::{Templates, initial_values};
