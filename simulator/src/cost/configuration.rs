//! The simulator's values from a GPU file.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use crate::cost::front_end::FrontEnd;
use crate::cost::issue_model::IssueModel;
use crate::cost::matrix::MatrixCost;
use crate::cost::pair::PairCost;
use crate::cost::pipelines::PipelineCost;
use crate::cost::unit::{Reservation, Unit};
use crate::issue::instruction_cache::InstructionCacheShape;
use crate::lds::service::LdsService;
use gcn_model::decode::Decoded;
use gcn_model::gpu::{Gpu, MatrixUnit, Noise, Pipelines};
use gcn_model::isa::{Generation, GroupMode, Instruction, Processor};
use gcn_model::quantity::Passes;
use gcn_model::timing::{InstructionTiming, Timings};

/// Associativity of the instruction cache (facts §1.5, the GCN whitepaper).
const INSTRUCTION_CACHE_WAYS: u32 = 4;

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

/// The facts of a GPU that decide how a launch goes, in the form in which the simulator uses them.
#[derive(Debug, Clone)]
pub struct Configuration {
    /// Instruction set.
    pub generation: Generation,
    /// Processor, which has some instructions that others of its generation have not.
    pub processor: Processor,
    /// Compute units that are simulated, or work-group processors where work-groups have whole ones.
    pub compute_units: u32,
    /// Shader engines of an XCC, for HW_ID.
    pub shader_engines: u32,
    /// XCCs, for XCC_ID.
    pub xccs: u32,
    /// How the SIMDs issue.
    pub issue: IssueModel,
    /// Their matrix units.
    pub matrix: Option<MatrixUnit>,
    /// Their pipelines, where a wave goes on while results are under way.
    pub pipelines: Option<Pipelines>,
    /// Wave slots of a SIMD.
    pub waves_per_simd: u32,
    /// VGPRs of a lane in a SIMD.
    pub vgprs: u32,
    /// Allocation granule of VGPRs.
    pub vgpr_granule: u32,
    /// SGPRs of a SIMD.
    pub sgprs: u32,
    /// Allocation granule of SGPRs.
    pub sgpr_granule: u32,
    /// LDS that work-groups share, bytes.
    pub lds_bytes: u32,
    /// Allocation granule of LDS, bytes.
    pub lds_granule_bytes: u32,
    /// Largest LDS allocation of a work-group, bytes.
    pub lds_bytes_per_group: u32,
    /// Groups of SIMDs of a compute unit that have a bus to the LDS of their own.
    pub lds_pairs: u32,
    /// Instructions of a SIMD that wait for its bus while their waves go on.
    pub lds_queue: u32,
    /// Alignment rules.
    pub front_end: FrontEnd,
    pub instruction_cache: InstructionCacheShape,
    /// Delay from an integer add, a V_READLANE and the like to the next scalar ALU instruction.
    pub vector_to_scalar_delay_cycles: u32,
    /// Cost of a jump on VCCZ, EXECZ or SCC directly after a write of its condition.
    pub flag_branch_penalty_cycles: u32,
    /// From the issue of S_MEMTIME to the arrival of its value.
    pub memtime_round_trip_cycles: u32,
    /// From the issue of a scalar load to the arrival of its data.
    pub scalar_memory_latency_cycles: u32,
    /// From the issue of a vector memory instruction to its completion.
    pub vector_memory_latency_cycles: u32,
    /// Bytes of loads that come back in a cycle to a SIMD, and to the SIMDs of a compute unit; 0: no such limit.
    pub return_bytes: [u32; 2],
    /// Cycles from the launch of a wave to that of the next.
    pub wave_launch_interval_cycles: u32,
    /// Ticks of S_MEMREALTIME per shader cycle; 0 where there is no such clock.
    pub realtime_per_cycle: f64,
    /// Whether stores to vector memory have a counter of their own.
    pub(crate) counts_stores_apart: bool,
    /// Whether LDS instructions have a counter of their own.
    pub(crate) counts_local_apart: bool,
    /// Also what nothing can observe is computed: the same times and memory, slowly.
    pub computes_everything: bool,
    /// Values that no manual gives to the bit (reciprocals, logarithms and the like) are approximated: otherwise they are unknown.
    pub approximates: bool,
    /// Disturbance of S_MEMTIME readings.
    pub noise: Option<Noise>,
    /// For each instruction whose executions take different cycles in turn: by how much each takes longer than the shortest.
    pub(crate) turns: Vec<Vec<u32>>,
    /// Costs of all instructions.
    costs: Arc<HashMap<CostKey, Cost>>,
}

