//! From the plan to checked code objects.

use std::collections::HashMap;

use gcn_model::record::ExperimentStatus;

use super::{Progress, RunError};
use crate::assembler::{Assembler, AssemblyError, LineError};
use crate::device::DeviceInformation;
use crate::experiment::Plan;
use crate::kernel::{KernelPlan, Templates, check};

/// Kernels of one code object.
pub(super) const KERNELS_PER_OBJECT: usize = 2048;

/// A linked code object.
pub(super) struct Object {
    pub(super) bytes: Vec<u8>,
    pub(super) kernels: u32,
}

/// Kernels that do not assemble, by name, with the reason.
pub(super) type Failures = HashMap<String, String>;

/// Assembles and checks all kernels. Where LLVM refuses lines of some targets, the other kernels go on without them;
/// where it refuses a line of the templates, nothing does.
pub(super) fn assemble(
    information: &DeviceInformation,
    assembler: &Assembler,
    templates: &Templates,
    kernels: &[KernelPlan],
    progress: &mut dyn Progress,
) -> Result<(Vec<Object>, Failures), RunError> {
    let mut failures = Failures::new();
    let mut objects = Vec::new();
    for chunk in kernels.chunks(KERNELS_PER_OBJECT) {
        let assemble = |plans: &[KernelPlan]| -> Result<Vec<u8>, RunError> {
            Ok(assembler.assemble(&templates.module_for(
                information.lds_request,
                &information.target_id,
                information.generation,
                plans,
            )?)?)
        };
        let (bytes, chunk) = match assemble(chunk) {
            Err(RunError::Assembly(AssemblyError::Lines(lines))) => {
                let refused = refused(chunk, &lines);
                if refused.is_empty() || refused.len() == chunk.len() {
                    return Err(AssemblyError::Lines(lines).into());
                }
                let rest: Vec<_> = chunk.iter().filter(|plan| !refused.contains_key(&plan.name)).cloned().collect();
                failures.extend(refused);
                (assemble(&rest)?, rest)
            }
            result => (result?, chunk.to_vec()),
        };
        check(assembler, &bytes, &information.target, &chunk)?;
        progress.advance(chunk.len());
        objects.push(Object { bytes, kernels: chunk.len() as u32 });
    }
    Ok((objects, failures))
}

/// The kernels whose targets hold one of the refused lines; none if a line is not a target's.
fn refused(kernels: &[KernelPlan], lines: &[LineError]) -> Failures {
    let mut refused = Failures::new();
    for error in lines {
        // The listing's columns are not the copy's.
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = words(&error.line);
        let holds = |plan: &&KernelPlan| {
            let snippet = &plan.snippet;
            let own = [&snippet.copies, &snippet.before, &snippet.after, &snippet.setup];
            own.into_iter().flatten().any(|copy| words(copy) == line)
        };
        let before = refused.len();
        for plan in kernels.iter().filter(holds) {
            refused.insert(plan.name.clone(), format!("LLVM does not assemble `{line}`: {}", error.message));
        }
        if refused.len() == before && !kernels.iter().any(|plan| holds(&plan)) {
            return Failures::new();
        }
    }
    refused
}

/// What LLVM refuses, with what it says.
pub(super) fn mark_unsupported(plan: &mut Plan, failures: &Failures) {
    let Plan { kernels, experiments, .. } = plan;
    for experiment in experiments {
        let reason = experiment.launches.iter().find_map(|launch| failures.get(&kernels[launch.kernel].name));
        if let Some(reason) = reason {
            experiment.record.end(ExperimentStatus::Unsupported, reason);
            experiment.launches.clear();
        }
    }
}
