//! Experiments on two instructions in one (VOPD): every pair that there is, the same two one after the other, and pairs whose sources are in one
//! bank of registers.
//!
//! The manuals say about such a pair that "the instruction does not function": it is launched with `--dangerous` only, unless the
//! generation's rules allow it.

use gcn_model::isa::{Encoding, Instruction, Processor};
use gcn_model::record::{ExperimentKind, ExperimentStatus, PAIR, PAIR_BANK, PAIR_IN_SEQUENCE, PairCase, SharedSource};

use crate::experiment::measurement::Measurement;
use crate::experiment::plan::{BARE_LENGTHS, Plan};
use crate::experiment::planned::Phase;
use crate::experiment::subject::Subject;
use crate::kernel::{Block, Order, Part, Snippet, shared_sources};

/// Why a pair that breaks a rule is not launched.
const FORBIDDEN: &str = "dangerous, launched with --dangerous only: the ISA manual forbids such pairs (\"the instruction does not function\")";

impl Plan {
    /// All pairs of the target in waves of the run's size; empty for others.
    pub(super) fn pairs(&mut self, measured: Measurement<'_>) {
        let device = measured.device;
        let Some(processor) = device.processor() else { return };
        let seconds: Vec<&'static Instruction> = device
            .instructions()
            .filter(|instruction| instruction.encoding == Encoding::Vopd && measured.options.wants(&instruction.name))
            .collect();
        let highest = device.generation.format(Encoding::Vopd).map_or(0, gcn_model::isa::Format::highest_opcode);
        let firsts = || seconds.iter().copied().filter(|instruction| instruction.opcode <= highest);
        for pair in firsts().flat_map(|first| seconds.iter().map(move |second| [first, *second])) {
            self.legal_pair(measured, pair, processor);
        }
        let mut seen = Vec::new();
        for pair in firsts().flat_map(|first| seconds.iter().map(move |second| [first, *second])) {
            let shape = pair.map(shape);
            if !seen.contains(&shape) {
                seen.push(shape);
                shared_sources().for_each(|shared| self.shared_bank(measured, pair, processor, shared));
            }
        }
    }

    /// A pair that keeps all rules, and its two one after the other where each stands alone.
    fn legal_pair(
        &mut self,
        measured: Measurement<'_>,
        [first, second]: [&'static Instruction; 2],
        processor: Processor,
    ) {
        let Some(snippet) = Snippet::pair([first, second], processor, None) else {
            self.unsupported(first);
            self.mark(PAIR, &second.name, None);
            return;
        };
        let subject = Subject::new(measured, snippet);
        let purpose = "dual issue, independent copies back to back";
        self.block_of(&subject, Block::bare(), &format!("{PAIR}/{}", second.name), purpose);
        self.mark(PAIR, &second.name, None);
        let alone = |of: &'static Instruction, half| {
            Snippet::alone(measured.device.instruction(of.canonical_name())?, of, half)
        };
        let (Some(x), Some(y)) = (alone(first, 0), alone(second, 1)) else { return };
        let name = y.instruction.name.clone();
        let subject = Subject::new(measured, x).joined_by(y);
        let block = Block { parts: vec![Part::Snippet, Part::Other(0)] };
        let purpose = "the same two instructions in sequence";
        self.block_of(&subject, block, &format!("{PAIR_IN_SEQUENCE}/{name}"), purpose);
        self.mark(PAIR_IN_SEQUENCE, &name, None);
    }

    /// A pair with sources in one bank, if it reads two that can be.
    fn shared_bank(
        &mut self,
        measured: Measurement<'_>,
        pair: [&'static Instruction; 2],
        processor: Processor,
        shared: SharedSource,
    ) {
        let Some(snippet) = Snippet::pair(pair, processor, Some(shared)) else { return };
        let second = &pair[1].name;
        let is_forbidden = !snippet.breaches.is_empty();
        if is_forbidden && !measured.options.dangerous {
            self.leave_out(pair[0], ExperimentStatus::Skipped, FORBIDDEN.into());
        } else {
            let subject = Subject::new(measured, snippet);
            let purpose = "dual issue with sources in one register bank";
            let name = format!("{PAIR_BANK}/{second}/{}", shared.to_string().replace(' ', "-"));
            self.block_of(&subject, Block::bare(), &name, purpose);
        }
        self.mark(PAIR_BANK, second, Some(shared));
        if let Some(last) = self.experiments.last_mut().filter(|_| is_forbidden) {
            // What can take the card with it comes last.
            last.phase = Phase::Last;
        }
    }

    fn block_of(&mut self, subject: &Subject<'_>, block: Block, name: &str, purpose: &str) {
        let straight = (block, Order::Straight);
        self.one_wave_of(subject, ExperimentKind::Block, name, purpose, straight, &BARE_LENGTHS);
    }

    /// Sets the case of the last experiment.
    fn mark(&mut self, rule: &str, second: &str, shared: Option<SharedSource>) {
        let Some(experiment) = self.experiments.last_mut() else { return };
        let record = &mut experiment.record;
        if record.status != ExperimentStatus::Ok {
            let shared = shared.map_or_else(String::new, |shared| shared.to_string().replace(' ', "-"));
            record.experiment = format!("{}/{rule}/{second}/{shared}", record.instruction).trim_end_matches('/').into();
            record.kind = ExperimentKind::Block;
        }
        record.rule = rule.into();
        record.case = PairCase { second, shared }.to_string();
    }
}

/// What decides which of its sources an instruction reads from where: the kinds of its operands, in their order.
fn shape(instruction: &Instruction) -> Vec<(gcn_model::isa::OperandKind, bool)> {
    instruction.operands.iter().map(|operand| (operand.kind, operand.is_written() && operand.is_read())).collect()
}
