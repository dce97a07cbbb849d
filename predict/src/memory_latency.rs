//! How long memory takes, as the user says it.

use std::collections::BTreeSet;
use std::str::FromStr;

use gcn_model::gpu::Gpu;
use gcn_model::quantity::Cycles;
use serde::{Deserialize, Serialize};

use crate::card::End;
use crate::code::Code;
use crate::cycle_range::{CycleRange, MOST_CYCLES, presets};
use crate::error::PredictError;
use crate::prediction::{Prediction, predict};

/// What others have measured, by level and LLVM target.
const LEVELS: &str = include_str!("../data/memory.csv");

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
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryLatencies {
    pub latencies: Vec<MemoryLatency>,
}

/// Latencies as the user says them, of any GPU.
///
/// As a text it is a list with commas of levels (`l1`, `dram`) and of `vmem`, `smem` or `lds`, `=`, and cycles or a range of them:
/// `l1,lds=64`, `vmem=300..500`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryQuestion(Vec<Part>);

/// A part of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    /// The level of memory that holds the data.
    Level(String),
    Latency(MemoryLatency),
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

/// A row of [`LEVELS`].
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Level {
    level: String,
    target: String,
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

impl FromStr for MemoryQuestion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.split(',').map(part_of).collect::<Result<_, _>>().map(Self)
    }
}

/// A level, or the latency of a memory.
fn part_of(part: &str) -> Result<Part, String> {
    let Some((name, range)) = part.split_once('=') else {
        let levels: Vec<Level> = presets(LEVELS);
        if levels.iter().any(|row| row.level == part) {
            return Ok(Part::Level(part.to_owned()));
        }
        let known: BTreeSet<&str> = levels.iter().map(|row| row.level.as_str()).collect();
        let known = Vec::from_iter(known).join(", ");
        return Err(format!("{part:?} is not one of {known}, vmem=CYCLES, smem=CYCLES, lds=CYCLES"));
    };
    let known = || Memory::ALL.map(Memory::name).join(", ");
    let memory = Memory::ALL.into_iter().find(|memory| memory.name() == name);
    let memory = memory.ok_or_else(|| format!("{name:?} is not a memory: {}", known()))?;
    let range = CycleRange::of(range);
    let range = range.ok_or_else(|| format!("{part:?} must be cycles from 0 to {MOST_CYCLES}, or LOW..HIGH"))?;
    Ok(Part::Latency(MemoryLatency { memory, low_cycles: range.low, high_cycles: range.high, source: None }))
}

impl MemoryQuestion {
    /// The latencies on a GPU.
    ///
    /// # Errors
    /// No one measured the level on a card of the GPU's target, or a memory has two latencies.
    pub fn on(&self, gpu: &Gpu) -> Result<MemoryLatencies, String> {
        let mut latencies: Vec<MemoryLatency> = Vec::new();
        for part in &self.0 {
            let found = match part {
                Part::Latency(latency) => vec![latency.clone()],
                Part::Level(level) => latencies_of(level, &gpu.gfx_target)?,
            };
            for latency in found {
                if latencies.iter().any(|other| other.memory == latency.memory) {
                    return Err(format!("{} has two latencies", latency.memory.name()));
                }
                latencies.push(latency);
            }
        }
        Ok(MemoryLatencies { latencies })
    }
}

