//! A piece of code, repeated by several waves for its time alone.
//!
//! Nothing is computed: registers, memory and EXEC play no part. Issue, units, front end, instruction cache and waits are those of a
//! launch. Memory instructions reach where nothing conflicts; no conditional jump
//! is taken but those without which the end cannot be reached.

mod hidden;
mod instruction;
mod lowered;
mod lowering;
mod path;
#[cfg(test)]
mod pipelined;
mod repetition;
mod replay;
mod retraced;
mod run;
mod segment;
mod shape;
#[cfg(test)]
mod unit_waits;

pub use instruction::{BlockInstruction, Counters};
pub use lowered::LoweredBlock;
pub use repetition::Repetition;
pub use replay::{Recorded, Registers, replay};
pub use retraced::{RecordedGroups, RecordedIssue, rerun, retrace};
pub use run::{BlockRun, run_block};
pub use segment::Segment;
pub use shape::{Block, BlockShape};
