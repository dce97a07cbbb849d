//! The instruction set of GCN 1.0, 1.1, 1.2 and 1.4: which instructions exist, how they are encoded.

mod encoding;
mod error;
mod files;
mod generation;
mod instruction;
mod lookup;
mod operand;
mod row;

pub use encoding::Encoding;
pub use error::IsaError;
pub use generation::Generation;
pub use instruction::{Instruction, Segment};
pub use lookup::{find, instructions, of, similar};
pub use operand::{Access, Operand, OperandError, OperandKind};
