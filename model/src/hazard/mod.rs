//! Hazards: what software has to keep apart because the hardware does not (facts §3.4; facts-cdna-rdna §5.1), and a checker for code.
//!
//! The table is `model/data/hazards/hazards.csv`, and `hazards.csv` of each generation says which it has; [`check`] walks the instructions of a kernel and reports each pair that stands too
//! close, over jumps as well.

mod between;
mod check;
mod class;
mod classes;
mod error;
mod facts;
mod forwarding;
mod spacing;
mod table;
mod until;
mod vectors;
mod wait;
mod walk;

pub use check::{Violation, check, check_all};
pub use error::HazardError;
pub use facts::states_of;
pub use spacing::{repair, repair_of, wait_states};
pub use table::{Hazard, hazards};
