//! The rules of alignment and scheduling: the cost of each case, the CLRX table's statement, and the pattern of the cases.

mod expectation;
mod footprint;
mod front_end;
mod front_end_fit;
mod penalties;
mod penalty;

pub(crate) use footprint::footprint_tally;
pub use front_end::FrontEnd;
pub(crate) use penalties::rule_penalties;
pub(crate) use penalty::penalties;
pub use penalty::{LDS_STRIDE, PenaltyRow};
