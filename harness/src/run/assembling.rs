//! From the plan to checked code objects.

use gcn_model::record::ExperimentStatus;

use super::object_source::{Failures, Object, ObjectSource};
use super::{Progress, RunError};
use crate::assembler::{Assembler, AssemblyError, LineError, ModuleSource};
use crate::device::DeviceInformation;
use crate::experiment::{MeasureOptions, Plan};
use crate::kernel::{CheckError, KernelError, KernelPlan, Templates, check, too_close};

/// Kernels in a code object.
pub(super) const KERNELS_PER_OBJECT: usize = 2048;

/// Why a kernel is left out whose timed code the hazard table forbids.
pub(super) const UNSPACED: &str = "it needs wait states in the timed code, whose cost no experiment takes off yet";

/// The code objects of all kernels, and those that do not assemble.
pub(super) fn objects(
    information: &DeviceInformation,
    source: &dyn ObjectSource,
    templates: &Templates,
    kernels: &[KernelPlan],
    progress: &mut dyn Progress,
) -> Result<(Vec<Object>, Failures), RunError> {
    let mut failures = Failures::new();
    let mut objects = Vec::new();
    for chunk in kernels.chunks(KERNELS_PER_OBJECT) {
        let (object, refused) = source.object(information, templates, chunk)?;
        failures.extend(refused);
        progress.advance(object.kernels as usize);
        objects.push(object);
    }
    Ok((objects, failures))
}

/// Assembles and checks. Where LLVM refuses lines of some targets, the other kernels go on without them; where it refuses a line of the
/// templates, nothing does.
impl ObjectSource for Assembler {
    fn made_by(&self) -> String {
        format!("LLVM {}, {}", self.llvm().version(), short_version(self.linker().version()))
    }

    fn object(
        &self,
        information: &DeviceInformation,
        templates: &Templates,
        kernels: &[KernelPlan],
    ) -> Result<(Object, Failures), RunError> {
        let assemble = |plans: &[KernelPlan]| -> Result<Vec<u8>, RunError> {
            Ok(self.assemble(&module(information, templates, plans)?)?)
        };
        let (bytes, kernels, mut failures) = match assemble(kernels) {
            Err(RunError::Assembly(AssemblyError::Lines(lines))) => {
                let refused = refused(kernels, &lines);
                if refused.is_empty() || refused.len() == kernels.len() {
                    return Err(AssemblyError::Lines(lines).into());
                }
                let rest: Vec<_> = kernels.iter().filter(|plan| !refused.contains_key(&plan.name)).cloned().collect();
                (assemble(&rest)?, rest, refused)
            }
            result => (result?, kernels.to_vec(), Failures::new()),
        };
        let checked = |bytes: Vec<u8>, kernels: &[KernelPlan]| {
            check(self, &bytes, &information.target_id, kernels)?;
            Ok(Object { bytes, kernels: kernels.len() as u32 })
        };
        match checked(bytes, &kernels) {
            // Timed code that lacks wait states, whose cost no experiment takes off: the other kernels go on without it.
            Err(CheckError::Hazard { kernel, id, text }) => {
                let (dropped, rest) = unspaced(self, information, kernels)?;
                if dropped.is_empty() || rest.is_empty() {
                    return Err(CheckError::Hazard { kernel, id, text }.into());
                }
                failures.extend(dropped);
                Ok((checked(assemble(&rest)?, &rest)?, failures))
            }
            result => Ok((result?, failures)),
        }
    }
}

/// The text of a code object.
pub(super) fn module(
    information: &DeviceInformation,
    templates: &Templates,
    kernels: &[KernelPlan],
) -> Result<ModuleSource, KernelError> {
    templates.module_for(information.lds_request, &information.target_id, information.generation, kernels)
}

/// `LLD 22.1.2` of the linker's version text, which continues with the place of its build.
fn short_version(version: &str) -> &str {
    version.split(" (").next().unwrap_or(version)
}

/// Assembles and checks the kernels of a run with these options, and hands over the modules with their code objects, to be kept.
///
/// # Errors
/// As [`ObjectSource::object`]; a kernel that does not assemble is an error here, since it could not be kept.
pub fn assembled(
    information: &DeviceInformation,
    assembler: &Assembler,
    templates: &Templates,
    options: &MeasureOptions,
) -> Result<Vec<(ModuleSource, Vec<u8>)>, RunError> {
    let plan = Plan::new(information, options);
    let assembled = |chunk: &[KernelPlan]| {
        let (object, refused) = assembler.object(information, templates, chunk)?;
        // What lacks wait states is left out of the object, where a run finds that it is.
        if let Some((kernel, why)) = refused.into_iter().find(|(_, why)| !why.starts_with(UNSPACED)) {
            return Err(RunError::NotKept { kernel, why });
        }
        Ok((module(information, templates, chunk)?, object.bytes))
    };
    plan.kernels.chunks(KERNELS_PER_OBJECT).map(assembled).collect()
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

/// The kernels whose timed code breaks the hazard table, with the reason, and the others.
fn unspaced(
    assembler: &Assembler,
    information: &DeviceInformation,
    kernels: Vec<KernelPlan>,
) -> Result<(Failures, Vec<KernelPlan>), RunError> {
    let mut dropped = too_close(assembler, &information.target_id, &kernels)?;
    for why in dropped.values_mut() {
        *why = format!("{UNSPACED}: {why}");
    }
    let rest = kernels.into_iter().filter(|plan| !dropped.contains_key(&plan.name)).collect();
    Ok((dropped, rest))
}

/// What LLVM refuses, or the hazard table, with the reason.
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
