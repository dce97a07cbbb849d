//! Predictions as one HTML page, which needs nothing from elsewhere.

mod contents;
mod html;
mod listing;
mod look;
mod picture;

pub use html::{PageError, page};
pub use picture::page_cycles;
