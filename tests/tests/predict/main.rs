//! Predictions against what they are predictions of.

mod fat_binaries;
mod launches;
mod timings;
mod versions;
