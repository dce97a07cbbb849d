//! The reference model: executes the machine code of a code object on compute units of four SIMDs.
//!
//! It is given what a card is given (code object, shape, kernel arguments, memory) and gives back what a card gives
//! back: memory. Source of its rules: the published page, and facts §3 where the page is silent.

mod access;
mod aperture;
mod atomic;
mod backing;
mod binary;
mod buffer;
mod clock;
mod comparison;
mod compute_unit;
mod configuration;
mod dispatch;
mod dispatcher;
mod error;
mod execute;
mod flat;
mod flight;
mod front_end;
mod initial;
mod instruction_cache;
mod launch;
mod local;
mod local_action;
mod local_buses;
mod local_memory;
mod memory;
mod operation;
mod program;
mod registers;
mod row;
mod row_transfer;
mod scalar;
mod scalar_memory;
mod simd;
mod step;
mod transfer;
mod unit;
mod vector;
mod wave;
mod word;

pub use aperture::Apertures;
pub use backing::{Backing, Unmapped};
pub use clock::Noise;
pub use configuration::Configuration;
pub use dispatch::{Dispatch, Scratch, dispatch};
pub use dispatcher::LaunchStatistics;
pub use error::{MachineError, Problem};
pub use front_end::FrontEnd;
pub use instruction_cache::InstructionCacheShape;
pub use launch::{LaunchShape, launch};
pub use memory::Memory;
