//! Hazards: what software has to keep apart because the hardware does not (facts §3.4), and a checker for code.
//!
//! The table is `model/data/hazards/hazards.csv`, and `hazards.csv` of each generation says which it has; [`check`] walks the instructions of a kernel and reports each pair that stands too
//! close, over jumps as well.

mod check;
mod class;
mod error;
mod facts;
mod table;
mod vectors;
mod walk;

pub use check::{Violation, check, wait_states};
pub use error::HazardError;
pub use table::{Hazard, hazards};
