//! The first things that a user wants to know of a run.

mod document;
#[expect(clippy::module_inception, reason = "the noun is the summary")]
mod summary;

pub use summary::Summary;
