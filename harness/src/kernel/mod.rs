//! Kernels: an experiment's repeated code as assembly text, and the check that the assembled code is just that.

mod align;
mod allocation;
mod block;
mod check;
mod check_error;
mod constraints;
mod context;
mod cursor;
mod dependence;
mod encode;
mod error;
mod filler;
mod form;
mod jump;
mod layout;
mod matrix;
mod memory;
mod operands;
mod pair;
mod pair_registers;
mod paired;
mod partials;
mod plan;
mod registers;
mod repairs;
mod snippet;
mod spacing;
mod template;
mod timed;
mod unit;
mod waiting;

pub use allocation::Allocation;
pub use block::{Block, LINE_DWORDS, LONGEST_LINE_DWORDS, Order, Part};
pub use check::check;
pub(crate) use check::check_each;
pub use check_error::CheckError;
pub use constraints::{Action, Constraints, constraints, handling_of, is_handled};
pub use context::initial_values;
pub use error::KernelError;
pub use filler::{
    ENDED, Filler, INTERNAL_FILLER, MASK_BLOCK_DWORDS, NULL_FILLER, RELAY_FILLER, REPAIRS, SCALAR_FILLER,
    VECTOR_FILLER, carriers,
};
pub use form::{Form, is_memory};
pub use jump::{MOST_REGISTER_JUMPS, is_jump};
pub use layout::{COMPLETION_MARK, Places, READINGS_BYTES, RECORD_BYTES, SCRATCH_BYTES};
pub use matrix::MatrixCopies;
pub use pair_registers::shared_sources;
pub use plan::{KernelPlan, Loops, Section};
pub use snippet::{Copies, Snippet};
pub use spacing::too_close;
pub use template::Templates;
pub use timed::Expected;
pub use unit::{RegisterFile, Unit, line_of, repair_between};
