//! Experiments on the matrix units: the delay of a result, and the instructions that overlap.
//!
//! Every instruction here has two dwords where it can, and blocks have an even number of them: the front end's charge for the place in eight
//! bytes is the same in all.

use std::collections::BTreeSet;

use gcn_model::isa::{Generation, Instruction};
use gcn_model::record::{ACCUMULATORS, ExperimentKind, INDEPENDENT, MATRIX_CHAIN, MATRIX_OVERLAP, OPERANDS, READER};

use crate::experiment::measurement::Measurement;
use crate::experiment::plan::{LINE_LENGTHS, Plan, THROUGHPUT_LOOPS};
use crate::experiment::subject::Subject;
use crate::experiment::throughput::Throughput;
use crate::kernel::{Allocation, Block, MatrixCopies, Order, Part, Snippet};

/// The instructions for overlap with matrix instructions: vector ones, plain, packed and transcendental, a scalar one, and an LDS one.
const NEIGHBOURS: [&str; 5] = ["V_MOV_B32", "V_PK_FMA_F32", "V_EXP_F32", "S_MOV_B32", "DS_READ_B32"];
/// How many of them.
const AMOUNTS: [u32; 8] = [1, 2, 3, 4, 7, 8, 15, 16];
/// Waves on a SIMD where a wave is not to be alone.
const WAVES: [u32; 1] = [2];

impl Plan {
    /// Chains of all matrix instructions, and the overlap of one of each kind.
    pub(super) fn matrix(&mut self, measured: Measurement<'_>) {
        let all: Vec<&'static Instruction> = measured
            .device
            .instructions()
            .filter(|instruction| measured.device.generation.matrix_operation(instruction).is_some())
            .filter(|instruction| measured.options.wants(&instruction.name))
            .collect();
        let mut readers = BTreeSet::new();
        for instruction in &all {
            self.chains(measured, instruction, &mut readers);
        }
        let shown = one_of_each_kind(measured.device.generation, &all);
        if shown.is_empty() {
            return;
        }
        let neighbours: Vec<Snippet> = NEIGHBOURS
            .into_iter()
            .filter_map(|name| measured.plain(measured.device.instruction(name)?))
            .map(in_two_dwords)
            .collect();
        for other in &neighbours {
            let subject = subject(measured, other.clone());
            self.both(&subject, Block::bare(), "alone", ("", None));
        }
        for instruction in shown {
            let Some(snippet) = Snippet::matrix(instruction, measured.device.generation, MatrixCopies::Independent)
            else {
                continue;
            };
            let alone = subject(measured, snippet.clone());
            self.both(&alone, Block::bare(), "beside-none", ("", Some(0)));
            for other in &neighbours {
                let subject = subject(measured, snippet.clone()).joined_by(other.clone());
                for amount in AMOUNTS.into_iter().filter(|amount| (amount * u32::from(other.dwords)).is_multiple_of(2))
                {
                    let name = &other.instruction.name;
                    let mut parts = vec![Part::Snippet];
                    parts.extend((0..amount).map(|_| Part::Other(0)));
                    let id = format!("beside-{amount}-{name}");
                    self.both(&subject, Block { parts }, &id, (name, Some(amount)));
                }
            }
        }
    }

    /// Cycles and latency of a matrix instruction; false for others. It has no neighbours: they would be hidden.
    pub(in crate::experiment) fn cycles_of_matrix(
        &mut self,
        measured: Measurement<'_>,
        instruction: &'static Instruction,
    ) -> bool {
        let of = |copies| Snippet::matrix(instruction, measured.device.generation, copies);
        let Some(independent) = of(MatrixCopies::Independent) else { return false };
        let independent = subject(measured, independent);
        let purpose = "cycles of one wave, independent copies back to back";
        self.one_wave(&independent, ExperimentKind::Cycles, "cycles", purpose, Block::bare());
        if let Some(chain) = of(MatrixCopies::Accumulators) {
            let purpose = "the same, to be taken off the chain";
            self.one_wave(&independent, ExperimentKind::ChainBaseline, "packed", purpose, Block::bare());
            let purpose = "latency: each copy accumulates into the result of the one before";
            self.one_wave(&subject(measured, chain), ExperimentKind::Chain, "chain", purpose, Block::bare());
        }
        true
    }

