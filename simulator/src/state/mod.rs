//! The state of a wave: registers, modes, instructions in flight.

pub(crate) mod bank_caches;
pub(crate) mod bits;
pub(crate) mod flight;
pub(crate) mod gpr_index;
pub(crate) mod group;
pub(crate) mod loaded;
pub(crate) mod losses;
pub(crate) mod matrix_results;
pub(crate) mod mode;
pub(crate) mod operand;
pub(crate) mod pipelines;
pub(crate) mod row;
pub(crate) mod scalar_registers;
pub(crate) mod scoreboard;
pub(crate) mod under_way;
pub(crate) mod vector_number;
pub(crate) mod vector_registers;
pub(crate) mod wave;
