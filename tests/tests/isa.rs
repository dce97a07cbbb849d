//! Instruction data, assembler, decoder and hazards, against LLVM and other sources.

mod assembler_errors;
mod assembler_oracle;
mod assembler_support;
mod cdna_hazards;
mod cdna_sources;
mod compiled_hazards;
mod disassembly;
mod export_llvm;
mod hazard_recognizer;
mod hazards;
mod isa_oracle;
mod rdna_hazards;
mod toy_generation;
