//! Experiments of memory instructions.

use gcn_model::isa::{Encoding, Instruction};
use gcn_model::record::ExperimentKind;

use super::measurement::Measurement;
use super::plan::{LINE_LENGTHS, Plan};
use super::subject::Subject;
use crate::kernel::{Action, Block, Copies, Form, Order, Snippet, is_handled};

/// Distances of the lanes in the stride sweep, in dwords: from no conflict to all lanes of 32 banks in one, and twice that.
const STRIDES: [u32; 16] = [1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 24, 31, 32, 33, 64];
/// Loads that are swept: where one is slow, its own wait hides the conflicts.
const STRIDE_LOADS: [&str; 2] = ["DS_READ_B32", "DS_READ_U8"];
/// Waves on a SIMD during the sweep: enough to keep LDS busy, few enough for the LDS that the largest stride takes.
const STRIDE_WAVES: u32 = 2;

impl Plan {
    /// Cycles in each form, latency and throughput.
    pub(super) fn memory(&mut self, measured: Measurement<'_>, instruction: &'static Instruction) {
        let snippet = |copies, form| Snippet::memory(instruction, measured.device.generation, copies, form);
        let Some(plain) = snippet(Copies::Independent, Form::Plain) else {
            self.unsupported(instruction);
            return;
        };
        let subject = Subject::new(measured, plain);
        // A line of fillers after each gives the unit time to end: its own time is not the subject here.
        let purpose =
            "cycles of one wave to issue it, each at the start of a 128-byte line, without waiting for its data";
        let mut lengths = LINE_LENGTHS.to_vec();
        if is_handled(instruction, Action::Spread) {
            // One at a time: its passes show how the single executions differ.
            lengths.insert(0, 1);
        }
        let block = (subject.line(), Order::Straight);
        self.one_wave_of(&subject, ExperimentKind::Cycles, "cycles", purpose, block, &lengths);
        for form in Form::others(instruction) {
            if let Some(other) = snippet(Copies::Independent, form) {
                let subject = subject.in_case(other, form.case());
                self.one_wave(&subject, ExperimentKind::Cycles, "cycles", purpose, subject.line());
            }
        }
        if let Some(chase) = snippet(Copies::Chase, Form::Plain) {
            let purpose = "latency: each copy waits for the result of the one before";
            self.one_wave(&subject.with(chase), ExperimentKind::Chase, "chase", purpose, Block::bare());
        }
        self.throughput(&subject, &measured.options.waves);
    }

    /// Throughput of LDS loads whose lanes are ever further apart: bank conflicts.
    pub(super) fn strides(&mut self, measured: Measurement<'_>) {
        // A SIMD may have room for one wave only.
        let waves = [STRIDE_WAVES.min(measured.device.waves_per_simd)];
        let is_swept = |instruction: &&Instruction| {
            let is_load = instruction.encoding == Encoding::Ds && STRIDE_LOADS.contains(&instruction.canonical_name());
            is_load && measured.options.wants(&instruction.name)
        };
        for load in measured.device.instructions().filter(is_swept) {
            self.strides_of(measured, load, &waves);
        }
    }

    fn strides_of(&mut self, measured: Measurement<'_>, load: &'static Instruction, waves: &[u32]) {
        for stride in STRIDES {
            let form = Form::Stride(stride);
            if let Some(snippet) = Snippet::memory(load, measured.device.generation, Copies::Independent, form) {
                let subject = Subject::new(measured, snippet.clone()).in_case(snippet, form.case());
                self.throughput(&subject, waves);
            }
        }
    }
}
