//! The instruction set of GCN 1.0, 1.1, 1.2 and 1.4: which instructions exist, how they are encoded.

mod encoding;
mod generation;
mod instruction;
mod operand;

pub use encoding::Encoding;
pub use generation::Generation;
pub use instruction::Instruction;
pub use operand::{Access, Operand, OperandKind};
