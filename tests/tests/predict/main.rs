//! Predictions against the predicted code.

mod against_mca;
mod blind;
mod bounds;
mod compiled;
mod disputes;
mod fat_binaries;
mod launched;
mod launches;
mod lds_widths;
mod linked_libraries;
mod occupancy;
mod rocblas;
mod timings;
mod versions;
mod waits;
