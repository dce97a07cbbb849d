//! Which instructions of a kernel stand too close to each other.

use super::HazardError;
use super::between::Between;
use super::class::{Class, Classes};
use super::facts::{Counter, Facts};
use super::table::{Hazard, rules};
use super::until::{Met, Open};
use super::walk::Code;
use crate::isa::{Generation, Processor};

/// Two instructions that stand too close.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// Row of the table, or one of the two rules that are no rows: `not-waited-for`, `outstanding-vccz`.
    pub hazard: &'static str,
    /// Address of the one that has to be waited for.
    pub producer: u64,
    /// Address of the one that comes too soon.
    pub consumer: u64,
    /// Both, and how far apart they would have to be.
    pub text: String,
    /// The required distance, or the missing instruction between them, and the source.
    pub missing: String,
}

/// Checks code that may go on after an S_ENDPGM: `words` is all of it, as far as it is instructions. Violations come as in [`check`].
///
/// # Errors
/// A hazard of the generation that nothing describes.
pub fn check_all(processor: Processor, words: &[u32], entry: u64) -> Result<Vec<Violation>, HazardError> {
    violations(&Code::all(processor, words, entry), processor)
}

/// Checks a kernel: `words` is the code from `entry` on; it is read up to S_ENDPGM. Violations come in the order of their
/// producers, the first for each pair of producer and row.
///
/// # Errors
/// Words that are no instruction, or a hazard of the generation that nothing describes.
pub fn check(processor: Processor, words: &[u32], entry: u64) -> Result<Vec<Violation>, HazardError> {
    violations(&Code::read(processor, words, entry)?, processor)
}

fn violations(code: &Code, processor: Processor) -> Result<Vec<Violation>, HazardError> {
    let generation = processor.generation;
    // Of most rows no instruction here is a consumer.
    let all = code.facts.iter().fold(Classes::default(), |all, facts| all.with(facts.classes));
    let mut rows = rules(processor)?;
    rows.retain(|(row, _)| row.consumer == Class::Itself || all.has(row.consumer));
    // Rows that each distinct instruction may begin.
    let mut begins: Vec<Vec<Open>> = code
        .facts
        .iter()
        .map(|facts| {
            let own = rows.iter().filter(|(row, _)| facts.is(row.producer) && could_begin(facts, row));
            own.filter_map(|rule| Some(Open::new(code, facts, *rule, rule.1.limits(facts.passes)?))).collect()
        })
        .collect();
    let mut between = Between::default();
    let mut violations = Vec::new();
    for start in 0..code.steps.len() {
        for open in &mut begins[code.steps[start].facts] {
            violations.extend(broken(code, start, open, &mut between));
        }
        if code.facts(start).counter.is_some() {
            violations.extend(unwaited(code, start, generation));
        }
    }
    Ok(violations)
}

/// How a row is broken after a step that begins it.
fn broken(code: &Code, start: usize, open: &mut Open, between: &mut Between) -> Option<Violation> {
    let (row, wait) = open.rule;
    let source = &row.source;
    if row.consumer == Class::Itself {
        let step = &code.steps[start];
        let missing = format!("this target does not allow it ({source})");
        let text = format!("{} at {:#x}: {missing}", step.decoded, step.address);
        return Some(Violation { hazard: &row.id, producer: step.address, consumer: step.address, text, missing });
    }
    if let (true, &[waits]) = (row.is_of_wait_states(), open.limits.as_slice()) {
        let (consumer, states) = open.too_close(code, start)?;
        let why = || format!("{waits} wait states are required between them, {states} found ({source})");
        return Some(violation(code, start, consumer, &row.id, why));
    }
    let Met { through, consumer } = open.met(code, start, between)?;
    let between = through.map_or_else(String::new, |step| {
        let step = &code.steps[step];
        format!("{} at {:#x} lies between them, and ", step.decoded, step.address)
    });
    let repair = wait.repair.as_ref().map_or_else(String::new, |repair| format!(", `{repair}` for one,"));
    let why = || format!("{between}nothing that ends the hazard{repair} precedes the second ({source})");
    Some(violation(code, start, consumer, &row.id, why))
}

