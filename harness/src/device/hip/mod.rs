//! Cards through HIP.
//!
//! Types and constants are those of the crate `hip-sys`; the functions are looked up in HIP's library when a device is opened.
//! A program that is linked with the library of one ROCm version starts with no other (its name ends in the version), and
//! not at all without it; this one runs with ROCm 5, 6 and 7, and reports a missing library.

mod architecture;
mod buffer;
mod cards;
mod library;
mod loading;
mod module;
mod opened;

pub(super) use cards::cards;
pub(super) use opened::HipDevice;
