//! One GPU: every fact that the model needs, resolved from its file and what the file starts from.

use std::{collections::BTreeMap, fs, path::Path};

use super::{
    Branch, Clock, FrontEnd, GpuError, InstructionCache, Lds, Memtime, Noise, Origin, Registers, ScalarCache,
    ScalarMemory, Scheduling, Simulation, VectorMemory, card,
    chain::{resolve, resolve_shipped},
    document::Document,
    reader::Reader,
    shipped::PRODUCTS,
};
use crate::{code_object::CodeObject, isa::Generation, names::nearest_or_all};

/// The most shader cycles that any key may say.
pub(super) const MOST_CYCLES: u32 = 1_000_000;

/// Compute units of a shader engine that HW_ID has numbers for: four bits, and one for the shader array (facts §2.1).
const UNITS_OF_ENGINE: u32 = 32;

/// A GPU as its file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Gpu {
    /// Name: `tahiti`, or what a user's file says.
    pub name: String,
    /// Product: `Radeon HD 7970`.
    pub product: String,
    /// Target as LLVM and the drivers name it: `gfx600`.
    pub gfx_target: String,
    /// Generation of the instruction set.
    pub generation: Generation,
    /// Compute units of the product; the simulated card has [`Simulation::compute_units`].
    pub compute_units: u32,
    /// Shader engines of the product.
    pub shader_engines: u32,
    /// DPFACTOR of the published tables: 1, 2, 4, 8 for a DP rate of 1/2, 1/4, 1/8, 1/16; others are possible.
    pub dp_factor: u32,
    /// Registers and wave slots.
    pub registers: Registers,
    /// Local data share.
    pub lds: Lds,
    /// Instruction cache.
    pub instruction_cache: InstructionCache,
    /// Scalar data cache.
    pub scalar_cache: ScalarCache,
    /// Clocks.
    pub clock: Clock,
    /// Fetch and alignment.
    pub front_end: FrontEnd,
    /// Jumps.
    pub branch: Branch,
    /// Delays between instructions.
    pub scheduling: Scheduling,
    /// The clock reading.
    pub memtime: Memtime,
    /// Scalar memory.
    pub scalar_memory: ScalarMemory,
    /// Vector memory.
    pub vector_memory: VectorMemory,
    /// What only the simulated card has.
    pub simulation: Simulation,
    /// Noise of the simulated card's readings.
    pub noise: Noise,
    /// `[cycles]` of the file: shader cycles for one wave, by instruction; all others come from the published tables. Several
    /// numbers are those of a wave's executions of the instruction, in turn.
    pub cycles: BTreeMap<String, Vec<u32>>,
    /// `[throughput]` of the file: instructions per cycle and compute unit, by instruction.
    pub throughput: BTreeMap<String, f64>,
    /// Where each fact was given and what it rests on, by dotted key (`front_end.penalty_cycles`).
    pub origins: BTreeMap<String, Origin>,
}

