//! Experiments of memory instructions.

use gcn_model::isa::Instruction;
use gcn_model::record::ExperimentKind;

use super::measurement::Measurement;
use super::plan::{LINE_LENGTHS, Plan};
use super::subject::Subject;
use crate::kernel::{Action, Block, Copies, Form, Order, Snippet, is_handled};

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
        for form in Form::others(instruction, measured.device.generation) {
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
}
