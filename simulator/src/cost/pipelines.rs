//! The cost of an instruction where a wave continues before its results are ready.

use gcn_model::gpu::{Gpu, Pipelines, VectorClass};
use gcn_model::isa::{Instruction, InstructionClass};
use gcn_model::timing::InstructionTiming;

use crate::cost::unit::{Reservation, Unit};

/// Lanes of a vector ALU: a wave of more takes several passes.
const LANES: u32 = 32;

/// The cost of an instruction in a SIMD with pipelines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PipelineCost {
    pub(super) unit: Unit,
    /// Time of the unit; of a transcendental instruction, of the rest of the vector ALU.
    pub(super) hold: Reservation,
    /// Time of the resource after it: the transcendental unit, the matrix unit, the scalar ALU after its queue.
    pub(super) behind: Option<Reservation>,
    /// From its issue, or its execution where it waits in a queue, to that of an instruction that reads its result.
    pub(super) latency_cycles: u32,
}

/// How often a vector instruction goes through its unit in waves of this many lanes.
pub(crate) fn passes(pipelines: &Pipelines, instruction: &Instruction, lanes: u32) -> u32 {
    if pipelines.one_pass.contains(instruction.canonical_name()) { 1 } else { lanes.div_ceil(LANES) }
}

/// How many times the cycles of its timing an instruction takes in the waves that a GPU executes.
pub fn vector_passes(gpu: &Gpu, instruction: &Instruction) -> u32 {
    let is_vector = Unit::of(instruction) == Unit::Vector && !instruction.is_scalar_alu();
    let pipelines = gpu.pipelines.as_ref().filter(|_| is_vector);
    pipelines.map_or(1, |pipelines| passes(pipelines, instruction, gpu.processor().wave_size()))
}

/// How long a vector memory instruction that reads this many registers keeps its compute unit's way to memory in waves of this many lanes.
pub(crate) fn memory_hold(pipelines: &Pipelines, registers: u32, lanes: u32) -> Reservation {
    let cycles = pipelines.memory_register_cycles * registers * lanes.div_ceil(LANES);
    Reservation::of_cycles(f64::from(cycles.max(1)))
}

impl PipelineCost {
    /// The cost in waves of this many lanes of an instruction with this timing, which is that of waves of 32 lanes, and this hold of its unit.
    pub(super) fn of(
        pipelines: &Pipelines,
        (instruction, timing): (&Instruction, &InstructionTiming),
        hold: Reservation,
        lanes: u32,
    ) -> Self {
        let unit = Unit::of(instruction);
        if unit == Unit::VectorMemory {
            // What it takes after that depends on the registers that it reads.
            let hold = Reservation::of_cycles(1.0);
            return Self { unit, hold, behind: None, latency_cycles: timing.latency };
        }
        if instruction.is_scalar_alu() {
            // A wave puts one a cycle into its queue, whatever they take after that.
            let behind = Some(Reservation::of_cycles(f64::from(timing.cycles)));
            return Self { unit, hold: hold.min(Reservation::of_cycles(1.0)), behind, latency_cycles: timing.latency };
        }
        if unit != Unit::Vector {
            return Self { unit, hold, behind: None, latency_cycles: timing.latency };
        }
        let passes = passes(pipelines, instruction, lanes);
        let latency_cycles = timing.latency + (passes - 1) * timing.cycles;
        let of_passes = hold.times(passes);
        if instruction.is(InstructionClass::WaveMatrix) {
            let latency_cycles = of_passes.cycles() as u32 + pipelines.matrix_result_cycles;
            let hold = Reservation::of_cycles(1.0);
            return Self { unit: Unit::MatrixQueue, hold, behind: Some(of_passes), latency_cycles };
        }
        match pipelines.class_of(instruction.canonical_name()) {
            VectorClass::Transcendental => Self {
                unit: Unit::Transcendental,
                hold: Reservation::of_cycles(f64::from(passes)),
                behind: Some(of_passes),
                latency_cycles,
            },
            VectorClass::Double if pipelines.transcendental.contains(instruction.canonical_name()) => {
                Self { unit: Unit::Transcendental, hold: of_passes, behind: Some(of_passes), latency_cycles }
            }
            _ => Self { unit, hold: of_passes, behind: None, latency_cycles },
        }
    }
}
