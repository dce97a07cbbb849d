//! AMD GPUs as data, from GCN 1.0 to RDNA 4 and CDNA 4. No GPU driver, no command line.
//!
//! The facts are data files, each with its source. This crate reads and checks them:
//!
//! * [`isa`]: generations, targets and instructions. A [`Processor`](isa::Processor) is one target.
//! * [`decode`]: machine words to instructions. [`code_object`]: kernels, descriptors and metadata of ELF files.
//! * [`gpu`]: products. A [`Gpu`](gpu::Gpu) is a file, and a user's file may override every fact.
//! * [`hazard`]: instructions that software must keep apart.
//! * [`published`]: timings that others published, exactly as printed. [`timing`]: the cycles that follow from them for a GPU.
//! * [`record`]: the files that a measurement stores.
//!
//! To decode an instruction of Vega 10:
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
