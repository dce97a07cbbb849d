//! The simulator: executes machine code on simulated compute units, and counts cycles.
//!
//! It gets the inputs of a card (code object, shape, kernel arguments, memory) and returns a card's output: memory. Its timings
//! are those of the GPU's file and of published tables, first of all the CLRX table; facts §3 has the rules where that is silent. A
//! value that no manual defines is *unknown*: the run stops if a branch, an address or a stored value depends on one.
//!
//! * A [`Configuration`] is the simulated GPU; [`Memory`] is its global memory.
//! * [`launch()`] runs a kernel of a code object, [`dispatch()`] an AQL packet (ROCm), [`dispatch_registers`] a program by its
//!   registers (Mesa). [`profile()`] also says where each instruction spent its cycles.
//!
//! V_RCP_F32 holds its wave for 16 cycles on Tahiti, so two of them take 32:
//!
//! ```
//! use gcn_model::{code_object::ProgramRegisters, gpu::Gpu};
//! use gcn_simulator::{Apertures, Configuration, Memory, RegisterDispatch, dispatch_registers};
//!
//! // v_rcp_f32 v1, v0; v_rcp_f32 v2, v0; s_endpgm
//! let program = [0x7e02_5500, 0x7e04_5500, 0xbf81_0000];
//! let tahiti = Configuration::of(&Gpu::named("tahiti")?);
//! let mut memory = Memory::default();
//! let program_address = memory.allocate(4 * program.len() as u64);
//! memory.upload(program_address, &program)?;
//!
//! let dispatch = RegisterDispatch {
//!     program_address,
//!     registers: ProgramRegisters { rsrc1: 0, rsrc2: 0, rsrc3: 0 },
//!     user_data: Vec::new(),
//!     grid: [64, 1, 1],
//!     group: [64, 1, 1],
//!     wave_size: None,
//!     private_segment_bytes: 0,
//!     scratch_waves: 0,
//!     apertures: Apertures::of(tahiti.generation),
//!     ordinal: 0,
//!     cycle_limit: 10_000,
//! };
//! let done = dispatch_registers(&tahiti, &dispatch, &mut memory)?;
//! assert_eq!((done.waves, done.instructions), (1, 3));
//! // The cache line comes first, S_ENDPGM last.
//! assert_eq!(done.cycles, 120 + 32 + 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod block;
mod cost;
#[cfg(test)]
mod destinations;
mod dispatch;
mod error;
mod float;
#[cfg(test)]
mod high_halves;
mod issue;
mod lds;
mod lower;
mod matrix;
mod memory;
#[cfg(test)]
mod part_results;
mod scalar;
mod state;
#[cfg(test)]
mod unknown;
mod vector;

pub use block::{
    Block, BlockInstruction, BlockRun, BlockShape, Counters, LoweredBlock, Recorded, RecordedGroups, RecordedIssue,
    Registers, Repetition, Segment, replay, rerun, retrace, run_block,
};
pub use cost::configuration::Configuration;
pub use cost::front_end::FrontEnd;
pub use cost::issue_model::IssueModel;
pub use cost::pipelines::vector_passes;
pub use cost::unit::Unit;
pub use dispatch::dispatcher::LaunchStatistics;
pub use dispatch::launch::{LaunchShape, launch, launch_timeless};
pub use dispatch::launch_record::LaunchRecord;
pub use dispatch::packet::{Dispatch, Scratch, dispatch};
pub use dispatch::profile::{InstructionProfile, Profile, WaveProfile, profile, profile_registers};
pub use dispatch::register_dispatch::{RegisterDispatch, dispatch_registers};
pub use dispatch::timeless::TimelessLaunch;
pub use error::{Problem, SimulationError};
pub use issue::activity::Activity;
pub use issue::instruction_cache::InstructionCacheShape;
pub use memory::aperture::Apertures;
pub use memory::backing::{Backing, Unmapped};
pub use memory::global::Memory;
