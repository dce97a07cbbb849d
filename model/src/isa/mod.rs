//! The instruction sets: facts of each generation, its instructions, and their encodings.

mod bits;
mod class;
mod codes;
mod data_file;
mod encoding;
mod error;
mod facts;
mod files;
mod format;
mod generation;
mod group_mode;
mod hazard_wait;
mod instruction;
mod instruction_set;
mod lookup;
mod matrix;
mod operand;
mod pairs;
mod place;
mod processor;
mod row;
mod target_rows;
mod wait;

pub use bits::BitRange;
pub use class::{InstructionClass, InstructionClasses};
pub use codes::{OperandCodes, RegisterRun};
pub use data_file::DataFile;
pub use encoding::Encoding;
pub use error::IsaError;
pub use facts::{
    AccumulationRegisters, AssemblyFacts, BufferFacts, CachePolicyWords, CounterRead, Counters, CycleCounter,
    CycleRegister, DependencyTracking, DescriptorFacts, DotProducts, DriverFacts, EightBitFloats, FlatFacts,
    FlatScratch, GenerationFacts, LdsFacts, MatrixFacts, NumRecords, ScalarMemoryFacts, SwizzleBits, Unaligned,
    VectorFacts, WaveMatrixFacts, WaveMatrixLayout, Waves,
};
pub use format::{Field, FieldKind, FieldName, Format};
pub use generation::{Generation, GenerationData};
pub use group_mode::GroupMode;
pub(crate) use hazard_wait::HazardWait;
pub use instruction::{Instruction, Segment};
pub use lookup::{exists, find, generation, of, processor, similar};
pub use matrix::{MatrixEngine, MatrixOperation};
pub use operand::{Access, Operand, OperandError, OperandKind};
pub use pairs::{PORTS, PairFacts};
pub use place::{PlaceRegister, XccRegister};
pub(crate) use processor::MOST_PROCESSORS;
pub use processor::Processor;
pub use wait::{WaitCounts, WaitFields};
