//! How long memory takes, as the user says it.

use std::str::FromStr;

use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;
use serde::{Deserialize, Serialize};

use crate::card::End;
use crate::code::Code;
use crate::cycle_range::{CycleRange, MOST_CYCLES, presets};
use crate::error::PredictError;
use crate::prediction::{Prediction, predict};

/// What others have measured, by the name of a preset.
const PRESETS: &str = include_str!("../data/memory.csv");

/// A memory with a latency of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Memory {
    /// Vector memory.
    Vmem,
    /// Scalar memory.
    Smem,
    /// The local data share.
    Lds,
}

/// Between what numbers the latency of a memory lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MemoryLatency {
    pub memory: Memory,
    /// Shader cycles from issue to result, at least.
    pub low_cycles: u32,
    /// Shader cycles from issue to result, at most.
    pub high_cycles: u32,
    /// The source; `None`: the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// The latencies that take the place of the GPU's; each memory at most once.
///
/// As a text it is a list with commas of presets (`l1`, `dram`) and of `vmem`, `smem` or `lds`, `=`, and cycles or a range of them:
/// `l1,lds=64`, `vmem=300..500`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryLatencies {
    pub latencies: Vec<MemoryLatency>,
}

/// A prediction with the latencies at their ends and in the middle.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemorySweep {
    pub latencies: Vec<MemoryLatency>,
    /// Cycles of an iteration with all latencies at their lowest.
    pub low: Cycles,
    /// Likewise with all in the middle, as the prediction has them.
    pub middle: Cycles,
    /// With all at their highest.
    pub high: Cycles,
}

/// A row of the presets.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Preset {
    preset: String,
    memory: Memory,
    low_cycles: u32,
    high_cycles: u32,
    source: String,
}

impl Memory {
    const ALL: [Self; 3] = [Self::Vmem, Self::Smem, Self::Lds];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vmem => "vmem",
            Self::Smem => "smem",
            Self::Lds => "lds",
        }
    }
}

impl MemoryLatency {
    fn range(&self) -> CycleRange {
        CycleRange { low: self.low_cycles, high: self.high_cycles }
    }

    /// The latency at an end.
    fn at(&self, end: End) -> u32 {
        self.range().at(end)
    }

    /// The latency that a prediction is for, and where it comes from, in words.
    pub fn words(&self) -> String {
        let range = self.range().words();
        let source = self.source.as_ref().map(|source| format!(": {source}")).unwrap_or_default();
        format!("{} takes {} cycles{range}{source}", self.memory.name(), self.at(End::Middle))
    }
}

impl FromStr for MemoryLatencies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut latencies: Vec<MemoryLatency> = Vec::new();
        for part in text.split(',') {
            for latency in latencies_of(part)? {
                if latencies.iter().any(|other| other.memory == latency.memory) {
                    return Err(format!("{} has two latencies", latency.memory.name()));
                }
                latencies.push(latency);
            }
        }
        Ok(Self { latencies })
    }
}

/// A preset, or the latency of a memory.
fn latencies_of(part: &str) -> Result<Vec<MemoryLatency>, String> {
    let presets: Vec<Preset> = presets(PRESETS);
    let Some((name, range)) = part.split_once('=') else {
        let of_preset: Vec<MemoryLatency> = (presets.iter().filter(|row| row.preset == part))
            .map(|Preset { memory, low_cycles, high_cycles, source, .. }| MemoryLatency {
                memory: *memory,
                low_cycles: *low_cycles,
                high_cycles: *high_cycles,
                source: Some(source.clone()),
            })
            .collect();
        if of_preset.is_empty() {
            let mut known: Vec<&str> = presets.iter().map(|row| row.preset.as_str()).collect();
            known.dedup();
            return Err(format!("{part:?} is not one of {}, vmem=CYCLES, smem=CYCLES, lds=CYCLES", known.join(", ")));
        }
        return Ok(of_preset);
    };
    let known = || Memory::ALL.map(Memory::name).join(", ");
    let memory = Memory::ALL.into_iter().find(|memory| memory.name() == name);
    let memory = memory.ok_or_else(|| format!("{name:?} is not a memory: {}", known()))?;
    match CycleRange::of(range) {
        Some(CycleRange { low, high }) => {
            Ok(vec![MemoryLatency { memory, low_cycles: low, high_cycles: high, source: None }])
        }
        None => Err(format!("{range:?} must be cycles from 0 to {MOST_CYCLES}, or LOW..HIGH")),
    }
}

