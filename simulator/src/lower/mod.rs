//! Machine code, lowered to the steps that the simulator executes.

pub(crate) mod access;
pub(crate) mod allocated;
pub(crate) mod bank_use;
pub(crate) mod clock_use;
pub(crate) mod matrix;
pub(crate) mod micro_op;
pub(crate) mod observed;
pub(crate) mod operation;
pub(crate) mod program;
mod register_set;
pub(crate) mod registers;
pub(crate) mod repeated;
pub(crate) mod shared;
pub(crate) mod tables;
