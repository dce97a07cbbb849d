//! `run.json`: subject, tools and time of a measurement.

use serde::{Deserialize, Serialize};

use crate::gpu::MatchQuality;
use crate::isa::{Generation, GroupMode};

/// What only a card has.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CardRecord {
    /// Target with its features, as the driver names it: `gfx906:sramecc+:xnack-`.
    pub target_id: String,
    /// PCI address: `0000:03:00.0`.
    pub pci_address: Option<String>,
    /// PCI device id, which separates products with the same target: `0x67b1`.
    pub pci_device_id: Option<String>,
    /// GPU file whose facts (registers, wave slots, LDS, never timings) the run was planned by.
    pub facts_from: String,
    /// How closely that file describes the card.
    pub match_quality: MatchQuality,
    /// Whether the rate of S_MEMREALTIME is the driver's word; otherwise it is the GPU file's.
    pub realtime_from_driver: bool,
    /// Where the results were stored: in mapped host memory, or in the card's.
    pub results_in: String,
    /// What OpenCL says of itself; missing for other drivers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opencl: Option<OpenClRecord>,
}

/// A card's OpenCL platform.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenClRecord {
    /// Name of the platform: `Clover`.
    pub platform: String,
    /// Its version: `OpenCL 1.1 Mesa 22.3.6`.
    pub platform_version: String,
    pub driver_version: String,
    /// The device's whole name, of which the record's name is a part.
    pub device_name: String,
    /// The driver's input.
    pub container: String,
}

/// The device as it described itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeviceRecord {
    /// How the user named it: `sim:tahiti`, `hip:0`.
    pub device: String,
    /// Its own name.
    pub name: String,
    /// Driver and version: `simulator 0.1.0`.
    pub driver: String,
    /// LLVM target: `gfx600`.
    pub target: String,
    /// Generation: `1.0`, `1.1`, `1.2`, `1.4` of GCN, or a name such as `gfx942`.
    pub generation: String,
    /// Lanes of the waves that were measured; missing where the generation's waves have one size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wave_size: Option<u32>,
    /// Where the waves of a work-group could run; missing where there are no work-group processors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<GroupMode>,
    /// Compute units that the device offers.
    pub compute_units: u32,
    /// Shader clock in MHz, where the device tells it.
    pub clock_mhz: Option<f64>,
    /// Rate of S_MEMREALTIME in MHz, where the device has one and tells it.
    pub realtime_mhz: Option<f64>,
    /// What only a card has; missing for the simulator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub card: Option<CardRecord>,
    /// SHA-256 of the facts that the simulator runs by, hex: a GPU file of the same name may say something else later.
    /// Missing for a card.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts_sha256: Option<String>,
}

impl DeviceRecord {
    /// The first word of the simulator's `driver`.
    pub const SIMULATOR: &'static str = "simulator";

    /// The first word of a driver that simulates its card.
    pub const SIMULATED: &'static str = "simulated";

    /// Whether it is the simulator, by itself or below the driver of a card.
    pub fn is_simulated(&self) -> bool {
        [Self::SIMULATOR, Self::SIMULATED].contains(&self.driver.split(' ').next().unwrap_or_default())
    }

    /// What the driver of a process begins with that a debugger or an emulator follows, or of a virtual machine.
    pub const TRACED: &'static str = "traced";
    pub const VIRTUAL: &'static str = "virtual";

    /// Whether something stopped and watched the process that drove the card: its times are not those of the card alone.
    pub fn is_traced(&self) -> bool {
        self.driver.split(' ').next() == Some(Self::TRACED)
    }

    /// Its generation, if this program knows one of that name.
    pub fn known_generation(&self) -> Option<Generation> {
        Generation::find(&self.generation)
    }

    /// Its target, and the lanes of the waves that were measured where they are not those that the generation's compilers choose.
    pub fn target_and_waves(&self) -> String {
        let usual = self.known_generation().map(Generation::lanes);
        let other = self.wave_size.filter(|lanes| Some(*lanes) != usual);
        other.map_or_else(|| self.target.clone(), |lanes| format!("{}, waves of {lanes} lanes", self.target))
    }

