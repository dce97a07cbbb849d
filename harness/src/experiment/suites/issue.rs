//! Experiments on how many instructions issue in a cycle: blocks of unlike kinds on several waves.

use gcn_model::isa::{Encoding, Instruction};
use gcn_model::record::ExperimentKind;

use crate::experiment::measurement::Measurement;
use crate::experiment::plan::{Plan, THROUGHPUT_LOOPS};
use crate::experiment::subject::Subject;
use crate::experiment::throughput::Throughput;
use crate::kernel::{Action, Block, Copies, Form, Order, Part, Snippet, is_jump, is_memory};

/// The rule of these experiments.
const RULE: &str = "issue";
/// One instruction of each kind that issues by itself (facts §3.1), each the fastest of its kind: vector ALU, scalar ALU, branch,
/// internal instructions of the buffer, LDS, vector memory.
const KINDS: [&str; 6] = ["V_MOV_B32", "S_MOV_B32", "S_CBRANCH_SCC0", "S_NOP", "DS_READ_B32", "BUFFER_LOAD_DWORD"];
/// Waves on a SIMD for the pairs of kinds.
const PAIR_WAVES: [u32; 2] = [2, 4];
/// Blocks of more kinds, from one more to the next; slow units get fewer instructions, so that none has to wait for them.
const MIXES: [&[(&str, usize)]; 4] = [
    &[("V_MOV_B32", 1), ("S_MOV_B32", 1), ("S_CBRANCH_SCC0", 1)],
    &[("V_MOV_B32", 1), ("S_MOV_B32", 1), ("S_CBRANCH_SCC0", 1), ("S_NOP", 1)],
    &[("V_MOV_B32", 2), ("S_MOV_B32", 2), ("S_CBRANCH_SCC0", 2), ("DS_READ_B32", 1)],
    &[("V_MOV_B32", 2), ("S_MOV_B32", 2), ("S_CBRANCH_SCC0", 2), ("S_NOP", 2), ("DS_READ_B32", 1)],
];
/// Waves on a SIMD for these: all of the published table.
const WAVES: [u32; 10] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

impl Plan {
    /// Pairs of kinds, and blocks of more kinds.
    pub(super) fn issue(&mut self, measured: Measurement<'_>) {
        for (position, first) in KINDS.iter().enumerate() {
            for second in &KINDS[position + 1..] {
                self.mix(measured, &[(first, 1), (second, 1)], &PAIR_WAVES);
            }
        }
        for mix in MIXES {
            self.mix(measured, mix, &WAVES);
        }
    }

    /// An experiment with a block that has this many copies of each instruction, as far from each other as possible.
    fn mix(&mut self, measured: Measurement<'_>, mix: &[(&str, usize)], waves: &[u32]) {
        let found: Option<Vec<Snippet>> = mix
            .iter()
            .map(|(name, _)| measured.device.instruction(name).and_then(|found| snippet(measured, found)))
            .collect();
        let Some(mut snippets) = found else { return };
        if !snippets.iter().any(|snippet| measured.options.wants(&snippet.instruction.name)) {
            return;
        }
        let case = mix.iter().map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(" + ");
        // The slowest first: the address registers are its own, and other sources may hold anything.
        snippets.reverse();
        let counts: Vec<usize> = mix.iter().rev().map(|(_, count)| *count).collect();
        let most = counts.iter().copied().max().unwrap_or(1);
        let round = |round: usize| {
            let stands = |(_, count): &(usize, &usize)| round < **count;
            let part = |(index, _): (usize, &usize)| index.checked_sub(1).map_or(Part::Snippet, Part::Other);
            counts.iter().enumerate().filter(stands).map(part).collect::<Vec<_>>()
        };
        let parts = (0..most).rev().flat_map(round).collect();
        let mut snippets = snippets.into_iter();
        let Some(first) = snippets.next() else { return };
        let subject = Subject { case, ..Subject::new(measured, first) };
        let subject = snippets.fold(subject, Subject::joined_by);
        let block = (Block { parts }, Order::Straight);
        let kind = ExperimentKind::Issue;
        let planned = Throughput { name: RULE, id: RULE, kind, block, timed: THROUGHPUT_LOOPS, waves };
        let before = self.experiments.len();
        self.throughput_of(&subject, &planned);
        for experiment in &mut self.experiments[before..] {
            experiment.record.rule = RULE.into();
        }
    }
}

fn snippet(measured: Measurement<'_>, instruction: &'static Instruction) -> Option<Snippet> {
    if is_memory(instruction) {
        // Without an address in VGPRs, where that can be: all lanes at one place are one element.
        let form = if instruction.encoding == Encoding::Mubuf { Form::Off } else { Form::Plain };
        return Snippet::memory(instruction, measured.device.generation, Copies::Independent, form);
    }
    let snippet = measured.copies(instruction)?;
    if is_jump(instruction) { snippet.jumping(Action::NotTaken) } else { Some(snippet) }
}
