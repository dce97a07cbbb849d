//! What a GCN GPU *is*: ISA facts, GPU facts, published timings, the decoder and
//! the schema of the records that a measurement leaves behind. No GPU driver, no command line.

pub mod code_object;
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
pub mod timing;
