//! Two instructions in one (VOPD): what each pair takes, what its two take one after the other, and what sources in one bank of registers cost.

mod grouped;
mod row;
mod words;

pub(crate) use grouped::{Grouped, whole};
pub use row::PairRow;
pub(crate) use row::pair_rows;
pub(crate) use words::pair_words;
