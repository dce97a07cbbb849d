//! The decoder: machine words to instructions, for every generation.
//!
//! LLVM has no disassembler for GCN 1.0 and 1.1, hence this one; for the others the tests compare the two.

mod bits;
mod cache_policy;
mod constant;
mod decoded;
mod error;
mod field;
mod follows;
mod location;
mod matrix;
mod matrix_format;
mod memory;
mod modifier;
mod modifier_text;
mod operands;
mod pair;
mod swizzle;
mod table;
mod text;
mod vop3;
mod words;

pub use constant::InlineConstant;
pub use decoded::{Decoded, Modifier, decode};
pub use error::DecodeError;
pub use location::{Aperture, Location};
pub use matrix::MatrixFields;
pub use matrix_format::MatrixFormat;
pub use memory::{BufferFields, DsFields, FlatFields, ScalarMemoryFields, ScalarMemoryOffset, TypedBufferFormat};
pub use modifier::{Dpp8Fields, DppFields, SdwaFields};
pub use operands::{DecodedOperand, Half};
pub use pair::PairBreach;
pub use vop3::Vop3Fields;
pub use words::{scalar_words, words};
