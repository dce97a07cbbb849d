//! Published timings: what each source says, exactly as printed, and what that means on a given GPU.

mod dispute;
mod double_rate;
mod error;
mod expectation;
mod expected;
mod expression;
mod page;
#[expect(clippy::module_inception, reason = "one noun per file: the file of `Published` is named after it")]
mod published;
mod row;
mod rule;
mod sources;
mod target_group;

pub use dispute::{Dispute, DisputedQuantity, disputes, disputes_of};
pub use double_rate::{double_rate, dp_multiple, dp_table};
pub use error::{ExpressionError, PublishedError};
pub use expectation::{Expectation, Expectations, Place};
pub use expected::Expected;
pub use expression::{Doubt, Expression};
pub use page::{DpFactor, Footnote, Occupancy, Statement};
pub use published::{Published, Quantity};
pub use row::Row;
pub use rule::Rule;
pub use sources::{source, sources};
