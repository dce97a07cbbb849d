//! What becomes of the kernels of a library.

use std::collections::BTreeMap;

use gcn_harness::code::Function;
use gcn_model::gpu::Gpu;
use gcn_model::isa::GroupMode;
use gcn_predict::{Basis, PredictError, Prediction, Question, RegionKind, predict};
use gcn_simulator::SimulationError;
use rayon::prelude::*;

/// Each n-th kernel is predicted on a full compute unit, too.
const CROWDED: usize = 500;
/// One wave, and three on each SIMD.
const ALONE: Question =
    Question { waves_per_simd: 1, simds: 1, waves_per_group: None, group_mode: GroupMode::ComputeUnit };
const MANY: Question =
    Question { waves_per_simd: 3, simds: 4, waves_per_group: None, group_mode: GroupMode::ComputeUnit };

/// What became of kernels.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Counts {
    pub(crate) kernels: usize,
    pub(crate) instructions: usize,
    pub(crate) loops: usize,
    /// Regions that are no loops.
    pub(crate) straight: usize,
    pub(crate) predicted: usize,
    pub(crate) not_steady: usize,
    /// Instructions of the predicted regions, and those of them that waves reach.
    pub(crate) in_regions: usize,
    pub(crate) reached: usize,
    /// Refusals of kernels or regions, by their reason.
    pub(crate) refused: BTreeMap<String, usize>,
    /// Cycles of issue of an iteration, of all regions, by their basis.
    pub(crate) issue: BTreeMap<Basis, f64>,
}

impl Counts {
    /// Predicts each kernel, and checks the common properties of each prediction.
    pub(crate) fn of<'f>(gpu: &Gpu, functions: impl Iterator<Item = &'f Function>) -> Self {
        let numbered = functions.enumerate().collect::<Vec<_>>().into_par_iter();
        let of_each: Vec<Self> =
            numbered.map(|(number, function)| Self::of_function(gpu, function, number % CROWDED == 0)).collect();
        of_each.into_iter().fold(Self::default(), Self::and)
    }

    fn of_function(gpu: &Gpu, function: &Function, is_crowded: bool) -> Self {
        let mut counts = Self { kernels: 1, ..Self::default() };
        let regions = function.code.instructions(gpu.processor()).and_then(|instructions| {
            counts.instructions = instructions.len();
            function.code.regions(gpu.processor())
        });
        match regions {
            Err(error) => counts.refuse(&error),
            Ok(regions) => {
                for region in &regions {
                    let kind = if region.kind == RegionKind::Loop { &mut counts.loops } else { &mut counts.straight };
                    *kind += 1;
                    match predict(gpu, &function.code, region, ALONE) {
                        Ok(prediction) => counts.count(&function.name, &prediction),
                        Err(error) => counts.refuse(&error),
                    }
                    if is_crowded && let Ok(prediction) = predict(gpu, &function.code, region, MANY) {
                        assert_holds(&function.name, &prediction);
                    }
                }
            }
        }
        counts
    }

    fn refuse(&mut self, error: &PredictError) {
        *self.refused.entry(reason(error)).or_default() += 1;
    }

    fn count(&mut self, name: &str, prediction: &Prediction) {
        assert_holds(name, prediction);
        self.predicted += 1;
        self.not_steady += usize::from(!prediction.is_steady);
        self.in_regions += prediction.instructions.len();
        self.reached += prediction.instructions.iter().filter(|line| line.issue.0 > 0.0).count();
        for line in &prediction.instructions {
            *self.issue.entry(line.basis).or_default() += line.issue.0;
        }
    }

    fn and(mut self, other: Self) -> Self {
        let Self { kernels, instructions, loops, straight, predicted, not_steady, in_regions, reached, refused, issue } =
            other;
        self.kernels += kernels;
        self.instructions += instructions;
        self.loops += loops;
        self.straight += straight;
        self.predicted += predicted;
        self.not_steady += not_steady;
        self.in_regions += in_regions;
        self.reached += reached;
        for (reason, count) in refused {
            *self.refused.entry(reason).or_default() += count;
        }
        for (basis, cycles) in issue {
            *self.issue.entry(basis).or_default() += cycles;
        }
        self
    }
}

/// The common properties of every prediction.
fn assert_holds(name: &str, prediction: &Prediction) {
    let place = format!("{name}, {}, {:?}", prediction.region.name, prediction.question);
    let cycles = prediction.cycles_per_iteration.0;
    assert!(cycles.is_finite() && cycles > 0.0, "{place}: {cycles} cycles");
    let sum: f64 = prediction.instructions.iter().map(|line| line.issue.0 + line.stalled().0).sum();
    assert!((sum - cycles).abs() <= 1e-9 * cycles, "{place}: {sum} of {cycles} cycles");
    for bound in prediction.bounds.iter().filter(|_| prediction.is_steady) {
        assert!(bound.share <= 1.01, "{place}: {bound:?} of {cycles} cycles");
    }
}

/// Why there is no prediction, without what differs from one region to the other.
fn reason(error: &PredictError) -> String {
    match error {
        PredictError::Simulation(SimulationError::Execution { instruction, problem, .. }) => {
            let name = instruction.split_whitespace().next().unwrap_or(instruction);
            format!("{}: {problem}", name.to_uppercase())
        }
        PredictError::Outside { .. } => "a region that is not a part of the code".to_owned(),
        other => other.to_string(),
    }
}
