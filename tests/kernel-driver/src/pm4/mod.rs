//! The packets of the command processor (PM4), from a ring of DRM's or a queue of ROCm's.

mod command_processor;
mod commands;
mod packet;
mod shader_registers;

pub(crate) use command_processor::{CommandProcessor, Work};
pub(crate) use commands::Commands;
pub(crate) use packet::Condition;
