//! The instruction cache's content at the start of a run.

use std::str::FromStr;

use gcn_model::gpu::Gpu;
use gcn_simulator::Configuration;
use serde::{Deserialize, Serialize};

use crate::card::End;
use crate::cycle_range::{CycleRange, MOST_CYCLES, presets};
use crate::question::Question;

/// What others have measured, by the name of a preset.
const PRESETS: &str = include_str!("../data/cold_line.csv");

/// How long a line that is missing takes to arrive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColdLine {
    /// Shader cycles, at least.
    pub low_cycles: u32,
    /// Shader cycles, at most.
    pub high_cycles: u32,
    /// The source; `None`: the user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

/// The instruction cache's content at the start of a run.
///
/// As a text it is `warm`, `cold`, or `cold=` with a preset (`dram`), cycles, or a range of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Start {
    /// The code, as if it had run before.
    Warm,
    /// Nothing: each line is missed when it is fetched for the first time.
    Cold {
        /// Replaces the GPU's value.
        line: Option<ColdLine>,
    },
}

/// A row of the presets.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Preset {
    preset: String,
    low_cycles: u32,
    high_cycles: u32,
    source: String,
}

fn cold_lines() -> Vec<Preset> {
    presets(PRESETS)
}

impl ColdLine {
    fn range(&self) -> CycleRange {
        CycleRange { low: self.low_cycles, high: self.high_cycles }
    }
}

impl Default for Start {
    /// Cold, with the cycles of the GPU.
    fn default() -> Self {
        Self::Cold { line: None }
    }
}

impl FromStr for Start {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let line = match text {
            "warm" => return Ok(Self::Warm),
            "cold" => return Ok(Self::default()),
            other => other.strip_prefix("cold=").ok_or("`warm`, `cold`, or `cold=` and cycles for a missing line")?,
        };
        let presets = cold_lines();
        if let Some(Preset { low_cycles, high_cycles, source, .. }) = presets.iter().find(|row| row.preset == line) {
            let (low_cycles, high_cycles, source) = (*low_cycles, *high_cycles, Some(source.clone()));
            return Ok(Self::Cold { line: Some(ColdLine { low_cycles, high_cycles, source }) });
        }
        match CycleRange::of(line) {
            Some(CycleRange { low, high }) => {
                Ok(Self::Cold { line: Some(ColdLine { low_cycles: low, high_cycles: high, source: None }) })
            }
            None => {
                let known = presets.iter().map(|row| row.preset.as_str()).collect::<Vec<_>>().join(", ");
                Err(format!("{line:?} must be {known}, cycles from 0 to {MOST_CYCLES}, or LOW..HIGH"))
            }
        }
    }
}

impl Start {
    /// The GPU with the cycles of a missing line that were named, in the middle of their range.
    pub fn gpu(&self, gpu: &Gpu) -> Gpu {
        self.at(gpu, End::Middle)
    }

    /// Whether a missing line takes a range of cycles.
    pub fn has_range(&self) -> bool {
        matches!(self, Self::Cold { line: Some(line) } if line.low_cycles < line.high_cycles)
    }

    /// The GPU with the cycles of a missing line at an end of their range.
    pub(crate) fn at(&self, gpu: &Gpu, end: End) -> Gpu {
        let mut gpu = gpu.clone();
        if let Self::Cold { line: Some(line) } = self {
            gpu.instruction_cache.miss_cycles = line.range().at(end);
        }
        gpu
    }

    /// The simulator of a GPU, with the cache as it is at the start.
    pub(crate) fn configuration(&self, gpu: &Gpu) -> Configuration {
        self.put(Configuration::of(gpu))
    }

    /// The simulator that answers a question, with the cache as it is at the start.
    pub(crate) fn machine(&self, gpu: &Gpu, question: &Question) -> Configuration {
        self.put(question.machine(gpu))
    }

    fn put(&self, mut configuration: Configuration) -> Configuration {
        configuration.instruction_cache.starts_warm = *self == Self::Warm;
        configuration
    }

    /// How long a missing line takes on the GPU, and who says so.
    pub(crate) fn line_words(&self, gpu: &Gpu) -> String {
        let cycles = self.gpu(gpu).instruction_cache.miss_cycles;
        match self {
            Self::Cold { line: Some(line) } => {
                let range = line.range().words();
                let source = line.source.as_ref().map(|source| format!(": {source}")).unwrap_or_default();
                format!("a missing line takes {cycles} cycles{range}{source}")
            }
            Self::Warm | Self::Cold { line: None } => {
                let measured = cold_lines()
                    .iter()
                    .map(|row| format!("cold={} is {}", row.preset, row.words()))
                    .collect::<Vec<_>>();
                format!("a missing line takes {cycles} cycles, as in {}; --start {}", gpu.name, measured.join("; "))
            }
        }
    }

    /// A launch's assumption about the cache.
    pub(crate) fn assumption(&self, gpu: &Gpu) -> String {
        match self {
            Self::Warm => "the instruction cache is warm, and no other kernel runs".to_owned(),
            Self::Cold { line: None } => "the instruction cache is cold, and no other kernel runs".to_owned(),
            Self::Cold { .. } => {
                format!("the instruction cache is cold, and no other kernel runs; {}", self.line_words(gpu))
            }
        }
    }
}

impl Preset {
    fn words(&self) -> String {
        format!("{} to {} cycles: {}", self.low_cycles, self.high_cycles, self.source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_line_takes_the_given_cycles() {
        let fiji = Gpu::named("fiji").unwrap();
        let of = |text: &str| {
            let start: Start = text.parse().unwrap();
            [End::Low, End::Middle, End::High].map(|end| start.at(&fiji, end).instruction_cache.miss_cycles)
        };
        let own = fiji.instruction_cache.miss_cycles;
        assert_eq!([of("cold"), of("warm")], [[own; 3]; 2]);
        assert_eq!([of("cold=7"), of("cold=7..10"), of("cold=dram")], [[7; 3], [7, 8, 10], [400, 410, 420]]);
        assert!("cold=dram".parse::<Start>().unwrap().line_words(&fiji).contains("R9 Nano"));
    }

    #[test]
    fn malformed_starts_are_named() {
        for (text, problem) in [
            ("hot", "`warm`, `cold`, or `cold=`"),
            ("cold=", "\"\" must be dram, cycles"),
            ("cold=9..3", "\"9..3\" must be"),
            ("cold=1000001", "\"1000001\" must be"),
        ] {
            let error = text.parse::<Start>().unwrap_err();
            assert!(error.starts_with(problem), "{error}");
        }
    }
}
