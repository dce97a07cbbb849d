//! Predictions against what they are predictions of.

mod launches;
mod timings;
