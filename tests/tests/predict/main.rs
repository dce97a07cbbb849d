//! Predictions against what they are predictions of.

mod compiled;
mod launched;
mod launches;
mod timings;
