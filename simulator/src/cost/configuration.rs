//! The simulator's values from a GPU file.

use std::borrow::Cow;
use std::sync::Arc;

use crate::cost::costs::{Cost, Costs};
use crate::cost::front_end::FrontEnd;
use crate::cost::issue_model::IssueModel;
use crate::cost::pair::PairCost;
use crate::issue::instruction_cache::InstructionCacheShape;
use gcn_model::decode::Decoded;
use gcn_model::gpu::{Gpu, MatrixUnit, Noise, Pipelines};
use gcn_model::isa::{Generation, GroupMode, Instruction, Processor};
use gcn_model::quantity::Passes;

/// Associativity of the instruction cache (facts §1.5, the GCN whitepaper).
const INSTRUCTION_CACHE_WAYS: u32 = 4;

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
    /// LDS arrays that serve the waves of a work-group processor at once; a compute unit has one.
    pub lds_wgp_arrays: u32,
    /// Instructions of a SIMD that wait for its bus while their waves go on.
    pub lds_queue: u32,
    /// Instructions of a SIMD that wait for vector memory while their waves continue.
    pub vector_memory_queue: u32,
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
    pub return_bytes: [f64; 2],
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
    costs: Arc<Costs>,
    /// Whether lanes wait for each other at the banks of the LDS.
    pub has_bank_conflicts: bool,
}

impl Configuration {
    /// The configuration of a GPU.
    pub fn of(gpu: &Gpu) -> Self {
        let costs = Costs::of(gpu);
        Self {
            generation: gpu.generation,
            processor: gpu.processor(),
            compute_units: gpu.simulation.compute_units,
            shader_engines: gpu.shader_engines,
            xccs: gpu.xccs,
            issue: IssueModel::of(gpu),
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
            lds_wgp_arrays: gpu.lds.wgp_arrays,
            lds_queue: gpu.lds.queue,
            vector_memory_queue: gpu.vector_memory.queue,
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
            return_bytes: [gpu.vector_memory.return_bytes.into(), gpu.vector_memory.unit_return_bytes],
            wave_launch_interval_cycles: gpu.simulation.wave_launch_interval_cycles,
            realtime_per_cycle: gpu.clock.realtime_mhz.map_or(0.0, |realtime| realtime / gpu.clock.shader_mhz),
            counts_stores_apart: gpu.generation.counts_stores_apart(),
            counts_local_apart: gpu.generation.counts_local_memory_apart(),
            computes_everything: false,
            approximates: false,
            noise: (!gpu.noise.is_none()).then_some(gpu.noise),
            turns: costs.turns(),
            costs: Arc::new(costs),
            has_bank_conflicts: true,
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

    /// Whether a load can come back later than its latency says.
    pub(crate) fn delays_loads(&self) -> bool {
        self.return_bytes != [0.0; 2] || self.vector_memory_queue > 0
    }

    /// SIMDs that share a bus to the LDS.
    pub fn simds_per_lds_bus(&self) -> u32 {
        let of_unit = self.issue.simds_of_unit();
        of_unit / self.lds_pairs.clamp(1, of_unit)
    }

    /// SIMDs that share an array of the LDS.
    pub fn simds_per_lds_array(&self) -> u32 {
        self.issue.simds / self.lds_wgp_arrays.clamp(1, self.issue.compute_units)
    }

    /// The same machine with at most so many waves at once, as many on each SIMD; `None` if that is none.
    pub(crate) fn for_at_most(&self, waves: u32) -> Option<Cow<'_, Self>> {
        let waves_per_simd = waves / (self.compute_units * self.issue.simds);
        match waves_per_simd {
            0 => None,
            few if few < self.waves_per_simd => Some(Cow::Owned(Self { waves_per_simd, ..self.clone() })),
            _ => Some(Cow::Borrowed(self)),
        }
    }

    /// The same machine with all code in the instruction cache.
    pub(crate) fn with_warm_cache(&self) -> Self {
        let mut warm = self.clone();
        warm.instruction_cache.starts_warm = true;
        warm
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
        let cost = self.costs.get(self.issue.wave_size, instruction, passes);
        let lds_service = if self.has_bank_conflicts { cost.lds_service } else { cost.lds_service.without_conflicts() };
        Cost { lds_service, ..cost }
    }
}
