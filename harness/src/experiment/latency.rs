//! Experiments about the latency of an instruction that is no memory instruction.

use gcn_model::record::ExperimentKind;

use super::mask_writer::waits_for_itself;
use super::plan::Plan;
use super::subject::Subject;
use crate::kernel::{Block, Copies, Filler, LONGEST_LINE_DWORDS, RELAY_FILLER, Snippet};

impl Plan {
    /// A chain of copies, each of which reads the result of the one before.
    pub(super) fn latency(&mut self, subject: &Subject<'_>, is_long: bool) {
        let instruction = subject.snippet.instruction;
        if let Some((relay, block)) = relay(subject) {
            let purpose =
                "latency: what follows a copy hands its result on to the next one, each waiting for the one before it";
            self.one_wave(&relay, ExperimentKind::Relay, "relay", purpose, block);
        } else if let Some(chain) = Snippet::new(instruction, subject.device.waves(), Copies::Chain) {
            let (chain, block) = subject.with(chain).spaced(Block::bare());
            if is_long {
                let purpose = "independent copies at the places of the chain, so that the front end's charge cancels";
                let packed = chain.with(subject.snippet.clone());
                self.one_wave(&packed, ExperimentKind::ChainBaseline, "packed", purpose, block.clone());
            }
            let purpose = "latency: each copy reads the result of the one before";
            self.one_wave(&chain, ExperimentKind::Chain, "chain", purpose, block);
        }
    }
}

/// Copies with what hands on their results, and their block: moves where copies must not follow each other, or what carries a result of
/// another kind than the source. `None` where a copy can read the result of the one before by itself.
fn relay<'a>(subject: &Subject<'a>) -> Option<(Subject<'a>, Block)> {
    let (device, instruction) = (subject.device, subject.snippet.instruction);
    let is_of_masks = waits_for_itself(instruction, device.generation);
    let carrying = Filler::carrying(instruction, device.lanes());
    let filler = carrying.or_else(|| is_of_masks.then_some(RELAY_FILLER))?;
    let relay = subject.with(Snippet::new(instruction, device.waves(), Copies::Relay)?);
    let relay = Subject { filler, ..relay };
    // A copy of two dwords is charged for its place: it stands where its cycles are measured.
    let has_line = is_of_masks || relay.snippet.dwords > 1;
    Some(if has_line { relay.padded(LONGEST_LINE_DWORDS) } else { (relay, Block::carried()) })
}
