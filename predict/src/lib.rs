//! The cost of a piece of machine code on a simulated compute unit, with reasons.
//!
//! 1. [`Code`] is machine code, cut into [`Region`]s: marked parts, loops, or straight code.
//! 2. A [`Question`] says how many waves run, and under which conditions.
//! 3. [`predict`] repeats the region until each iteration takes as long as the one before.
//! 4. The [`Prediction`] has the cycles of an iteration, the limiting unit ([`Bound`]), and the stalls of each instruction ([`Line`]).
//!
//! [`predict_card`] uses the timings that a run measured. [`hazards()`] names missing wait states, [`timeline()`] shows each wave.
//!
//! One wave on Fiji, with a reciprocal of 16 cycles and a multiplication of 4:
//!
//! ```
//! use gcn_model::gpu::Gpu;
//! use gcn_predict::{Code, Question, predict};
//!
//! // v_rcp_f32 v1, v0; v_mul_f32 v2, v0, v0
//! let fiji = Gpu::named("fiji")?;
//! let code = Code { address: 0, words: vec![0x7e02_4500, 0x0a04_0100].into() };
//! let region = &code.regions(fiji.processor())?[0];
//! let one_wave = predict(&fiji, &code, region, Question { waves_per_simd: 1, ..Question::default() })?;
//! assert_eq!(one_wave.cycles_per_iteration.0, 16.0 + 4.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advice;
mod awaited;
mod basis;
mod bound;
mod card;
mod code;
mod cycle_range;
mod difference;
mod dispute;
mod envelope;
mod error;
mod estimates;
mod gain;
mod hazards;
mod launch;
mod lds_occupancy;
mod line;
mod memory_latency;
mod memory_traffic;
mod names;
mod occupancy;
mod page;
mod placement;
mod prediction;
mod question;
mod recorded;
mod region;
mod rows;
mod stall;
mod start;
mod steady;
mod text;
mod timeline;
mod trace;
mod trip;
mod trip_text;
mod unsure;
mod words;
mod written;

pub use advice::advised;
pub use basis::Basis;
pub use bound::{BINDS, Bound};
pub use card::{Card, Conditions, MeasuredTiming, Span};
pub use code::Code;
pub use difference::{BoundChange, Change, ChangedLine, Difference, Subject, Verdict, difference_text};
pub use dispute::{Dispute, DisputedInstruction};
pub use envelope::{Cause, Envelope};
pub use error::PredictError;
pub use estimates::{EstimatedInstruction, Estimates};
pub use gain::{Advice, AdviceKind};
pub use hazards::{Hazard, hazards};
pub use launch::{
    Argument, LaunchArguments, LaunchLine, LaunchPrediction, Launched, Value, WaveCycles, launch, launch_card,
    launch_text,
};
pub use lds_occupancy::LdsOccupancy;
pub use line::Line;
pub use memory_latency::{Memory, MemoryLatencies, MemoryLatency, MemoryQuestion, MemorySweep};
pub use memory_traffic::MemoryTraffic;
pub use names::Names;
pub use occupancy::{Limiter, Occupancy};
pub use page::{PageError, page, page_cycles};
pub use placement::{Placement, Placements, placements_text};
pub use prediction::{Prediction, predict, predict_between, predict_card};
pub use question::Question;
pub use recorded::Recorded;
pub use region::{Region, RegionKind};
pub use rows::rows;
pub use stall::Stall;
pub use start::{ColdLine, Start};
pub use text::{number, percent, text};
pub use timeline::{Flight, Timeline, WaveSegment, WaveTimeline, timeline};
pub use trace::{TRACE_CYCLES, trace};
pub use trip::Trip;
pub use trip_text::trip_text;
pub use words::Words;