/// The latencies of a level on the cards of a target.
fn latencies_of(level: &str, target: &str) -> Result<Vec<MemoryLatency>, String> {
    let levels: Vec<Level> = presets(LEVELS);
    let found = levels.iter().filter(|row| row.level == level && row.target == target);
    let found: Vec<MemoryLatency> = found
        .map(|row| MemoryLatency {
            memory: row.memory,
            low_cycles: row.low_cycles,
            high_cycles: row.high_cycles,
            source: Some(row.source.clone()),
        })
        .collect();
    if found.is_empty() {
        let names = |column: fn(&Level) -> &str, key: fn(&Level) -> &str, of: &str| {
            let found = levels.iter().filter(|row| key(row) == of).map(column);
            found.collect::<Vec<_>>().join(", ")
        };
        let of_target = names(|row| &row.level, |row| &row.target, target);
        let of_level = names(|row| &row.target, |row| &row.level, level);
        let others = if of_target.is_empty() { String::new() } else { format!("; of {target}, {of_target} are known") };
        return Err(format!(
            "{level} was measured on cards of {of_level}, not of {target}{others}; give cycles, as in vmem=300..500"
        ));
    }
    Ok(found)
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
    fn levels_and_ranges_set_the_latencies_of_the_gpu() {
        let fiji = Gpu::named("fiji").unwrap();
        let on = |text: &str, gpu: &Gpu| text.parse::<MemoryQuestion>().unwrap().on(gpu);
        let latencies = on("l1,lds=10..21,smem=7", &fiji).unwrap();
        let of = |end| {
            let gpu = latencies.at(&fiji, end);
            [gpu.vector_memory.latency_cycles, gpu.scalar_memory.latency_cycles, gpu.lds.latency_cycles]
        };
        assert_eq!([End::Low, End::Middle, End::High].map(of), [[157, 7, 10], [158, 7, 15], [160, 7, 21]]);
        let dram = on("dram", &fiji).unwrap();
        assert_eq!(dram.middle(&fiji).vector_memory.latency_cycles, 461);
        assert_eq!(dram.middle(&fiji).scalar_memory, fiji.scalar_memory);
        assert!(!dram.has_ranges() && latencies.has_ranges());
        let two = on("l1,vmem=3", &fiji).unwrap_err();
        assert_eq!(two, "vmem has two latencies");
    }

    #[test]
    fn a_level_is_that_of_the_gpu_or_of_none() {
        let on = |gpu: &str, level: &str| -> Result<Vec<[u32; 2]>, String> {
            let latencies = level.parse::<MemoryQuestion>().unwrap().on(&Gpu::named(gpu).unwrap())?;
            Ok(latencies.latencies.iter().map(|latency| [latency.low_cycles, latency.high_cycles]).collect())
        };
        assert_eq!(on("mi300x", "l2"), Ok(vec![[291, 291]]));
        assert_eq!(on("rx6900xt", "mall"), Ok(vec![[372, 410]]));
        let error = on("mi300x", "mall").unwrap_err();
        assert!(
            error
                .starts_with("mall was measured on cards of gfx1030, not of gfx942; of gfx942, l1, l2, dram are known"),
            "{error}"
        );
        assert!(on("tahiti", "l1").unwrap_err().contains("gfx803, gfx90a"), "another card's is no answer");
    }

    #[test]
    fn malformed_latencies_are_named() {
        for (text, problem) in [
            ("", "\"\" is not one of dram, l0, l1, l2, mall, vmem=CYCLES, smem=CYCLES, lds=CYCLES"),
            ("l9", "\"l9\" is not one of"),
            ("gds=3", "\"gds\" is not a memory: vmem, smem, lds"),
            ("vmem=9..3", "\"vmem=9..3\" must be cycles"),
            ("vmem=1000001", "\"vmem=1000001\" must be cycles"),
        ] {
            let error = text.parse::<MemoryQuestion>().unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
    }

    #[test]
    fn each_level_is_of_a_target_and_closer_ones_are_faster() {
        let levels: Vec<Level> = presets(LEVELS);
        for row in &levels {
            assert!(gcn_model::isa::Processor::find(&row.target).is_some() && !row.source.is_empty(), "{}", row.target);
            assert!(row.low_cycles <= row.high_cycles, "{} of {}", row.level, row.target);
        }
        for pair in levels.windows(2).filter(|pair| pair[0].target == pair[1].target) {
            assert!(pair[0].high_cycles < pair[1].low_cycles, "{} of {}", pair[1].level, pair[1].target);
        }
    }
}
