//! Experiments on the banks of the LDS: their number, and the lanes that are served together.

use gcn_model::isa::{Encoding, Instruction};
use gcn_model::record::{ExperimentKind, LDS_LANES, LaneGroupsCase};

use crate::experiment::measurement::Measurement;
use crate::experiment::plan::{Plan, THROUGHPUT_LOOPS};
use crate::experiment::subject::Subject;
use crate::experiment::throughput::Throughput;
use crate::kernel::{Block, Copies, Form, Order, Snippet};

/// Distances of the lanes in the stride sweep, in dwords: from no conflict to all lanes of 32 banks in one, and twice that.
const STRIDES: [u32; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 24, 31, 32, 33, 64];
/// Loads that are swept: where one is slow, its own wait hides the conflicts.
const STRIDE_LOADS: [&str; 2] = ["DS_READ_B32", "DS_READ_U8"];
/// Accesses that are too wide for all lanes of a pass over the banks to be neighbours.
const WIDE: [&str; 4] = ["DS_READ_B64", "DS_READ_B128", "DS_WRITE_B64", "DS_WRITE_B128"];
/// Groups of four lanes in 32.
const GROUPS: u32 = 8;
/// Waves on a SIMD: enough to keep LDS busy, few enough for the LDS that the largest stride takes.
const WAVES: u32 = 2;

impl Plan {
    /// Throughput of LDS loads whose lanes are ever further apart: bank conflicts.
    pub(in crate::experiment) fn strides(&mut self, measured: Measurement<'_>) {
        let is_swept = |instruction: &&Instruction| {
            let is_load = instruction.encoding == Encoding::Ds && STRIDE_LOADS.contains(&instruction.canonical_name());
            is_load && measured.options.wants(&instruction.name)
        };
        for load in measured.device.instructions().filter(is_swept) {
            for form in STRIDES.map(Form::Stride) {
                if let Some(snippet) = Snippet::memory(load, measured.device.generation, Copies::Independent, form) {
                    let subject = Subject::new(measured, snippet.clone()).in_case(snippet, form.case());
                    self.throughput(&subject, &waves(measured));
                }
            }
        }
    }

    /// Throughput of wide LDS accesses of two groups of four lanes, which meet in one bank or in two: whether they are served together.
    pub(super) fn lane_groups(&mut self, measured: Measurement<'_>) {
        for access in WIDE.into_iter().filter_map(|name| measured.wanted(name)) {
            let pairs = (0..GROUPS).flat_map(|first| (first + 1..GROUPS).map(move |second| [first * 4, second * 4]));
            for case in pairs.flat_map(|lanes| [true, false].map(|is_one_bank| LaneGroupsCase { lanes, is_one_bank })) {
                self.lane_group(measured, access, case);
            }
        }
    }

    fn lane_group(&mut self, measured: Measurement<'_>, access: &'static Instruction, case: LaneGroupsCase) {
        let form = Form::LaneGroups(case);
        let Some(snippet) = Snippet::memory(access, measured.device.generation, Copies::Independent, form) else {
            return;
        };
        let [first, second] = case.lanes;
        let id = format!("{LDS_LANES}/{first}-{second}-{}", if case.is_one_bank { "one" } else { "two" });
        let planned = Throughput {
            name: &id,
            id: &id,
            kind: ExperimentKind::Throughput,
            block: (Block::bare(), Order::Straight),
            timed: THROUGHPUT_LOOPS,
            waves: &waves(measured),
        };
        let before = self.experiments.len();
        self.throughput_of(&Subject::new(measured, snippet), &planned);
        self.tell_rule(before, LDS_LANES, &case.to_string(), None);
    }
}

/// A SIMD may have room for one wave only.
fn waves(measured: Measurement<'_>) -> [u32; 1] {
    [WAVES.min(measured.device.waves_per_simd)]
}