impl Configuration {
    /// The configuration of a GPU.
    pub fn of(gpu: &Gpu) -> Self {
        let timings = Timings::of(gpu);
        let several: Vec<&String> = gpu.cycles.iter().filter(|(_, of)| of.len() > 1).map(|(name, _)| name).collect();
        let turns = several.iter().map(|name| {
            let lowest = gpu.cycles[*name].iter().min().copied().unwrap_or(0);
            gpu.cycles[*name].iter().map(|cycles| cycles - lowest).collect()
        });
        let turns = turns.collect();
        let issue = IssueModel::of(gpu);
        let cost = |instruction: &Instruction, timing: InstructionTiming, lanes: u32| {
            let hold = match (timing.lds, Unit::of(instruction)) {
                (Some(lds), _) => Reservation::of_cycles(lds.bus_cycles),
                (None, Unit::Vector) => Reservation::of_simd(timing.throughput, issue.simds),
                (None, _) => Reservation::of_shared(timing.throughput),
            };
            let matrix = MatrixCost::of(gpu, instruction, timing.cycles, hold);
            let pipelines = gpu.pipelines.as_ref();
            let pipelined = pipelines.map(|of| PipelineCost::of(of, (instruction, &timing), hold, lanes));
            let array = Reservation::of_cycles(timing.lds.map_or(0.0, |lds| lds.array_cycles));
            let (unit, cycles, hold) = match (matrix, &pipelined) {
                (Some(matrix), _) => (Unit::Matrix, matrix.cycles, matrix.vector),
                // A wave continues in the next cycle; a second instruction waits for the unit.
                (None, Some(pipelined)) if !is_control(pipelined.unit) && timing.taken_cycles.is_none() => {
                    (pipelined.unit, issue.interval, pipelined.hold)
                }
                (None, _) => (Unit::of(instruction), timing.cycles, hold),
            };
            let behind = pipelined.and_then(|pipelined| pipelined.behind);
            Cost {
                unit,
                cycles,
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
                turns: several
                    .iter()
                    .position(|name| **name == instruction.name)
                    .map_or(u16::MAX, |index| index as u16),
                delays_scalar: gpu.scheduling.vector_to_scalar_producers.contains(&instruction.name),
            }
        };
        let mut costs = HashMap::new();
        let sizes = gpu.generation.waves.sizes.iter();
        let processors = sizes.filter_map(|lanes| gpu.processor().with_wave_size(*lanes));
        let all = processors.flat_map(|processor| processor.instructions().map(move |of| (processor.wave_size(), of)));
        let by_size: HashMap<u32, Timings> =
            gpu.generation.waves.sizes.iter().map(|lanes| (*lanes, timings.in_waves_of(*lanes))).collect();
        for (lanes, instruction) in all {
            let timings = &by_size[&lanes];
            let mut set = |passes: Option<Passes>, timing| {
                let key = CostKey { lanes, instruction: address(instruction), passes };
                costs.insert(key, cost(instruction, timing, lanes));
            };
            match gpu.generation.matrix_operation(instruction) {
                Some(operation) => {
                    for passes in [Some(operation.passes), operation.passes_of_bytes].into_iter().flatten() {
                        set(Some(passes), timings.of_passes(instruction, passes));
                    }
                }
                None => set(None, timings.get(instruction)),
            }
        }
        Self {
            generation: gpu.generation,
            processor: gpu.processor(),
            compute_units: gpu.simulation.compute_units,
            shader_engines: gpu.shader_engines,
            xccs: gpu.xccs,
            issue,
            matrix: gpu.matrix.clone(),
            pipelines: gpu.pipelines.clone(),
            waves_per_simd: gpu.registers.waves_per_simd,
            vgprs: gpu.registers.vgprs,
            vgpr_granule: gpu.registers.vgpr_granule,
            sgprs: gpu.registers.sgprs,
            sgpr_granule: gpu.registers.sgpr_granule,
            lds_bytes: gpu.lds.bytes.0,
            lds_granule_bytes: gpu.lds.granule.0,
            lds_bytes_per_group: gpu.lds.max_group.0,
            lds_pairs: gpu.lds.pairs,
            lds_queue: gpu.lds.queue,
            front_end: FrontEnd::of(&gpu.front_end),
            instruction_cache: InstructionCacheShape {
                bytes: gpu.instruction_cache.bytes.0,
                line_bytes: gpu.instruction_cache.line.0,
                ways: INSTRUCTION_CACHE_WAYS,
                miss_cycles: gpu.instruction_cache.miss_cycles,
                starts_warm: false,
            },
            vector_to_scalar_delay_cycles: gpu.scheduling.vector_to_scalar_delay_cycles,
            flag_branch_penalty_cycles: gpu.scheduling.flag_branch_penalty_cycles,
            memtime_round_trip_cycles: gpu.memtime.round_trip_cycles,
            scalar_memory_latency_cycles: gpu.scalar_memory.latency_cycles,
            vector_memory_latency_cycles: gpu.vector_memory.latency_cycles,
            return_bytes: [gpu.vector_memory.return_bytes, gpu.vector_memory.unit_return_bytes],
            wave_launch_interval_cycles: gpu.simulation.wave_launch_interval_cycles,
            realtime_per_cycle: gpu.clock.realtime_mhz.map_or(0.0, |realtime| realtime / gpu.clock.shader_mhz),
            counts_stores_apart: gpu.generation.counts_stores_apart(),
            counts_local_apart: gpu.generation.counts_local_memory_apart(),
            computes_everything: false,
            approximates: false,
            noise: (!gpu.noise.is_none()).then_some(gpu.noise),
            turns,
            costs: Arc::new(costs),
        }
    }

