//! A recorded wave, issued once more by the simulator.
//!
//! A recorded instruction need not be of a target that the simulator executes: each comes with one of the simulator's own that takes as
//! long, and with the registers that it uses itself.

use gcn_model::isa::Instruction;

use crate::block::lowered::LoweredBlock;
use crate::block::repetition::Repetition;
use crate::block::shape::BlockShape;
use crate::cost::configuration::Configuration;
use crate::cost::unit::Unit;
use crate::error::SimulationError;
use crate::issue::activity::Activity;
use crate::lower::allocated::Allocated;
use crate::lower::micro_op::MicroOp;
use crate::lower::operation::{BlockStep, Operation};
use crate::lower::program::{Program, Source};
use crate::lower::registers::Written;
use crate::state::scoreboard::Reads;

/// Registers that an instruction reads or writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Registers {
    /// Scalar registers, by the codes of operands: one bit each.
    pub scalars: u128,
    /// First register and number of up to four ranges of vector registers; at most one of written ones.
    pub vectors: [(u16, u8); 4],
    pub scc: bool,
    /// The reads of the most frequently read scalar register; unused for written ones.
    pub most_reads: u8,
}

/// An instruction of a recorded wave.
#[derive(Debug, Clone, Copy)]
pub struct Recorded {
    /// The instruction of the simulator that takes as long.
    pub instruction: &'static Instruction,
    pub reads: Registers,
    pub writes: Registers,
    /// Time of the recorded wave until its next instruction that the simulator does not model, such as a fetch: it is held for this many
    /// shader cycles.
    pub held_for: Option<u32>,
}

/// The cycles at which a wave issues these instructions, alone on a compute unit whose code has been fetched.
///
/// # Errors
/// None; the type is that of a block's.
pub fn replay(configuration: &Configuration, recorded: &[Recorded]) -> Result<Vec<u64>, SimulationError> {
    let configuration = configuration.with_warm_cache();
    let source = Source::Words { address: 0, words: &[] };
    let mut program = Program::new(source, Allocated::ALL, &configuration);
    for (index, recorded) in recorded.iter().enumerate() {
        let mut reads = Reads { scalars: recorded.reads.scalars, scc: recorded.reads.scc, ..Reads::default() };
        recorded.reads.vectors.iter().for_each(|(first, count)| reads.add_vectors(*first, *count));
        program.tables.reads.push(reads);
        program.steps.push(step(recorded, index, &configuration));
    }
    // The wave ends after the last one.
    let end = Operation::Block(BlockStep::Again);
    program.steps.push(MicroOp { operation: end, cycles: 1, ..MicroOp::leave(recorded.len() as u64, 0) });
    let block = LoweredBlock::of_program("replay", &configuration, program);
    let shape = BlockShape { simds: 1, waves_per_simd: 1, waves_per_group: 1, iterations: 1 };
    let mut repetition = Repetition::new(&block, shape)?;
    repetition.run_until(u64::MAX - 1)?;
    let issues = repetition.segments().filter(|segment| segment.activity == Activity::Issue);
    // The held time is one with the issue.
    let mut starts: Vec<u64> = issues.map(|segment| segment.start).collect();
    starts.truncate(recorded.len());
    Ok(starts)
}

/// The step of an instruction, at an address that tells it from the others.
fn step(recorded: &Recorded, index: usize, configuration: &Configuration) -> MicroOp {
    let cost = configuration.cost_of(recorded.instruction, None);
    let (first_vector, vectors) = recorded.writes.vectors[0];
    MicroOp {
        operation: Operation::Nothing,
        unit: if cost.unit == Unit::Branch { Unit::Internal } else { cost.unit },
        cycles: recorded.held_for.unwrap_or(cost.cycles),
        latency_cycles: cost.latency_cycles,
        hold: cost.hold,
        array: cost.array,
        reads: index as u32,
        written: Written {
            scalars: recorded.writes.scalars,
            first_vector,
            vectors,
            swapped: None,
            scc: recorded.writes.scc,
        },
        scalar_alu: recorded.instruction.is_scalar_alu(),
        is_of_hardware_register: recorded.instruction.is_of_hardware_register(),
        scalar_reads: recorded.reads.most_reads,
        ..MicroOp::leave(index as u64, 0)
    }
}
