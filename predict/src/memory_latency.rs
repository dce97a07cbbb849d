//! How long memory takes, as the user says it.

use std::str::FromStr;

use gcn_model::gpu::{Gpu, MemoryLevel, Provenance};
use gcn_model::quantity::Cycles;
use serde::{Deserialize, Serialize};

use crate::card::End;
use crate::code::Code;
use crate::cycle_range::{CycleRange, MOST_CYCLES};
use crate::error::PredictError;
use crate::prediction::{Prediction, predict};

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

/// Between what numbers the latency of a memory lies, and how much it brings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MemoryLatency {
    pub memory: Memory,
    /// Shader cycles from issue to result, at least.
    pub low_cycles: u32,
    /// Shader cycles from issue to result, at most.
    pub high_cycles: u32,
    /// The source; `None`: the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// The level of memory that it is of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<&'static str>,
    /// Bytes that a compute unit gets from the level in a shader cycle while all load, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit_bytes: Option<f64>,
}

/// The latencies that take the place of the GPU's; each memory at most once.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryLatencies {
    pub latencies: Vec<MemoryLatency>,
}

/// Latencies as the user says them, of any GPU.
///
/// As a text it is a list with commas of levels (`l1`, `dram`) and of `vmem`, `smem` or `lds`, `=`, and cycles or a range of them:
/// `l1,lds=64`, `vmem=300..500`.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryQuestion(Vec<Part>);

