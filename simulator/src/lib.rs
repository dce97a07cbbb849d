//! The simulator: executes the machine code of a code object on simulated compute units.
//!
//! It is given what a card is given (code object, shape, kernel arguments, memory) and gives back what a card gives
//! back: memory. Source of its rules: the published page, and facts §3 where the page is silent.

mod cost;
mod dispatch;
mod error;
mod float;
mod issue;
mod local;
mod lower;
mod memory;
mod scalar;
mod state;
mod vector;

pub use cost::configuration::Configuration;
pub use cost::front_end::FrontEnd;
pub use cost::issue_model::IssueModel;
pub use dispatch::dispatcher::LaunchStatistics;
pub use dispatch::launch::{LaunchShape, launch};
pub use dispatch::packet::{Dispatch, Scratch, dispatch};
pub use dispatch::register_dispatch::{RegisterDispatch, dispatch_registers};
pub use error::{MachineError, Problem};
pub use issue::instruction_cache::InstructionCacheShape;
pub use memory::aperture::Apertures;
pub use memory::backing::{Backing, Unmapped};
pub use memory::global::Memory;
