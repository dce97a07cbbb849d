//! The parts of a product: registers, memories, clocks.

use serde::Deserialize;

use super::{LdsPasses, Location, Provenance};
use crate::quantity::Bytes;

/// Registers and wave slots of a SIMD.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Registers {
    /// SIMDs of a compute unit.
    pub simds: u32,
    /// Wave slots of a SIMD.
    pub waves_per_simd: u32,
    /// VGPRs of a lane, shared by the waves of the SIMD.
    pub vgprs: u32,
    /// VGPRs are allocated in multiples of this.
    pub vgpr_granule: u32,
    /// SGPRs of a SIMD, shared by its waves.
    pub sgprs: u32,
    /// SGPRs are allocated in multiples of this.
    pub sgpr_granule: u32,
    /// SGPRs that one wave can name, VCC and the like not counted.
    pub addressable_sgprs: u32,
}

impl Registers {
    /// Waves that a SIMD has room for: its slots, or fewer where the least allocation of SGPRs uses its registers up before.
    pub fn most_waves(&self) -> u32 {
        self.waves_per_simd.min(self.sgprs / self.sgpr_granule)
    }
}

/// The local data share of a compute unit.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lds {
    /// Size.
    pub bytes: Bytes,
    /// LDS is allocated in multiples of this.
    #[serde(rename = "granule_bytes")]
    pub granule: Bytes,
    /// The most that one work-group may have.
    #[serde(rename = "max_group_bytes")]
    pub max_group: Bytes,
    /// Banks, each one dword wide.
    pub banks: u32,
    /// Groups of SIMDs (pairs, where there are two) that have buses of their own.
    pub pairs: u32,
    /// Arrays of banks that serve at once the waves of groups that have a whole work-group processor (WGP mode): each compute unit's
    /// its own waves, or one all of them.
    #[serde(default = "one_of_each_compute_unit")]
    pub wgp_arrays: u32,
    /// Width of a pair's bus in each direction, for one shader cycle.
    #[serde(rename = "bus_bytes")]
    pub bus: Bytes,
    /// Instructions of a SIMD that wait for its bus, while their waves go on; 0: an instruction is issued when the bus is free.
    pub queue: u32,
    /// Shader cycles from the issue of a load of one dword to the result's arrival, without conflicts.
    pub latency_cycles: u32,
    /// More than that for a load of two dwords.
    #[serde(default)]
    pub load_b64_added_cycles: u32,
    /// More for a load of three or four dwords.
    #[serde(default)]
    pub load_b128_added_cycles: u32,
    /// More for a store of one dword.
    #[serde(default)]
    pub store_b32_added_cycles: u32,
    /// More for a store of two dwords.
    #[serde(default)]
    pub store_b64_added_cycles: u32,
    /// More for a store of three or four dwords.
    #[serde(default)]
    pub store_b128_added_cycles: u32,
    /// The lanes that are served together by a load of two dwords; `None`: as many neighbours as there are banks.
    pub load_b64_passes: Option<LdsPasses>,
    /// The lanes that are served together by a load of four dwords.
    pub load_b128_passes: Option<LdsPasses>,
    /// The lanes that are served together by a store of two dwords.
    pub store_b64_passes: Option<LdsPasses>,
    /// The lanes that are served together by a store of four dwords.
    pub store_b128_passes: Option<LdsPasses>,
}

fn one_of_each_compute_unit() -> u32 {
    2
}

impl Lds {
    /// Shader cycles from issue to completion of an access of this many dwords, without conflicts.
    pub fn access_latency_cycles(&self, is_store: bool, dwords: u32) -> u32 {
        let added = match (is_store, dwords) {
            (false, 0 | 1) => 0,
            (false, 2) => self.load_b64_added_cycles,
            (false, _) => self.load_b128_added_cycles,
            (true, 0 | 1) => self.store_b32_added_cycles,
            (true, 2) => self.store_b64_added_cycles,
            (true, _) => self.store_b128_added_cycles,
        };
        self.latency_cycles + added
    }

    /// The lanes that an access of one value of this many dwords serves together, if its file says so.
    pub fn passes(&self, is_store: bool, dwords: u32) -> Option<LdsPasses> {
        match (is_store, dwords) {
            (false, 2) => self.load_b64_passes,
            (false, 4) => self.load_b128_passes,
            (true, 2) => self.store_b64_passes,
            (true, 4) => self.store_b128_passes,
            _ => None,
        }
    }
}

/// The instruction cache of a cluster of compute units.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InstructionCache {
    /// Size.
    pub bytes: Bytes,
    /// Size of a line.
    #[serde(rename = "line_bytes")]
    pub line: Bytes,
    /// Compute units that share it.
    pub shared_by: u32,
    /// Shader cycles from a miss to the line's arrival.
    pub miss_cycles: u32,
}

/// The scalar data cache of a cluster of compute units.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScalarCache {
    /// Size.
    pub bytes: Bytes,
    /// Compute units that share it.
    pub shared_by: u32,
}

/// The clocks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    /// Shader clock in MHz: what S_MEMTIME counts.
    pub shader_mhz: f64,
    /// Constant clock in MHz that S_MEMREALTIME counts; `None` where the instruction does not exist (GCN 1.0, 1.1).
    pub realtime_mhz: Option<f64>,
}

/// The memory of the card, which all compute units share.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CardMemory {
    /// 10^9 bytes that it moves in a second at most; `None` where the file does not say.
    pub gigabytes_per_second: Option<f64>,
}

/// A level of memory that may hold the data of a load: what others measured on such a card. The simulator has no levels; a prediction is for one.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MemoryLevel {
    /// Shader cycles from the issue of a load to its result, at least.
    pub latency_cycles: Option<u32>,
    /// … at most, where that was measured as a range.
    pub most_latency_cycles: Option<u32>,
    /// Bytes that a compute unit gets from it in a shader cycle while all load.
    pub unit_bytes: Option<f64>,
}

/// The place where a fact of a [`Gpu`](super::Gpu) was given, and its provenance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The file and line that gave the value.
    pub at: Location,
    /// The value's provenance.
    pub provenance: Provenance,
}
