//! Two instructions in one (VOPD): what each pair takes, what its two take one after the other, and what sources in one bank of registers cost.

mod row;
mod section;

pub use row::PairRow;
pub(super) use row::rows;
pub(super) use section::{section, words};
