//! The ISA files and the decoder against LLVM: every row, every opcode value, random words.

mod forms;
mod llvm;
mod noise;
mod opcodes;
mod pairs;
mod random;
mod round_trip;
mod rows;
mod schedule;
mod targets;
mod written;