    /// The same simulator executing waves of this many lanes; `None` if it has no such waves.
    ///
    /// The VGPRs are those of a lane: where a wave has twice the lanes, a SIMD has half of them for each.
    pub fn for_waves_of(&self, lanes: u32) -> Option<Cow<'_, Self>> {
        let own = self.issue.wave_size;
        if lanes == own {
            return Some(Cow::Borrowed(self));
        }
        let processor = self.processor.with_wave_size(lanes)?;
        Some(Cow::Owned(Self {
            processor,
            issue: IssueModel { wave_size: lanes, ..self.issue },
            vgprs: self.vgprs * own / lanes,
            vgpr_granule: self.vgpr_granule * own / lanes,
            ..self.clone()
        }))
    }

    /// The same machine for work-groups that may run there.
    ///
    /// A group that has a work-group processor finds the SIMDs and the LDS of all its compute units, of which there are as many fewer places; each
    /// SIMD keeps to the shared units of its own compute unit. Source: AMD RDNA ISA manuals, "WGP and CU Mode".
    pub fn for_groups_in(&self, mode: GroupMode) -> Cow<'_, Self> {
        let together = self.generation.compute_units_of_group(mode);
        if together == self.issue.compute_units {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Self {
            compute_units: (self.compute_units / together).max(1),
            issue: IssueModel { simds: self.issue.simds * together, compute_units: together, ..self.issue },
            lds_bytes: self.lds_bytes * together,
            ..self.clone()
        })
    }

    /// The cost of an instruction of this generation in a wave of the configuration's size; of a matrix instruction, with the formats that
    /// its words name.
    pub(crate) fn cost(&self, decoded: &Decoded) -> Cost {
        let cost = self.cost_of(decoded.instruction, decoded.passes());
        let Some(halves) = decoded.halves() else { return cost };
        let of_halves = halves.map(|half| {
            let Cost { hold, latency_cycles, .. } = self.cost_of(half.instruction, None);
            PairCost { hold, latency_cycles }
        });
        let PairCost { hold, latency_cycles } = PairCost::of(of_halves, decoded, self.pipelines.as_ref());
        Cost { hold, latency_cycles, ..cost }
    }

    /// Likewise for an instruction without words, which occupies the matrix unit for these passes, if it does.
    pub(crate) fn cost_of(&self, instruction: &Instruction, passes: Option<Passes>) -> Cost {
        self.costs[&CostKey { lanes: self.issue.wave_size, instruction: address(instruction), passes }]
    }
}

/// Whether an instruction of the unit is for the wave's own way, and holds it for its cycles.
fn is_control(unit: Unit) -> bool {
    matches!(unit, Unit::Branch | Unit::Internal)
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

fn address(instruction: &Instruction) -> usize {
    std::ptr::from_ref(instruction).addr()
}