/// Whether any consumer could meet it: most instructions write nothing of what most rows are about.
pub(super) fn could_begin(facts: &Facts, row: &Hazard) -> bool {
    facts.writes(row.writes)
}

fn violation(
    code: &Code,
    producer: usize,
    consumer: usize,
    id: &'static str,
    why: impl FnOnce() -> String,
) -> Violation {
    let [first, second] = [producer, consumer].map(|step| &code.steps[step]);
    let missing = why();
    let text = format!(
        "{} at {:#x}, then {} at {:#x}: {missing}",
        first.decoded, first.address, second.decoded, second.address,
    );
    Violation { hazard: id, producer: first.address, consumer: second.address, text, missing }
}

/// The first use of a memory instruction's destination, or of VCCZ while scalar memory is in flight, before the wait for it.
///
/// Only the straight path is followed: every kernel here waits in the same run of instructions.
fn unwaited(code: &Code, start: usize, generation: Generation) -> Option<Violation> {
    let producer = code.facts(start);
    let counter = producer.counter?;
    let (mut lgkm_after, mut vm_after) = (0, 0);
    let mut step = start;
    let (mut is_lgkm, mut is_vm) = match counter {
        Counter::Lgkm { .. } => (true, false),
        Counter::Vm => (false, true),
        Counter::Both => (true, true),
    };
    // Scalar memory and messages, which may have a counter of their own; of theirs only zero is sure.
    let is_scalar = matches!(counter, Counter::Lgkm { in_order: false });
    while is_lgkm || is_vm {
        // After a jump that is always taken another way begins.
        step = code.steps[step].after()?;
        let facts = code.facts(step);
        if let Some(counts) = facts.waits_until {
            // Counts of what came later; scalar memory and FLAT come back in any order, and only zero is sure.
            let in_order = matches!(counter, Counter::Lgkm { in_order: true } | Counter::Vm);
            let is_enough =
                |count: Option<u32>, after| count.is_some_and(|count| count == 0 || in_order && count <= after);
            let own = if is_scalar { counts.scalar_memory } else { counts.local_memory };
            is_lgkm &= !is_enough(counts.scalar_and_local_memory.or(own), lgkm_after);
            is_vm &= !is_enough(counts.vector_memory, vm_after);
            continue;
        }
        match facts.counter {
            Some(Counter::Lgkm { in_order: false }) if generation.counts_local_memory_apart() => {}
            Some(Counter::Lgkm { .. }) => lgkm_after += 1,
            Some(Counter::Vm) => vm_after += 1,
            Some(Counter::Both) => (lgkm_after, vm_after) = (lgkm_after + 1, vm_after + 1),
            None => {}
        }
        // Copies of a memory instruction that read the result of the one before (the data of atomics, the halves that loads keep):
        // whichever value it is, none of them needs it, and the hardware takes it as it is.
        let is_copy = facts.counter.is_some() && facts.name == producer.name;
        // LDS returns data in order, so a load may fill the other half of a register: rocBLAS 2.47 for gfx1100 does it in each loop.
        let is_in_order = facts.counter == Some(counter) && matches!(counter, Counter::Lgkm { in_order: true });
        let vectors_read = if is_in_order { &facts.vectors_needed } else { &facts.vectors_read };
        let reads = !is_copy
            && (producer.scalars_written & facts.scalars_read != 0 || producer.vectors_written.meets(vectors_read));
        if reads {
            let why = || "the first one's result is used before its wait".to_owned();
            return Some(violation(code, start, step, "not-waited-for", why));
        }
        if producer.is(Class::Smem) && facts.is(Class::VcczBranch) && generation.scalar_memory.loads_spoil_vccz {
            let why = || "VCCZ may be wrong while scalar memory is in flight (facts §3.4)".to_owned();
            return Some(violation(code, start, step, "outstanding-vccz", why));
        }
    }
    None
}
