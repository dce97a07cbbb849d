//! Kernels whose timed code lacks wait states that the hardware needs: they are not launched, and the run goes on without them.

use std::collections::{HashMap, HashSet};

use gcn_model::hazard::{HazardError, check};
use gcn_model::isa::Processor;
use rayon::prelude::*;

use super::KernelPlan;
use crate::assembler::{Assembler, AssemblyError};

/// S_NOP of a wait state. Two instructions count down between two rounds of a loop, and a third jumps: here, to the code after it.
const NOP: u32 = 0xbf80_0000;
const COUNTING: [u32; 2] = [NOP; 2];
const JUMP: &str = "s_cbranch_scc1 0";
/// The kernel check's finding where memory is not waited for: copies are there to be in flight at once, and it looks at whole kernels.
const OF_MEMORY: [&str; 2] = ["not-waited-for", "outstanding-vccz"];

/// The kernels whose timed code breaks the hazard table by itself, by name, with what stands too close.
///
/// # Errors
/// LLVM gives nothing that can be read.
pub fn too_close(
    assembler: &Assembler,
    target: &str,
    plans: &[KernelPlan],
) -> Result<HashMap<String, String>, AssemblyError> {
    // A target that there is no processor of is the check's business.
    let Some(processor) = Processor::find(target) else { return Ok(HashMap::new()) };
    let lines: HashSet<_> = plans.par_iter().map(KernelPlan::distinct_lines).reduce(HashSet::new, |mut all, more| {
        all.extend(more);
        all
    });
    let codes = assembler.machine_code(target, lines.iter().map(AsRef::as_ref).chain([JUMP]))?;
    let reason = |plan: &KernelPlan| Some((plan.name.clone(), violation(processor, plan, &codes)?));
    Ok(plans.par_iter().filter_map(reason).collect())
}

/// The first violation in the timed code of a kernel.
fn violation(processor: Processor, plan: &KernelPlan, codes: &HashMap<&str, Vec<u8>>) -> Option<String> {
    plan.sections.iter().find_map(|section| {
        // Code with labels in it is left to the check of the whole kernel.
        let code: Vec<&Vec<u8>> = plan.lines(*section).iter().map(|line| codes.get(&**line)).collect::<Option<_>>()?;
        let round = words(&code.into_iter().flatten().copied().collect::<Vec<u8>>());
        let words = match section.loops {
            Some(_) => [&round[..], &COUNTING, &words(codes.get(JUMP)?), &round].concat(),
            None => round,
        };
        first_of(processor, &words).unwrap_or_else(|error| Some(error.to_string()))
    })
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

fn first_of(processor: Processor, words: &[u32]) -> Result<Option<String>, HazardError> {
    let found = check(processor, words, 0)?.into_iter().find(|violation| !OF_MEMORY.contains(&violation.hazard));
    Ok(found.map(|found| format!("hazard {}: {}", found.hazard, found.text)))
}