impl Gpu {
    /// The names of the GPUs that ship.
    pub fn shipped() -> impl Iterator<Item = &'static str> {
        PRODUCTS.iter().map(|product| product.name)
    }

    /// A GPU that ships.
    ///
    /// # Errors
    /// [`GpuError::UnknownGpu`], with the names that come near.
    pub fn named(name: &str) -> Result<Self, GpuError> {
        let Some(product) = PRODUCTS.iter().find(|product| product.name == name) else {
            return Err(GpuError::UnknownGpu { name: name.to_owned(), near: nearest_or_all(name, Self::shipped()) });
        };
        Self::read(resolve_shipped(product)?, product.file)
    }

    /// A GPU from a file; a `base` that ends in `.toml` is a path relative to the file.
    ///
    /// # Errors
    /// [`GpuError::Read`], or what is wrong with the file.
    pub fn from_file(path: &Path) -> Result<Self, GpuError> {
        let text = fs::read_to_string(path).map_err(|cause| GpuError::Read { path: path.to_owned(), cause })?;
        Self::from_toml(&text, &path.display().to_string())
    }

    /// A GPU from a file's text; `file_name` is used in messages and to find a `base` that is a path.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn from_toml(text: &str, file_name: &str) -> Result<Self, GpuError> {
        Self::read(resolve(text, file_name)?, file_name)
    }

    /// DP rate as product pages give it, for DPFACTOR 2: `1/4`.
    pub fn dp_rate(&self) -> String {
        format!("1/{}", 2 * self.dp_factor)
    }

    fn read(document: Document, file: &str) -> Result<Self, GpuError> {
        const CYCLES: std::ops::RangeInclusive<u32> = 1..=MOST_CYCLES;
        const DELAY: std::ops::RangeInclusive<u32> = 0..=MOST_CYCLES;
        let r = &mut Reader::new(document, file);
        let generation = r
            .parsed("generation", "\"1.0\", \"1.1\", \"1.2\" or \"1.4\"", |text| {
                Generation::ALL.into_iter().find(|generation| generation.name() == text)
            })
            .unwrap_or(Generation::Gcn10);
        let has_realtime = r.has("clock.realtime_mhz");
        let mut gpu = Self {
            name: r.text("name"),
            product: r.text("product"),
            gfx_target: r.parsed("gfx_target", "a target such as \"gfx600\"", target).unwrap_or_default(),
            generation,
            compute_units: r.integer("compute_units", 1..=512),
            shader_engines: r.integer("shader_engines", 1..=64),
            dp_factor: r.integer("dp_factor", 1..=1024),
            registers: Registers {
                simds: r.integer("registers.simds", 4..=4),
                waves_per_simd: r.integer("registers.waves_per_simd", 1..=16),
                vgprs: r.integer("registers.vgprs", 1..=256),
                vgpr_granule: r.integer("registers.vgpr_granule", 1..=64),
                sgprs: r.integer("registers.sgprs", 104..=4096),
                sgpr_granule: r.integer("registers.sgpr_granule", 1..=128),
                addressable_sgprs: r.integer("registers.addressable_sgprs", 16..=104),
            },
            lds: Lds {
                bytes: r.bytes("lds.bytes", 4..=1 << 20),
                granule: r.bytes("lds.granule_bytes", 4..=8192),
                max_group: r.bytes("lds.max_group_bytes", 4..=1 << 20),
                banks: r.integer("lds.banks", 1..=64),
                pairs: r.power_of_two("lds.pairs", 1..=4, "the four SIMDs are divided evenly:").0,
                bus: r.power_of_two("lds.bus_bytes", 4..=1024, "as a number of bytes in a cycle,"),
                latency_cycles: r.integer("lds.latency_cycles", DELAY),
            },
            instruction_cache: InstructionCache {
                bytes: r.bytes("instruction_cache.bytes", 1024..=1 << 20),
                line: r.power_of_two("instruction_cache.line_bytes", 16..=256, "as a size of a line,"),
                shared_by: r.integer("instruction_cache.shared_by", 1..=16),
                miss_cycles: r.integer("instruction_cache.miss_cycles", DELAY),
            },
            scalar_cache: ScalarCache {
                bytes: r.bytes("scalar_cache.bytes", 1024..=1 << 20),
                shared_by: r.integer("scalar_cache.shared_by", 1..=16),
            },
            clock: Clock {
                shader_mhz: r.number("clock.shader_mhz", 1.0..=10_000.0),
                realtime_mhz: has_realtime.then(|| r.number("clock.realtime_mhz", 0.1..=10_000.0)),
            },
            front_end: FrontEnd {
                penalty_cycles: r.integer("front_end.penalty_cycles", DELAY),
                block: r.power_of_two("front_end.block_bytes", 8..=256, "as a number of bytes,"),
                free_dwords: r.integer("front_end.free_dwords", 0..=16),
                long_instruction_cycles_per_free_dword: r
                    .integer("front_end.long_instruction_cycles_per_free_dword", DELAY),
                covering_cycles: r.integer("front_end.covering_cycles", DELAY),
                covered_dword: r.integer("front_end.covered_dword", 0..=15),
                jump_free_dwords: r.integer("front_end.jump_free_dwords", 0..=16),
                untaken_free_dwords: r.integer("front_end.untaken_free_dwords", 0..=16),
                alignment_penalties: r.switch("front_end.alignment_penalties"),
                jump_penalties: r.switch("front_end.jump_penalties"),
                backward_jump_penalties: r.switch("front_end.backward_jump_penalties"),
                untaken_penalties: r.switch("front_end.untaken_penalties"),
            },
            branch: Branch {
                not_taken_cycles: r.integer("branch.not_taken_cycles", CYCLES),
                taken_cycles: r.integer("branch.taken_cycles", CYCLES),
            },
            scheduling: Scheduling {
                vector_to_scalar_delay_cycles: r.integer("scheduling.vector_to_scalar_delay_cycles", DELAY),
                vector_to_scalar_producers: r.producers("scheduling.vector_to_scalar_producers", generation),
                flag_branch_penalty_cycles: r.integer("scheduling.flag_branch_penalty_cycles", DELAY),
            },
            memtime: Memtime { round_trip_cycles: r.integer("memtime.round_trip_cycles", CYCLES) },
            scalar_memory: ScalarMemory { latency_cycles: r.integer("scalar_memory.latency_cycles", DELAY) },
            vector_memory: VectorMemory {
                latency_cycles: r.integer("vector_memory.latency_cycles", DELAY),
                glc1_cycles: r.integer("vector_memory.glc1_cycles", DELAY),
                glc2_cycles: r.integer("vector_memory.glc2_cycles", DELAY),
            },
            simulation: Simulation {
                compute_units: r.integer("simulation.compute_units", 1..=64),
                wave_launch_interval_cycles: r.integer("simulation.wave_launch_interval_cycles", DELAY),
            },
            noise: Noise {
                seed: r.seed("noise.seed"),
                jitter_cycles: r.integer("noise.jitter_cycles", DELAY),
                outlier_rate: r.number("noise.outlier_rate", 0.0..=1.0),
                outlier_cycles: r.integer("noise.outlier_cycles", DELAY),
                preemption_rate: r.number("noise.preemption_rate", 0.0..=1.0),
                preemption_cycles: r.integer("noise.preemption_cycles", DELAY),
                eviction_rate: r.number("noise.eviction_rate", 0.0..=1.0),
                drift_share: r.number("noise.drift_share", 0.0..=0.9),
                drift_launches: r.integer("noise.drift_launches", 0..=1_000_000),
                step_share: r.number("noise.step_share", 0.0..=0.9),
                step_launches: r.integer("noise.step_launches", 0..=1_000_000),
            },
            cycles: BTreeMap::new(),
            throughput: BTreeMap::new(),
            origins: BTreeMap::new(),
        };
        // A file that makes the LDS smaller need not say that a group has no more than all of it.
        gpu.lds.max_group = gpu.lds.max_group.min(gpu.lds.bytes);
        gpu.cycles = r.cycles(generation);
        gpu.throughput = r.throughputs(generation);
        gpu.check(r);
        gpu.origins = r.finish()?;
        Ok(gpu)
    }

    /// Facts that are possible each, and not together.
    fn check(&self, r: &mut Reader) {
        let generation = self.generation;
        let named = ("generation", format!("\"{}\"", generation.name()));
        let targets = CodeObject::targets().filter(|target| card::generation(target) == Some(generation));
        let targets: Vec<&str> = targets.collect();
        if !targets.contains(&self.gfx_target.as_str()) {
            let rule = format!("there are {}", targets.join(", "));
            r.contradiction([("gfx_target", format!("\"{}\"", self.gfx_target)), named.clone()], &rule);
        }
        if let Some(realtime) = self.clock.realtime_mhz.filter(|_| generation <= Generation::Gcn11) {
            let rule = "there is no S_MEMREALTIME before GCN 1.2";
            r.contradiction([("clock.realtime_mhz", realtime.to_string()), named], rule);
        }
        if self.front_end.block > self.instruction_cache.line {
            let (block, line) = (self.front_end.block, self.instruction_cache.line);
            let facts = [("front_end.block_bytes", block), ("instruction_cache.line_bytes", line)];
            let rule = "a fetch block is at most a line of the instruction cache";
            r.contradiction(facts.map(|(key, bytes)| (key, bytes.0.to_string())), rule);
        }
        // Two bits of HW_ID name the shader engine, one on GCN 1.0 (facts §2.1).
        let most_engines = if generation == Generation::Gcn10 { 2 } else { 4 };
        let most = UNITS_OF_ENGINE * self.shader_engines.min(most_engines);
        if self.simulation.compute_units > most {
            let facts =
                [("simulation.compute_units", self.simulation.compute_units), ("shader_engines", self.shader_engines)];
            let rule = format!("HW_ID has numbers for {most} compute units");
            r.contradiction(facts.map(|(key, number)| (key, number.to_string())), &rule);
        }
    }
}

/// `gfx` and a number in LLVM's notation.
fn target(text: &str) -> Option<String> {
    let number = text.strip_prefix("gfx")?;
    (number.len() >= 3 && number.chars().all(|digit| digit.is_ascii_hexdigit())).then(|| text.to_owned())
}
