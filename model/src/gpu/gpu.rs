//! One GPU: every fact that the model needs.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::{
    Branch, CardMemory, Clock, FrontEnd, GpuError, InstructionCache, Lds, MatrixUnit, MemoryLevel, Memtime, Noise,
    Origin, Pipelines, Provenance, Registers, ScalarCache, ScalarMemory, Scheduling, Simulation, VectorMemory,
};
use crate::isa::{DependencyTracking, Generation, Instruction, Processor};

/// A GPU as its file describes it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// Name: `tahiti`, or the name in a user's file.
    pub name: String,
    /// Product: `Radeon HD 7970`.
    pub product: String,
    /// Target as LLVM and the drivers name it: `gfx600`.
    pub gfx_target: String,
    /// Generation of the instruction set.
    pub generation: Generation,
    /// Compute units of the product; the simulated card has [`Simulation::compute_units`].
    pub compute_units: u32,
    /// Shader engines of the product, or of each XCC.
    pub shader_engines: u32,
    /// XCCs: dies with compute units and shader engines of their own.
    pub xccs: u32,
    /// DPFACTOR of the published tables: 1, 2, 4, 8 for a DP rate of 1/2, 1/4, 1/8, 1/16; others are possible, 0.5 for the full rate.
    pub dp_factor: f64,
    /// Registers and wave slots.
    pub registers: Registers,
    /// Local data share.
    pub lds: Lds,
    pub instruction_cache: InstructionCache,
    /// Scalar data cache.
    pub scalar_cache: ScalarCache,
    pub clock: Clock,
    #[serde(default)]
    pub memory: CardMemory,
    /// The cache of a compute unit, where RDNA has another one below it.
    #[serde(default)]
    pub l0: MemoryLevel,
    /// The cache of a compute unit, or of a shader array of RDNA.
    #[serde(default)]
    pub l1: MemoryLevel,
    #[serde(default)]
    pub l2: MemoryLevel,
    /// The cache in front of the card's memory.
    #[serde(default)]
    pub mall: MemoryLevel,
    /// The card's memory as a load sees it.
    #[serde(default)]
    pub dram: MemoryLevel,
    /// Fetch and alignment.
    pub front_end: FrontEnd,
    /// Jumps.
    pub branch: Branch,
    /// Delays between instructions.
    pub scheduling: Scheduling,
    /// The matrix units; `None` where the target has none.
    pub matrix: Option<MatrixUnit>,
    /// The pipelines of the SIMDs; `None` where a wave waits for each result.
    pub pipelines: Option<Pipelines>,
    /// The clock reading.
    pub memtime: Memtime,
    pub scalar_memory: ScalarMemory,
    pub vector_memory: VectorMemory,
    /// What only the simulated card has.
    pub simulation: Simulation,
    /// Noise of the simulated card's readings.
    pub noise: Noise,
    /// `[cycles]` of the file: shader cycles for one wave, by instruction; all others come from the published tables. Several
    /// numbers are those of a wave's executions of the instruction, in turn.
    #[serde(skip)]
    pub cycles: BTreeMap<String, Vec<u32>>,
    /// `[throughput]` of the file: instructions per cycle and compute unit, by instruction.
    #[serde(skip)]
    pub throughput: BTreeMap<String, f64>,
    /// `[latency]` of the file: shader cycles from an instruction's issue to that of a reader of its result, by instruction; for
    /// generations whose waves go on meanwhile.
    #[serde(skip)]
    pub latency: BTreeMap<String, u32>,
    /// The place and the provenance of each fact, by dotted key (`front_end.penalty_cycles`).
    #[serde(skip)]
    pub origins: BTreeMap<String, Origin>,
}

impl Gpu {
    /// DP rate as product pages give it, for DPFACTOR 2: `1/4`; for 0.5: `1`.
    pub fn dp_rate(&self) -> String {
        match 2.0 * self.dp_factor {
            1.0 => "1".to_owned(),
            below => format!("1/{below}"),
        }
    }

    /// Bytes that the memory of the card moves in a shader cycle at most, if its file says so.
    pub fn memory_bytes_per_cycle(&self) -> Option<f64> {
        Some(self.memory.gigabytes_per_second? * 1e9 / (self.clock.shader_mhz * 1e6))
    }