/// A part of a question.
#[derive(Debug, Clone, PartialEq)]
enum Part {
    /// The level of memory that holds the data.
    Level(&'static str),
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

    fn is_range(&self) -> bool {
        self.low_cycles < self.high_cycles
    }

    /// The latency at an end.
    fn at(&self, end: End) -> u32 {
        self.range().at(end)
    }

    /// The latency that a prediction is for, and where it comes from, in words.
    pub fn words(&self) -> String {
        let range = self.range().words();
        let source = self.source.as_ref().map(|source| format!(": {source}")).unwrap_or_default();
        let bytes =
            self.unit_bytes.map(|bytes| format!(", {bytes:.3} bytes a cycle for a compute unit while all load"));
        let bytes = bytes.unwrap_or_default();
        format!("{} takes {} cycles{range}{bytes}{source}", self.memory.name(), self.at(End::Middle))
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
        if let Some(level) = Gpu::MEMORY_LEVELS.into_iter().find(|level| *level == part) {
            return Ok(Part::Level(level));
        }
        let known = Gpu::MEMORY_LEVELS.join(", ");
        return Err(format!("{part:?} is not one of {known}, vmem=CYCLES, smem=CYCLES, lds=CYCLES"));
    };
    let known = || Memory::ALL.map(Memory::name).join(", ");
    let memory = Memory::ALL.into_iter().find(|memory| memory.name() == name);
    let memory = memory.ok_or_else(|| format!("{name:?} is not a memory: {}", known()))?;
    let range = CycleRange::of(range);
    let range = range.ok_or_else(|| format!("{part:?} must be cycles from 0 to {MOST_CYCLES}, or LOW..HIGH"))?;
    Ok(Part::Latency(MemoryLatency {
        memory,
        low_cycles: range.low,
        high_cycles: range.high,
        source: None,
        level: None,
        unit_bytes: None,
    }))
}

impl MemoryQuestion {
    /// The latencies on a GPU.
    ///
    /// # Errors
    /// The GPU's file says nothing of the level, or a memory has two latencies.
    pub fn on(&self, gpu: &Gpu) -> Result<MemoryLatencies, String> {
        let mut latencies: Vec<MemoryLatency> = Vec::new();
        for part in &self.0 {
            let found = match part {
                Part::Latency(latency) => latency.clone(),
                Part::Level(level) => latency_of(level, gpu)?,
            };
            if latencies.iter().any(|other| other.memory == found.memory) {
                return Err(format!("{} has two latencies", found.memory.name()));
            }
            latencies.push(found);
        }
        Ok(MemoryLatencies { latencies })
    }
}

/// The latency of a level, and how much it brings.
fn latency_of(level: &'static str, gpu: &Gpu) -> Result<MemoryLatency, String> {
    let of_level = |(name, of): (&'static str, &MemoryLevel)| Some((name, of.latency_cycles?, of.most_latency_cycles));
    let known = || gpu.memory_levels().filter_map(of_level);
    let unit_bytes = gpu.level_unit_bytes(level);
    let own = gpu.vector_memory.latency_cycles;
    let Some((_, low_cycles, most)) = known().find(|(name, ..)| *name == level) else {
        if unit_bytes.is_some() {
            // No level is faster than those before it.
            let (of, low_cycles, most) = gpu
                .memory_levels()
                .take_while(|(name, _)| *name != level)
                .filter_map(of_level)
                .last()
                .unwrap_or(("any load", own, None));
            let source = Some(format!("no latency of {level} is known on {}, so it is that of {of}", gpu.name));
            let high_cycles = most.unwrap_or(low_cycles);
            let (memory, level) = (Memory::Vmem, Some(level));
            return Ok(MemoryLatency { memory, low_cycles, high_cycles, source, level, unit_bytes });
        }
        let names = known().map(|(name, ..)| name).collect::<Vec<_>>().join(", ");
        let others = if names.is_empty() { "of none".to_owned() } else { format!("of {names}") };
        return Err(format!(
            "no latency of {level} is known on {}, {others}; give cycles, as in vmem=300..500, or a GPU file with {level}.latency_cycles",
            gpu.name
        ));
    };
    let source = gpu.origins.get(&format!("{level}.latency_cycles")).and_then(|origin| match &origin.provenance {
        Provenance::Source(source) => Some(source.clone()),
        Provenance::Estimated(why) => Some(format!("estimated: {why}")),
        Provenance::Stated => None,
    });
    let high_cycles = most.unwrap_or(low_cycles);
    Ok(MemoryLatency { memory: Memory::Vmem, low_cycles, high_cycles, source, level: Some(level), unit_bytes })
}

impl MemoryLatencies {
    /// The GPU with the latencies in the middle of their ranges.
    pub fn middle(&self, gpu: &Gpu) -> Gpu {
        self.at(gpu, End::Middle)
    }

    /// Whether a latency is a range.
    pub fn has_ranges(&self) -> bool {
        self.latencies.iter().any(MemoryLatency::is_range)
    }

    fn at(&self, gpu: &Gpu, end: End) -> Gpu {
        let mut gpu = gpu.clone();
        for latency in &self.latencies {
            let (cycles, key) = match latency.memory {
                Memory::Vmem => (&mut gpu.vector_memory.latency_cycles, "vector_memory.latency_cycles"),
                Memory::Smem => (&mut gpu.scalar_memory.latency_cycles, "scalar_memory.latency_cycles"),
                Memory::Lds => (&mut gpu.lds.latency_cycles, "lds.latency_cycles"),
            };
            if std::mem::replace(cycles, latency.at(end)) != latency.at(end)
                && let Some(origin) = gpu.origins.get_mut(key)
            {
                // No estimate of the file any more.
                origin.provenance = Provenance::Stated;
            }
            if let Some(bytes) = latency.unit_bytes {
                let own = gpu.vector_memory.unit_return_bytes;
                gpu.vector_memory.unit_return_bytes = if own > 0.0 { own.min(bytes) } else { bytes };
                gpu.vector_memory.level = latency.level;
            }
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
        self.latencies.iter().any(MemoryLatency::is_range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a text says of a shipped GPU.
    fn on(gpu: &str, text: &str) -> Result<MemoryLatencies, String> {
        text.parse::<MemoryQuestion>().unwrap().on(&Gpu::named(gpu).unwrap())
    }

    /// The lowest and the highest cycles of each latency.
    fn ranges(gpu: &str, text: &str) -> Result<Vec<[u32; 2]>, String> {
        let found = on(gpu, text)?.latencies;
        Ok(found.iter().map(|latency| [latency.low_cycles, latency.high_cycles]).collect())
    }

    #[test]
    fn levels_and_ranges_set_the_latencies_of_the_gpu() {
        let fiji = Gpu::named("fiji").unwrap();
        let latencies = on("fiji", "l1,lds=10..21,smem=7").unwrap();
        let of = |end| {
            let gpu = latencies.at(&fiji, end);
            [gpu.vector_memory.latency_cycles, gpu.scalar_memory.latency_cycles, gpu.lds.latency_cycles]
        };
        assert_eq!([End::Low, End::Middle, End::High].map(of), [[157, 7, 10], [158, 7, 15], [160, 7, 21]]);
        let dram = on("fiji", "dram").unwrap();
        assert_eq!(dram.middle(&fiji).vector_memory.latency_cycles, 461);
        assert_eq!(dram.middle(&fiji).scalar_memory, fiji.scalar_memory);
        assert!(!dram.has_ranges() && latencies.has_ranges());
        assert_eq!(on("fiji", "l1,vmem=3").unwrap_err(), "vmem has two latencies");
    }

    #[test]
    fn a_level_is_that_of_the_gpu_or_of_none() {
        let rx6900xt = Gpu::named("rx6900xt").unwrap();
        let [l0, l2] = ["l0", "l2"].map(|level| on("rx6900xt", level).unwrap().middle(&rx6900xt).vector_memory);
        assert_eq!((l2.unit_return_bytes, l2.level), (22.5, Some("l2")));
        assert_eq!(l0.unit_return_bytes, 51.0, "what the compute unit takes is less than the level gives");
        let of_memory = on("fiji", "dram").unwrap().latencies[0].unit_bytes.unwrap();
        assert!((of_memory - 512e9 / 1050e6 / 64.0).abs() < 1e-9, "{of_memory}");
        assert_eq!(ranges("mi300x", "l2"), Ok(vec![[291, 291]]));
        assert_eq!(ranges("rx6900xt", "mall"), Ok(vec![[372, 410]]));
        assert_eq!(ranges("rx6900xt", "dram"), Ok(vec![[372, 410]]), "no faster than the level before it");
        let error = on("mi300x", "mall").unwrap_err();
        assert!(error.starts_with("no latency of mall is known on mi300x, of l1, l2, dram; give cycles"), "{error}");
        let said = on("tahiti", "dram").unwrap().latencies[0].words();
        assert!(said.contains("no latency of dram is known on tahiti, so it is that of any load"), "{said}");
        let error = on("tahiti", "l1").unwrap_err();
        assert!(
            error.starts_with("no latency of l1 is known on tahiti, of none"),
            "another card's is no answer: {error}"
        );
    }

    #[test]
    fn malformed_latencies_are_named() {
        for (text, problem) in [
            ("", "\"\" is not one of l0, l1, l2, mall, dram, vmem=CYCLES, smem=CYCLES, lds=CYCLES"),
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
    fn closer_levels_are_faster_and_bring_more() {
        let mut found = 0;
        for gpu in Gpu::shipped().map(|name| Gpu::named(name).unwrap()) {
            let of = |level: &'static str| latency_of(level, &gpu).ok();
            let known = gpu.memory_levels();
            let known = known.filter(|(_, level)| level.latency_cycles.is_some()).map(|(name, _)| name);
            let levels: Vec<MemoryLatency> = known.filter_map(of).collect();
            for pair in levels.windows(2) {
                let names = [pair[0].level, pair[1].level];
                assert!(pair[0].high_cycles < pair[1].low_cycles, "{}: {names:?}", gpu.name);
                let bytes = pair[0].unit_bytes.zip(pair[1].unit_bytes);
                assert!(bytes.is_none_or(|(near, far)| near > far), "{}: {names:?}", gpu.name);
                found += 1;
            }
        }
        assert!(found > 10, "{found}");
    }
}
