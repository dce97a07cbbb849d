//! The costs of a GPU's instructions, each worked out when it is wanted first.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use gcn_model::gpu::Gpu;
use gcn_model::isa::{Instruction, InstructionClass};
use gcn_model::quantity::Passes;
use gcn_model::timing::Timings;

use crate::cost::issue_model::IssueModel;
use crate::cost::matrix::MatrixCost;
use crate::cost::pipelines::PipelineCost;
use crate::cost::unit::{Reservation, Unit};
use crate::lds::service::LdsService;

/// How long one instruction holds its wave and its unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cost {
    /// Unit that it wants.
    pub(crate) unit: Unit,
    /// Cycles of the wave; of a conditional jump, when it is not taken.
    pub(crate) cycles: u32,
    /// From its issue to that of an instruction that reads its result; of use to a scoreboard alone.
    pub(crate) latency_cycles: u32,
    /// Cycles of the wave when a jump is taken.
    pub(crate) taken_cycles: u32,
    /// Whether it waits for vector memory in a queue, while its wave goes on.
    pub(crate) is_queued: bool,
    /// Time of the unit; of an LDS instruction, of the bus of its SIMD pair.
    pub(crate) hold: Reservation,
    /// Time of the resource after that unit: the array of the LDS, the matrix unit after the port of the vector ALU.
    pub(crate) array: Reservation,
    /// Of an LDS instruction: from its issue to its completion, without bank conflicts.
    pub(crate) lds_latency_cycles: u32,
    /// Of an LDS instruction: how the array serves its lanes.
    pub(crate) lds_service: LdsService,
    /// Cycles of the wave that the GLC modifier adds.
    pub(crate) glc_cycles: u32,
    /// Index into [`Configuration::turns`]; `u16::MAX` if the cycles are always the same.
    pub(crate) turns: u16,
    /// Whether the 16-cycle rule counts it among its causes.
    pub(crate) delays_scalar: bool,
}

/// The inputs of an instruction's cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct CostKey {
    /// Lanes of the wave.
    lanes: u32,
    /// Address of the instruction's row, which is unique.
    instruction: usize,
    /// How long its words hold the matrix unit, if they do.
    passes: Option<Passes>,
}

/// The costs of a GPU's instructions.
#[derive(Debug)]
pub(super) struct Costs {
    gpu: Gpu,
    issue: IssueModel,
    /// By the lanes of a wave.
    timings: HashMap<u32, Timings>,
    known: RwLock<HashMap<CostKey, Cost>>,
}

impl Costs {
    pub(super) fn of(gpu: &Gpu) -> Self {
        let timings = Timings::of(gpu);
        let by_lanes = gpu.generation.waves.sizes.iter().map(|lanes| (*lanes, timings.in_waves_of(*lanes)));
        Self { timings: by_lanes.collect(), gpu: gpu.clone(), issue: IssueModel::of(gpu), known: RwLock::default() }
    }

    /// By how much each execution takes longer than the shortest, of each instruction whose executions take different cycles in turn.
    pub(super) fn turns(&self) -> Vec<Vec<u32>> {
        let of = |(_, cycles): (_, &Vec<u32>)| {
            let lowest = cycles.iter().min().copied().unwrap_or(0);
            cycles.iter().map(|cycles| cycles - lowest).collect()
        };
        self.several().map(of).collect()
    }

    /// The instructions whose executions take different cycles in turn.
    fn several(&self) -> impl Iterator<Item = (&String, &Vec<u32>)> {
        self.gpu.cycles.iter().filter(|(_, cycles)| cycles.len() > 1)
    }

    /// The cost in waves of this many lanes, for these passes of the matrix unit.
    pub(super) fn get(&self, lanes: u32, instruction: &Instruction, passes: Option<Passes>) -> Cost {
        let key = CostKey { lanes, instruction: std::ptr::from_ref(instruction).addr(), passes };
        if let Some(cost) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return *cost;
        }
        let cost = self.cost(lanes, instruction, passes);
        self.known.write().unwrap_or_else(PoisonError::into_inner).insert(key, cost);
        cost
    }

    fn cost(&self, lanes: u32, instruction: &Instruction, passes: Option<Passes>) -> Cost {
        let Self { gpu, issue, .. } = self;
        let timings = &self.timings[&lanes];
        let timing = passes.map_or_else(|| timings.get(instruction), |passes| timings.of_passes(instruction, passes));
        let hold = match (timing.lds, Unit::of(instruction)) {
            (Some(lds), _) => Reservation::of_cycles(lds.bus_cycles),
            (None, Unit::Vector) => Reservation::of_simd(timing.throughput, issue.simds),
            (None, _) => Reservation::of_shared(timing.throughput),
        };
        let matrix = MatrixCost::of(gpu, instruction, timing.cycles, hold);
        let pipelined = gpu.pipelines.as_ref().map(|of| PipelineCost::of(of, (instruction, &timing), hold, lanes));
        let is_queued = match Unit::of(instruction) {
            Unit::VectorMemory => {
                gpu.vector_memory.queue > 0 && (pipelined.is_some() || instruction.is(InstructionClass::Load))
            }
            Unit::LocalDataShare => gpu.lds.queue > 0 && pipelined.is_none(),
            _ => false,
        };
        let array = Reservation::of_cycles(timing.lds.map_or(0.0, |lds| lds.array_cycles));
        let (unit, cycles, hold) = match (matrix, &pipelined) {
            (Some(matrix), _) => (Unit::Matrix, matrix.cycles, matrix.vector),
            // A wave continues in the next cycle; a second instruction waits for the unit.
            (None, Some(pipelined)) if !is_control(pipelined.unit) && timing.taken_cycles.is_none() => {
                (pipelined.unit, issue.interval, pipelined.hold)
            }
            (None, _) if is_queued => (Unit::of(instruction), issue.interval, hold),
            (None, _) => (Unit::of(instruction), timing.cycles, hold),
        };
        let behind = pipelined.as_ref().and_then(|pipelined| pipelined.behind);
        let turns = self.several().position(|(name, _)| *name == instruction.name);
        Cost {
            unit,
            cycles,
            is_queued: is_queued && unit == Unit::VectorMemory,
            // What its accumulators are late by beyond that is for the matrix unit to say.
            latency_cycles: match pipelined {
                Some(pipelined) => pipelined.latency_cycles,
                None if instruction.is_matrix_operation() => timing.cycles,
                None => timing.latency,
            },
            taken_cycles: timing.taken_cycles.unwrap_or(timing.cycles),
            hold,
            array: matrix.map_or(behind.unwrap_or(array), |matrix| matrix.matrix),
            lds_latency_cycles: timing.lds.map_or(0, |lds| lds.latency_cycles),
            lds_service: LdsService::of(gpu.lds.banks, timing.lds.as_ref()),
            glc_cycles: timing.glc_cycles,
            turns: turns.map_or(u16::MAX, |index| index as u16),
            delays_scalar: gpu.scheduling.vector_to_scalar_producers.contains(&instruction.name),
        }
    }
}

/// Whether an instruction of the unit is for the wave's own way, and holds it for its cycles.
fn is_control(unit: Unit) -> bool {
    matches!(unit, Unit::Branch | Unit::Internal)
}
