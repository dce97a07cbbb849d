//! AMD GPUs as data: generations, instructions, products, published timings, the decoder and
//! the schema of a measurement's records. No GPU driver, no command line.
//!
//! ```
//! use gcn_model::{decode::decode, isa::Processor};
//!
//! let vega10 = Processor::find("gfx900").expect("it ships");
//! assert!(vega10.generation.has_realtime_counter());
//! let decoded = decode(vega10, &[0x7e02_4b00], 0)?;
//! assert_eq!(decoded.to_string(), "v_rcp_f64 v[1:2], v[0:1]");
//! # Ok::<(), gcn_model::decode::DecodeError>(())
//! ```

pub mod code_object;
pub mod csv_cell;
mod data_files;
pub mod decode;
pub mod gpu;
pub mod hazard;
pub mod isa;
mod names;
pub mod printable;
pub mod published;
pub mod quantity;
pub mod record;
pub mod regular_file;
pub mod semantics;
pub mod timing;