    /// Lanes of the waves that were measured.
    pub fn lanes(&self) -> u32 {
        self.wave_size.or_else(|| self.known_generation().map(Generation::lanes)).unwrap_or(64)
    }

    /// Where the waves of a work-group could run: on one compute unit, unless it says otherwise.
    pub fn group_mode(&self) -> GroupMode {
        self.mode.unwrap_or(GroupMode::ComputeUnit)
    }

    /// The generation in sentences: `GCN 1.4`, `gfx942`; as the record has it where this program knows none of that name.
    pub fn generation_title(&self) -> String {
        self.known_generation().map_or_else(|| self.generation.clone(), Generation::title)
    }
}

/// Options of the run that change the measurement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct OptionsRecord {
    /// Suites that were asked for.
    pub suites: Vec<String>,
    /// `--only` patterns.
    pub only: Vec<String>,
    /// Waves per SIMD of the throughput experiments.
    pub waves: Vec<u32>,
    /// Stored passes per length and wave, of all sweeps together.
    pub samples: u32,
    /// Sweeps through the plan.
    pub sweeps: u32,
    /// Seed of the order in which each sweep goes through it.
    pub seed: u64,
    /// Longest time for measuring again what does not settle, such as `30s`; missing if it was measured again three times at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<String>,
    /// Whether instructions that can hang a card were launched.
    #[serde(default)]
    pub dangerous: bool,
}

/// Which part of a run this folder holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardRecord {
    /// Its number, from 1.
    pub index: u32,
    /// Shards of the run.
    pub of: u32,
    /// Experiments of the whole run.
    pub experiments: u64,
}

/// A shard that a merged run was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergedShardRecord {
    /// Its number, from 1.
    pub index: u32,
    /// The device that measured it, as its user named it.
    pub device: String,
    /// PCI address of its card.
    pub pci_address: Option<String>,
    /// Start, RFC 3339 in UTC.
    pub start: String,
    /// End, RFC 3339 in UTC.
    pub end: Option<String>,
}

/// One code object that was launched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeObjectRecord {
    /// Index of the code object in the run.
    pub index: u32,
    pub kernels: u32,
    /// Size in bytes.
    pub bytes: u64,
    /// SHA-256 of the file, hex.
    pub sha256: String,
}

/// The whole of `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Version of this schema.
    pub schema: u32,
    /// Name and version of the tool.
    pub tool: String,
    pub device: DeviceRecord,
    /// The assembler: LLVM's version and where it was found.
    pub assembler: String,
    pub options: OptionsRecord,
    /// The code objects, in the order of their launch.
    pub code_objects: Vec<CodeObjectRecord>,
    /// Start, RFC 3339 in UTC.
    pub start: String,
    /// The readings of TRAPSTS.DP_RATE, each value once: evidence for DPFACTOR, whose coding is not published (facts §1.3). The
    /// simulator has 0 there.
    #[serde(default)]
    pub dp_rate_field: Vec<u32>,
    /// End, RFC 3339 in UTC; empty while the run goes on or if it was cut off.
    pub end: Option<String>,
    /// Which part of a run this is, if it is not a whole one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardRecord>,
    /// The shards that it was merged from.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shards: Vec<MergedShardRecord>,
    /// When it was resumed, RFC 3339 in UTC.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resumed: Vec<String>,
    /// Experiments that failed in a row when the device was lost: they are attempted once more when the run is resumed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<String>,
    /// Why a launch failed that was to warm the card up, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up_failure: Option<String>,
    /// Rows of `journal.csv` at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tries: Option<u64>,
    /// SHA-256 of this file with nothing between these quotes, hex. Empty in a file that no run wrote.
    #[serde(default)]
    pub sha256: String,
}

impl RunRecord {
    /// The version of the schema that this crate writes and reads.
    pub const SCHEMA: u32 = 2;
}