    /// The levels of memory, the nearest first.
    pub const MEMORY_LEVELS: [&'static str; 5] = ["l0", "l1", "l2", "mall", "dram"];

    /// The levels of memory by name, and what its file says of each.
    pub fn memory_levels(&self) -> impl Iterator<Item = (&'static str, &MemoryLevel)> {
        Self::MEMORY_LEVELS.into_iter().zip([&self.l0, &self.l1, &self.l2, &self.mall, &self.dram])
    }

    /// Bytes that a compute unit gets in a shader cycle from a level while all load: of the card's memory, where the file has no such
    /// figure, an equal part of what it moves at most.
    pub fn level_unit_bytes(&self, level: &str) -> Option<f64> {
        let (_, of_level) = self.memory_levels().find(|(name, _)| *name == level)?;
        let of_memory = || Some(self.memory_bytes_per_cycle()? / f64::from(self.compute_units));
        of_level.unit_bytes.or_else(|| of_memory().filter(|_| level == "dram"))
    }

    /// The GPU in waves of this many lanes; `None` if it has no such waves.
    ///
    /// A lane of a wave with twice the lanes has half of the registers, in granules half as large: LLVM 22.1 `AMDGPUBaseInfo.cpp`,
    /// getVGPRAllocGranule and getTotalNumVGPRs.
    pub fn in_waves_of(&self, lanes: u32) -> Option<Self> {
        let own = self.processor();
        let processor = own.with_wave_size(lanes)?;
        let scale = |registers: u32| registers * own.wave_size() / lanes;
        let vgprs = scale(self.registers.vgprs);
        let registers = Registers { vgprs, vgpr_granule: scale(self.registers.vgpr_granule), ..self.registers.clone() };
        Some(Self { gfx_target: processor.with_wave_size_in(processor.name()), registers, ..self.clone() })
    }

    /// Its processor, which says what instructions it has.
    ///
    /// # Panics
    /// If someone has given it a target that no generation has; a file with one is refused.
    pub fn processor(&self) -> Processor {
        Processor::find(&self.gfx_target).unwrap_or_else(|| unreachable!("{} has no such target", self.name))
    }

    /// Facts that are possible each, and not together.
    pub(super) fn check(&self, file: &str) -> Result<(), GpuError> {
        let generation = self.generation;
        let named = || ("generation", format!("\"{}\"", generation.record_name()));
        let cards = Processor::of(generation).filter(|processor| !processor.is_generic());
        let targets: Vec<&str> = cards.map(Processor::name).collect();
        if !targets.contains(&self.gfx_target.as_str()) {
            let rule = format!("there are {}", targets.join(", "));
            return self.contradiction(file, [("gfx_target", format!("\"{}\"", self.gfx_target)), named()], &rule);
        }
        self.check_names(file)?;
        if let Some(realtime) = self.clock.realtime_mhz.filter(|_| !generation.has_realtime_counter()) {
            let rule = format!("there is no counter of constant rate in {}", generation.title());
            return self.contradiction(file, [("clock.realtime_mhz", realtime.to_string()), named()], &rule);
        }
        if self.front_end.block > self.instruction_cache.line {
            let (block, line) = (self.front_end.block, self.instruction_cache.line);
            let facts = [("front_end.block_bytes", block), ("instruction_cache.line_bytes", line)];
            let rule = "a fetch block is at most a line of the instruction cache";
            return self.contradiction(file, facts.map(|(key, bytes)| (key, bytes.0.to_string())), rule);
        }
        self.check_levels(file)?;
        self.check_matrix(file)?;
        self.check_pipelines(file)?;
        if self.registers.simds != generation.waves.simds {
            let rule = format!("a compute unit of {} has {} SIMDs", generation.title(), generation.waves.simds);
            return self.contradiction(file, [("registers.simds", self.registers.simds.to_string()), named()], &rule);
        }
        let place = &generation.place;
        let slots = 1 << place.slot.width;
        if self.registers.waves_per_simd > slots {
            let facts = ("registers.waves_per_simd", self.registers.waves_per_simd.to_string());
            let rule = format!("HW_ID of {} has numbers for {slots} slots", generation.title());
            return self.contradiction(file, [facts, named()], &rule);
        }
        if self.xccs > place.xccs() {
            let rule = format!("waves of {} can tell {} apart", generation.title(), place.xccs());
            return self.contradiction(file, [("xccs", self.xccs.to_string()), named()], &rule);
        }
        let engines = self.xccs * self.shader_engines.min(place.shader_engines());
        let most = place.compute_units_of_engine() * engines;
        if self.simulation.compute_units > most {
            let facts =
                [("simulation.compute_units", self.simulation.compute_units), ("shader_engines", self.shader_engines)];
            let rule = format!("HW_ID has numbers for {most} compute units");
            return self.contradiction(file, facts.map(|(key, number)| (key, number.to_string())), &rule);
        }
        Ok(())
    }

    /// A target with matrix instructions says what their unit does, and no other speaks of it.
    fn check_matrix(&self, file: &str) -> Result<(), GpuError> {
        const FIRST: &str = "matrix.gap_cycles";
        let has_them = self.processor().instructions().any(Instruction::is_matrix_operation);
        match &self.matrix {
            None if has_them => Err(GpuError::Missing { file: file.to_owned(), key: FIRST.to_owned() }),
            Some(matrix) if !has_them => {
                let target = ("gfx_target", format!("\"{}\"", self.gfx_target));
                let rule = format!("{} has no matrix instructions", self.gfx_target);
                self.contradiction(file, [(FIRST, matrix.gap_cycles.to_string()), target], &rule)
            }
            _ => Ok(()),
        }
    }

    /// Pipelines are for waves that continue before a result is ready; each instruction is in a single class, and the rate of double precision is
    /// a whole number of cycles.
    fn check_pipelines(&self, file: &str) -> Result<(), GpuError> {
        const FIRST: &str = "pipelines.vector_latency_cycles";
        let Some(pipelines) = &self.pipelines else { return Ok(()) };
        let first = (FIRST, pipelines.vector_latency_cycles.to_string());
        if self.generation.waves.dependency_tracking == DependencyTracking::Blocking {
            let named = ("generation", format!("\"{}\"", self.generation.record_name()));
            let rule = format!("waves of {} wait for each result", self.generation.title());
            return self.contradiction(file, [first, named], &rule);
        }
        if let Some(name) = pipelines.named_twice() {
            let key = pipelines.class_of(name).key().unwrap_or(FIRST);
            let rule = format!("{name} has two classes");
            return self.contradiction(file, [(key, format!("[… {name} …]")), first], &rule);
        }
        if pipelines.address_latency_cycles < pipelines.vector_latency_cycles {
            let address = ("pipelines.address_latency_cycles", pipelines.address_latency_cycles.to_string());
            let rule = "an address is read no earlier than another source";
            return self.contradiction(file, [address, first], rule);
        }
        Ok(())
    }

    /// The file itself names no instruction that only other targets of the generation have; what its bases name stays without effect.
    fn check_names(&self, file: &str) -> Result<(), GpuError> {
        let processor = self.processor();
        let of = |section: &'static str| move |name: &String| (section, name.clone());
        let names = self.cycles.keys().map(of("cycles")).chain(self.latency.keys().map(of("latency")));
        for (section, name) in names.chain(self.throughput.keys().map(of("throughput"))) {
            let key = format!("{section}.{name}");
            let is_own = self.origins.get(&key).is_some_and(|origin| origin.at.file() == file);
            if is_own && processor.instruction(&name).is_none() {
                let target = ("gfx_target", format!("\"{}\"", self.gfx_target));
                let rule =
                    format!("{} has no {name}; other targets of {} do", self.gfx_target, self.generation.title());
                return self.contradiction(file, [(key.as_str(), name), target], &rule);
            }
        }
        Ok(())
    }

    /// The ends of a range are in order.
    fn check_levels(&self, file: &str) -> Result<(), GpuError> {
        for (name, level) in self.memory_levels() {
            if let Some((most, least)) =
                level.most_latency_cycles.zip(level.latency_cycles).filter(|(most, least)| most < least)
            {
                let keys = [format!("{name}.most_latency_cycles"), format!("{name}.latency_cycles")];
                let facts = [(keys[0].as_str(), most.to_string()), (keys[1].as_str(), least.to_string())];
                return self.contradiction(file, facts, "the most is not below the least");
            }
        }
        Ok(())
    }

    /// Whether the value of a key is an estimate.
    pub fn is_estimate(&self, key: &str) -> bool {
        self.origins.get(key).is_some_and(|origin| matches!(origin.provenance, Provenance::Estimated(_)))
    }

    /// Two facts, with their values, that contradict each other. The place is that of the first one which the file itself
    /// gives, whatever its bases say.
    fn contradiction(&self, file: &str, facts: [(&str, String); 2], rule: &str) -> Result<(), GpuError> {
        let at = |key: &str| self.origins.get(key).map(|origin| origin.at.clone());
        let is_own = |key: &str| at(key).is_some_and(|at| at.file() == file);
        let [one, other] = facts;
        let (blamed, other) = if is_own(other.0) && !is_own(one.0) { (other, one) } else { (one, other) };
        let Some(at) = at(blamed.0) else { return Ok(()) };
        let reason = format!("{rule} (`{} = {}`)", other.0, other.1);
        Err(GpuError::Impossible { at, key: blamed.0.to_owned(), value: blamed.1, reason })
    }
}
