//! Experiments of jumps.

use gcn_model::isa::Instruction;
use gcn_model::record::ExperimentKind;

use super::measurement::Measurement;
use super::plan::{LINE_LENGTHS, Plan};
use super::subject::Subject;
use crate::kernel::{Action, Block, MOST_REGISTER_JUMPS, Order, Snippet};

/// Lengths of the experiments whose jumps take their targets from registers, which limit the copies.
const REGISTER_LENGTHS: [u32; 3] = [2, 6, MOST_REGISTER_JUMPS];

impl Plan {
    /// A jump, not taken and taken, forward and backward. Not on many waves: a loop's own jump would be told apart by nothing.
    pub(super) fn jump(&mut self, measured: Measurement<'_>, instruction: &'static Instruction) {
        let through_register = Snippet::through_register(instruction);
        let lengths = if through_register.is_some() { REGISTER_LENGTHS } else { LINE_LENGTHS };
        let written = || measured.copies(instruction);
        let Some(snippet) = through_register.or_else(written) else {
            self.unsupported(instruction);
            return;
        };
        let subject = Subject::new(measured, snippet);
        if let Some(snippet) = subject.snippet.jumping(Action::NotTaken) {
            let purpose = "cycles of a jump that is not taken, one wave, each at the start of a 128-byte line";
            let subject = subject.with(snippet);
            self.one_wave(&subject, ExperimentKind::Cycles, "cycles", purpose, subject.line());
        }
        if let Some(snippet) = subject.snippet.jumping(Action::Taken) {
            // It lands at the start of a line, where a front end charges least.
            let purpose = "cycles of a jump to the next instruction, one wave, each at the end of a 64-byte line";
            let kind = ExperimentKind::Taken;
            let forward = subject.with(snippet.clone());
            let block = (Block::jumping(), Order::Straight);
            self.one_wave_of(&forward, kind, "taken", purpose, block, &lengths);
            let purpose = "cycles of a jump back to the start of a 64-byte line, one wave";
            let backward = subject.in_case(snippet, "backward".into());
            let block = (Block::jumping(), Order::Backward { entry: 0 });
            self.one_wave_of(&backward, kind, "taken", purpose, block, &lengths);
        }
    }
}
