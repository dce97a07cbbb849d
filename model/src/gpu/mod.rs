//! GPU files: one TOML file per product, each fact with its source, and the overrides of a user's file.
//!
//! The keys are those of `model/data/gpus/keys.csv`.

mod card;
mod chain;
mod chip;
mod document;
mod error;
mod facts;
#[expect(clippy::module_inception, reason = "one noun per file: the file of `Gpu` is named after it")]
mod gpu;
mod key;
mod lds_passes;
mod location;
mod matrix;
mod pipelines;
mod reader;
mod resolution;
mod rules;
mod shipped;
mod typed_name;

pub use card::{CardFacts, MatchQuality};
pub use chip::Chip;
pub use document::Provenance;
pub use error::GpuError;
pub use facts::{CardMemory, Clock, InstructionCache, Lds, MemoryLevel, Origin, Registers, ScalarCache};
pub use gpu::Gpu;
pub use key::{Key, KeyKind, keys};
pub use lds_passes::LdsPasses;
pub use location::Location;
pub use matrix::MatrixUnit;
pub use pipelines::{Pipelines, VectorClass};
pub use rules::{Branch, FrontEnd, Memtime, Noise, ScalarMemory, Scheduling, Simulation, VectorMemory};
pub use typed_name::plain;
