//! The instructions of a kernel and where each can go on.

use std::collections::HashMap;

use super::facts::Facts;
use crate::decode::{DecodeError, Decoded, decode};
use crate::isa::Processor;

/// A kernel's code from its entry to its S_ENDPGM.
pub(super) struct Code {
    pub(super) steps: Vec<Step>,
    /// Each distinct instruction once: timed code is the same few over and over.
    pub(super) facts: Vec<Facts>,
    /// The steps that branches lead to: paths meet again nowhere else.
    targets: Vec<bool>,
}

/// An instruction at its place.
pub(super) struct Step {
    pub(super) address: u64,
    pub(super) decoded: Decoded,
    /// Its place among the facts.
    pub(super) facts: usize,
    /// The step after it and the one that it jumps to, where it may go on there.
    next: [Option<usize>; 2],
}

impl Step {
    /// The steps that may come next.
    pub(super) fn next(&self) -> impl Iterator<Item = usize> {
        self.next.into_iter().flatten()
    }

    /// The step after it, unless it always jumps or ends.
    pub(super) const fn after(&self) -> Option<usize> {
        self.next[0]
    }
}

impl Code {
    /// A kernel's code up to its S_ENDPGM.
    pub(super) fn read(processor: Processor, words: &[u32], entry: u64) -> Result<Self, DecodeError> {
        let mut is_ended = false;
        let decoded = instructions(processor, words, entry).take_while(|decoded| {
            let is_read = !is_ended;
            is_ended |= decoded.as_ref().is_ok_and(|(_, decoded)| decoded.instruction.name == "S_ENDPGM");
            is_read
        });
        Ok(Self::of(decoded.collect::<Result<_, _>>()?))
    }

    /// All code up to the first word that is no instruction.
    pub(super) fn all(processor: Processor, words: &[u32], entry: u64) -> Self {
        Self::of(instructions(processor, words, entry).map_while(Result::ok).collect())
    }

    fn of(instructions: Vec<(u64, Decoded)>) -> Self {
        let (mut steps, mut facts): (Vec<Step>, _) = (Vec::with_capacity(instructions.len()), Vec::new());
        let mut known: HashMap<[u32; 3], usize> = HashMap::new();
        for (address, decoded) in instructions {
            let is_again = |last: &&Step| last.decoded.words == decoded.words;
            let facts = match steps.last().filter(is_again) {
                Some(last) => last.facts,
                None => *known.entry(decoded.words).or_insert_with(|| {
                    facts.push(Facts::of(&decoded));
                    facts.len() - 1
                }),
            };
            steps.push(Step { address, decoded, facts, next: [None; 2] });
        }
        let mut targets = vec![false; steps.len()];
        for index in 0..steps.len() {
            let Step { address, decoded, .. } = &steps[index];
            let name = decoded.instruction.name.as_str();
            // The target of a jump through a register is not in its words: the kernels here continue after it.
            let goes_on = name != "S_BRANCH" && name != "S_ENDPGM" && index + 1 < steps.len();
            let after = goes_on.then_some(index + 1);
            let place = |target: u64| steps.binary_search_by_key(&target, |step| step.address).ok();
            let target = decoded.branch_target(*address).and_then(place);
            if let Some(target) = target {
                targets[target] = true;
            }
            steps[index].next = [after, target.filter(|_| target != after)];
        }
        Self { steps, facts, targets }
    }

    pub(super) fn is_branch_target(&self, step: usize) -> bool {
        self.targets[step]
    }

    pub(super) fn facts(&self, step: usize) -> &Facts {
        &self.facts[self.steps[step].facts]
    }
}

/// The instructions of some words, each with its address; the last one may be an error.
fn instructions(
    processor: Processor,
    words: &[u32],
    entry: u64,
) -> impl Iterator<Item = Result<(u64, Decoded), DecodeError>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = words.get(at..).filter(|rest| !rest.is_empty())?;
        let address = entry + 4 * at as u64;
        let decoded = decode(processor, rest, address);
        at = decoded.as_ref().map_or(words.len(), |decoded| at + usize::from(decoded.dwords.0));
        Some(decoded.map(|decoded| (address, decoded)))
    })
}