impl MemoryLatencies {
    /// The GPU with the latencies in the middle of their ranges.
    pub fn middle(&self, gpu: &Gpu) -> Gpu {
        self.at(gpu, End::Middle)
    }

    /// Whether a latency is a range.
    pub fn has_ranges(&self) -> bool {
        has_ranges(&self.latencies)
    }

    fn at(&self, gpu: &Gpu, end: End) -> Gpu {
        let mut gpu = gpu.clone();
        for latency in &self.latencies {
            *(match latency.memory {
                Memory::Vmem => &mut gpu.vector_memory.latency_cycles,
                Memory::Smem => &mut gpu.scalar_memory.latency_cycles,
                Memory::Lds => &mut gpu.lds.latency_cycles,
            }) = latency.at(end);
        }
        gpu
    }

    /// Predicts again at the ends of the ranges, from the prediction in the middle.
    ///
    /// # Errors
    /// Those of [`predict`].
    pub fn sweep(&self, gpu: &Gpu, code: &Code, prediction: &Prediction) -> Result<MemorySweep, PredictError> {
        let middle = prediction.cycles_per_iteration;
        let of = |end: End| -> Result<Cycles, PredictError> {
            if !self.has_ranges() {
                return Ok(middle);
            }
            let prediction = predict(&self.at(gpu, end), code, &prediction.region, prediction.question)?;
            Ok(prediction.cycles_per_iteration)
        };
        Ok(MemorySweep { latencies: self.latencies.clone(), low: of(End::Low)?, middle, high: of(End::High)? })
    }
}

impl MemorySweep {
    /// Whether a latency is a range.
    pub fn has_ranges(&self) -> bool {
        has_ranges(&self.latencies)
    }
}

fn has_ranges(latencies: &[MemoryLatency]) -> bool {
    latencies.iter().any(|latency| latency.low_cycles < latency.high_cycles)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_and_ranges_set_the_latencies_of_the_gpu() {
        let fiji = Gpu::named("fiji").unwrap();
        let latencies: MemoryLatencies = "l1,lds=10..21,smem=7".parse().unwrap();
        let of = |end| {
            let gpu = latencies.at(&fiji, end);
            [gpu.vector_memory.latency_cycles, gpu.scalar_memory.latency_cycles, gpu.lds.latency_cycles]
        };
        assert_eq!([End::Low, End::Middle, End::High].map(of), [[157, 7, 10], [158, 7, 15], [160, 7, 21]]);
        let dram: MemoryLatencies = "dram".parse().unwrap();
        assert_eq!(dram.middle(&fiji).vector_memory.latency_cycles, 461);
        assert_eq!(dram.middle(&fiji).scalar_memory, fiji.scalar_memory);
        assert!(!dram.has_ranges() && latencies.has_ranges());
    }

    #[test]
    fn malformed_latencies_are_named() {
        for (text, problem) in [
            ("", "\"\" is not one of l1, dram, vmem=CYCLES, smem=CYCLES, lds=CYCLES"),
            ("l2", "\"l2\" is not one of"),
            ("gds=3", "\"gds\" is not a memory: vmem, smem, lds"),
            ("vmem=9..3", "\"9..3\" must be cycles"),
            ("vmem=1000001", "\"1000001\" must be cycles"),
            ("l1,vmem=3", "vmem has two latencies"),
        ] {
            let error = text.parse::<MemoryLatencies>().unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
    }
}
