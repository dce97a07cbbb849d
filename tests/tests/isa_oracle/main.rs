//! The ISA files and the decoder against LLVM: every row, every opcode value, random words.

mod llvm;
mod opcodes;
mod random;
mod rows;
mod written;
