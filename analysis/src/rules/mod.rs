//! The rules of alignment and scheduling: the cost of each case, the CLRX table's statement, and the pattern of the cases.

mod expectation;
mod front_end;
mod front_end_fit;
mod penalties;
mod penalty;

pub use front_end::FrontEnd;
pub(crate) use penalties::rule_penalties;
pub use penalty::{LDS_STRIDE, PenaltyRow};
pub(crate) use penalty::{footprint_tally, penalties};
