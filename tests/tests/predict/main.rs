//! Predictions against what they are predictions of.

mod launched;
mod launches;
mod timings;
