//! What has to lie between two runs of instructions.

use super::HazardError;
use super::between::Between;
use super::check::could_begin;
use super::table::rules;
use super::until::Open;
use super::walk::Code;
use crate::isa::Processor;

/// The fewest wait states between two runs of instructions, the second after the first.
///
/// # Errors
/// Words that are no instruction, or a hazard of the generation that nothing describes.
pub fn wait_states(processor: Processor, first: &[u32], second: &[u32]) -> Result<u32, HazardError> {
    let (code, behind) = both(processor, first, second)?;
    let mut most = 0;
    for rule in rules(processor)?.into_iter().filter(|(row, _)| row.is_of_wait_states()) {
        let (row, wait) = rule;
        for start in 0..code.steps.len() {
            let facts = code.facts(start);
            let waits = wait.limits(facts.passes).and_then(|limits| limits.first().copied());
            let Some(waits) = waits.filter(|_| facts.is(row.producer) && could_begin(facts, row)) else { continue };
            let crosses = |step: usize| code.steps[start].address < behind && code.steps[step].address >= behind;
            let found = Open::new(&code, facts, rule, vec![waits]).too_close(&code, start);
            if let Some((_, states)) = found.filter(|&(step, _)| crosses(step)) {
                most = most.max(waits - states);
            }
        }
    }
    Ok(most)
}

/// The instruction, in assembly, that has to stand between two runs of instructions where wait states do not help: that of the first hazard
/// in the generation's list which holds between them.
///
/// # Errors
/// Words that are no instruction, or a hazard of the generation that nothing describes.
pub fn repair(processor: Processor, first: &[u32], second: &[u32]) -> Result<Option<&'static str>, HazardError> {
    let (code, behind) = both(processor, first, second)?;
    for rule in rules(processor)?.into_iter().filter(|(row, _)| !row.is_of_wait_states()) {
        let (row, wait) = rule;
        let (Some(repair), Some(limits)) = (&wait.repair, wait.limits(None)) else { continue };
        let is_met = |start: usize| {
            let facts = code.facts(start);
            let begins = code.steps[start].address < behind && facts.is(row.producer) && could_begin(facts, row);
            let met = || Open::new(&code, facts, rule, limits.clone()).met(&code, start, &mut Between::default());
            begins && met().is_some_and(|met| code.steps[met.consumer].address >= behind)
        };
        if (0..code.steps.len()).any(is_met) {
            return Ok(Some(repair));
        }
    }
    Ok(None)
}

/// Likewise for a named hazard, where the processor has it.
pub fn repair_of(processor: Processor, hazard: &str) -> Option<&'static str> {
    processor.hazards().find(|wait| wait.hazard == hazard)?.repair.as_deref()
}

/// Both runs, and the address of the second.
fn both(processor: Processor, first: &[u32], second: &[u32]) -> Result<(Code, u64), HazardError> {
    let words = [first, second].concat();
    Ok((Code::read(processor, &words, 0)?, 4 * first.len() as u64))
}