    /// The dependency of an instruction on the same one before it.
    fn chains(&mut self, measured: Measurement<'_>, instruction: &'static Instruction, readers: &mut BTreeSet<String>) {
        let copies = |copies| Snippet::matrix(instruction, measured.device.generation, copies);
        let forms = [
            (INDEPENDENT, copies(MatrixCopies::Independent)),
            (ACCUMULATORS, copies(MatrixCopies::Accumulators)),
            (OPERANDS, copies(MatrixCopies::Operands)),
        ];
        for (case, snippet) in forms {
            let Some(snippet) = snippet else { continue };
            let subject = subject(measured, snippet);
            self.chain(&subject, Block::bare(), case, "wait of a matrix instruction for the same one before it");
        }
        let Some(producer) = copies(MatrixCopies::Independent) else { return };
        let Some(reader) = producer.reader_of_matrix(measured.device.generation).map(in_two_dwords) else { return };
        if readers.insert(reader.instruction.name.clone()) {
            let subject = subject(measured, reader.reader_of_none());
            self.chain(&subject, Block::bare(), READER, "cost of a result's reader without a wait");
        }
        let block = Block { parts: vec![Part::Snippet, Part::Other(0)] };
        let subject = subject(measured, producer).joined_by(reader);
        self.chain(&subject, block, READER, "a matrix instruction, and a vector instruction that reads its result");
    }

    fn chain(&mut self, subject: &Subject<'_>, block: Block, case: &str, purpose: &str) {
        let name = format!("{MATRIX_CHAIN}/{case}");
        let (subject, block) = subject.spaced(block);
        let before = self.experiments.len();
        self.one_wave_of(&subject, ExperimentKind::Block, &name, purpose, (block, Order::Straight), &LINE_LENGTHS);
        self.tell_rule(before, MATRIX_CHAIN, case, None);
    }

    /// A block on one wave, and on several of a SIMD, with the others in it and their number.
    fn both(&mut self, subject: &Subject<'_>, block: Block, id: &str, (others, amount): (&str, Option<u32>)) {
        let before = self.experiments.len();
        let name = format!("{MATRIX_OVERLAP}/{id}");
        let purpose = "a matrix instruction and others that overlap it, one wave";
        let straight = (block, Order::Straight);
        self.one_wave_of(subject, ExperimentKind::Block, &name, purpose, straight.clone(), &LINE_LENGTHS);
        let (name, kind) = (format!("{name}/waves"), ExperimentKind::Throughput);
        let timed = THROUGHPUT_LOOPS;
        self.throughput_of(
            subject,
            &Throughput { name: &name, id: &name, kind, block: straight, timed, waves: &WAVES },
        );
        self.tell_rule(before, MATRIX_OVERLAP, others, amount);
    }
}

fn subject<'a>(measured: Measurement<'a>, snippet: Snippet) -> Subject<'a> {
    Subject { allocation: Allocation::of_matrix(), ..Subject::new(measured, snippet) }
}

/// The first of those that the same engine computes in the same time from matrices of the same kind.
fn one_of_each_kind(generation: Generation, all: &[&'static Instruction]) -> Vec<&'static Instruction> {
    let mut kinds = Vec::new();
    let is_first = |instruction: &&&'static Instruction| {
        let Some(operation) = generation.matrix_operation(instruction) else { return false };
        let is_sparse = instruction.operands.iter().any(|operand| operand.is_read() && operand.is_written());
        let kind = (operation.engine, operation.written_passes(), is_sparse);
        let is_new = !kinds.contains(&kind);
        kinds.push(kind);
        is_new
    };
    all.iter().filter(is_first).copied().collect()
}

/// The longer encoding, where there is one.
fn in_two_dwords(snippet: Snippet) -> Snippet {
    snippet.in_two_dwords().unwrap_or(snippet)
}
