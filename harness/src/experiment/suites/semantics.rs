//! Cases that no source settles: each runs alone, and its result is stored in place of a time.

use gcn_model::record::ExperimentKind;
use gcn_model::semantics::semantic_cases;

use crate::experiment::measurement::Measurement;
use crate::experiment::plan::Plan;
use crate::experiment::planned::{Experiment, Phase, PlannedLaunch};
use crate::experiment::subject::{Subject, experiment_id};
use crate::kernel::{Block, Order, Section, Snippet};

/// The rule that these experiments are cases of: they are no instruction's timings.
const RULE: &str = "semantics";
/// Passes that are kept: the result is the same each time.
const SAMPLES: u32 = 2;

impl Plan {
    /// The cases whose instruction the target has.
    pub(super) fn semantics(&mut self, measured: Measurement<'_>) {
        // The result is added to a reading of the counter, which must not wrap.
        if measured.device.generation.counters.cycles.read.bits_of_reading() < u64::BITS {
            return;
        }
        for case in semantic_cases() {
            let Some(instruction) = measured.wanted(&case.instruction) else { continue };
            let subject =
                Subject { case: case.name.clone(), ..Subject::new(measured, Snippet::computing(instruction, case)) };
            let name = format!("{RULE}/{}", case.name);
            let purpose = "result of the instruction: the dword replaces the cycles";
            let block = (Block::bare(), Order::Straight);
            let kernel = self.kernel(&subject, &name, purpose, block, vec![Section { n: 1, loops: None }], SAMPLES, 0);
            let id = experiment_id(&subject, RULE);
            let mut record = self.record(kernel, ExperimentKind::Semantics, id, 1, 1, &case.name);
            record.rule = RULE.into();
            let launch = PlannedLaunch { kernel, groups: 1, group_size: measured.device.lanes(), lds_bytes: 0 };
            self.experiments.push(Experiment { record, launches: vec![launch], phase: Phase::Once });
        }
    }
}
