//! A GPU, and how sure the timings of its instructions are.

use std::collections::BTreeMap;

use gcn_model::gpu::Gpu;
use gcn_model::isa::{Generation, GroupMode, Instruction};
use gcn_model::timing::Timings;
use gcn_simulator::vector_passes;

use crate::basis::Basis;
use crate::error::PredictError;

/// A number that was measured, with the interval that holds the true one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    pub low: f64,
    pub value: f64,
    pub high: f64,
}

/// A run's statement about an instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredTiming {
    /// Shader cycles, one wave.
    pub cycles: Span,
    /// Instructions per cycle and compute unit, if that settled.
    pub throughput: Option<Span>,
}

/// A GPU, and a run's measurements of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Card {
    /// The source of values that were not measured.
    pub gpu: Gpu,
    /// By instruction.
    pub measured: BTreeMap<String, MeasuredTiming>,
    /// The run, and its unusable parts, in words.
    pub remarks: Vec<String>,
    /// The waves that the run was measured with; its numbers are of no others.
    pub conditions: Option<Conditions>,
}

/// The waves that a run was measured with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conditions {
    /// Lanes of a wave.
    pub wave_size: u32,
    pub group_mode: GroupMode,
}

/// The end of a timing's possible range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// As few cycles as possible.
    Low,
    /// The likeliest.
    Middle,
    /// As many cycles as possible.
    High,
}

/// An unpublished value lies between this part of the estimate and this multiple of it.
const ESTIMATE_REACHES: u32 = 2;

impl Span {
    /// The whole number at an end; where the interval holds none, one of the two around the value.
    fn whole(self, end: End) -> u32 {
        // An interval of no width around a whole number holds it.
        const ROUNDING: f64 = 1e-6;
        let (least, most) = ((self.low - ROUNDING).ceil(), (self.high + ROUNDING).floor());
        let (least, most) = if least <= most { (least, most) } else { (self.value.floor(), self.value.ceil()) };
        (match end {
            End::Low => least,
            End::Middle => self.value.round().clamp(least, most),
            End::High => most,
        }) as u32
    }
}

impl Conditions {
    /// In words: what all waves of a generation are is left out.
    fn words(self, generation: Generation) -> String {
        let size = format!("waves of {} lanes", self.wave_size);
        let is_said = generation.has_group_modes() || self.group_mode != GroupMode::ComputeUnit;
        if is_said { format!("{size} in {} mode", self.group_mode) } else { size }
    }
}

impl From<&Gpu> for Card {
    fn from(gpu: &Gpu) -> Self {
        Self { gpu: gpu.clone(), measured: BTreeMap::new(), remarks: Vec::new(), conditions: None }
    }
}

impl Card {
    /// The card in waves of this many lanes, whose work-groups run in a mode.
    ///
    /// # Errors
    /// The GPU has no such waves, or a run has measured others.
    pub fn for_waves_of(&self, wave_size: u32, group_mode: GroupMode) -> Result<Self, PredictError> {
        let generation = self.gpu.generation;
        let conditions = Conditions { wave_size, group_mode };
        if let Some(measured) = self.conditions.filter(|measured| *measured != conditions) {
            let told = |it: Conditions| it.words(generation);
            let (measured, asked) = (told(measured), told(conditions));
            return Err(PredictError::Waves(format!(
                "the run was measured with {measured}, and the code is for {asked}"
            )));
        }
        let gpu = self
            .gpu
            .in_waves_of(wave_size)
            .filter(|_| group_mode == GroupMode::ComputeUnit || generation.has_group_modes());
        let gpu = gpu.ok_or_else(|| {
            let sizes: Vec<String> = generation.waves.sizes.iter().map(u32::to_string).collect();
            let modes = if generation.has_group_modes() { "in cu or wgp mode" } else { "on a compute unit" };
            let (asked, sizes) = (conditions.words(generation), sizes.join(" or "));
            PredictError::Waves(format!("{asked}: those of {} have {sizes} lanes, {modes}", self.gpu.name))
        })?;
        Ok(Self { gpu, ..self.clone() })
    }

    /// The GPU with all timings at the likeliest.
    pub fn likeliest(&self) -> Gpu {
        self.at(&[])
    }

    /// The basis of an instruction's cycles, with its place.
    pub(crate) fn basis(&self, timings: &Timings, instruction: &Instruction) -> (Basis, String) {
        let Some(MeasuredTiming { cycles, .. }) = self.measured.get(&instruction.name) else {
            return Basis::of(&timings.get(instruction));
        };
        (Basis::Measured, format!("measured: {} [{}, {}] cycles", cycles.value, cycles.low, cycles.high))
    }

    /// The GPU with each of these instructions at an end of its range, and all others at the likeliest.
    pub(crate) fn at(&self, ends: &[(&Instruction, End)]) -> Gpu {
        let mut gpu = self.gpu.clone();
        let processor = gpu.processor();
        for (name, measured) in &self.measured {
            // Timings of a GPU are those of its smallest waves.
            let passes = processor.instruction(name).map_or(1, |instruction| vector_passes(&self.gpu, instruction));
            let end =
                ends.iter().find(|(instruction, _)| instruction.name == *name).map_or(End::Middle, |(_, end)| *end);
            let cycles = (measured.cycles.whole(end) / passes).max(1);
            gpu.cycles.insert(name.clone(), vec![cycles]);
            if let Some(throughput) = measured.throughput {
                // The more instructions in a cycle, the fewer cycles for each.
                let of_end = match end {
                    End::Low => throughput.high,
                    End::Middle => throughput.value,
                    End::High => throughput.low,
                };
                gpu.throughput.insert(name.clone(), of_end * f64::from(passes));
            }
        }
        let timings = Timings::of(&self.gpu);
        for (instruction, end) in ends.iter().filter(|(instruction, _)| !self.measured.contains_key(&instruction.name))
        {
            let estimate = timings.get(instruction).cycles;
            let least = gpu.generation.waves.issue_interval_cycles.min(estimate);
            let cycles = match end {
                End::Low => (estimate / ESTIMATE_REACHES).max(least),
                End::Middle => estimate,
                End::High => estimate * ESTIMATE_REACHES,
            };
            gpu.cycles.insert(instruction.name.clone(), vec![cycles]);
        }
        gpu
    }

    /// Whether an instruction may take more or less than the likeliest.
    pub(crate) fn is_unsure(&self, timings: &Timings, instruction: &Instruction) -> bool {
        match self.measured.get(&instruction.name) {
            Some(measured) => {
                measured.cycles.whole(End::Low) < measured.cycles.whole(End::High)
                    || measured.throughput.is_some_and(|throughput| throughput.low < throughput.high)
            }
            None => Basis::of(&timings.get(instruction)).0 == Basis::Estimated,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_cycles_lie_inside_of_the_interval() {
        let wholes =
            |low, value, high| [End::Low, End::Middle, End::High].map(|end| Span { low, value, high }.whole(end));
        assert_eq!(wholes(4.0, 4.0, 4.0), [4, 4, 4]);
        assert_eq!(wholes(3.8, 4.1, 4.3), [4, 4, 4]);
        assert_eq!(wholes(14.2, 15.6, 17.1), [15, 16, 17]);
        assert_eq!(wholes(4.07, 4.08, 4.09), [4, 4, 5], "a mixture of two");
    }
}
