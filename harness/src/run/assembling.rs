//! From the plan to checked code objects.

use super::object_source::{Failures, Object, ObjectSource, Refusal};
use super::{Progress, RunError};
use crate::assembler::{Assembler, AssemblyError, LineError, ModuleSource};
use crate::device::DeviceInformation;
use crate::experiment::{MeasureOptions, Plan};
use crate::kernel::{KernelError, KernelPlan, Templates, check_each, too_close};

/// Kernels in a code object.
pub(super) const KERNELS_PER_OBJECT: usize = 2048;

/// The code objects of all kernels, and those that are refused.
///
/// # Errors
/// As [`ObjectSource::object`]; templates that leave no kernel to launch.
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
    let is_unsafe = |plan: &KernelPlan| matches!(failures.get(&plan.name), Some(Refusal::Unsafe(_)));
    if let [first, ..] = kernels
        && kernels.iter().all(is_unsafe)
        && let Some(Refusal::Unsafe(error)) = failures.remove(&first.name)
    {
        return Err(error.into());
    }
    Ok((objects, failures))
}

/// Assembles and checks. Where LLVM refuses lines of some targets, the other kernels go on without them; where it refuses a line of the
/// templates, nothing does. Kernels that the hazard table forbids are left out of the object.
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
        let target = &information.target_id;
        let assemble = |plans: &[KernelPlan]| -> Result<Vec<u8>, RunError> {
            Ok(self.assemble(&module(information, templates, plans)?)?)
        };
        let without = |kernels: &[KernelPlan], refused: &Failures| -> Vec<KernelPlan> {
            kernels.iter().filter(|plan| !refused.contains_key(&plan.name)).cloned().collect()
        };
        let (mut bytes, mut kernels, mut failures) = match assemble(kernels) {
            Err(RunError::Assembly(AssemblyError::Lines(lines))) => {
                let refused = refused(kernels, &lines);
                if refused.is_empty() || refused.len() == kernels.len() {
                    return Err(AssemblyError::Lines(lines).into());
                }
                let rest = without(kernels, &refused);
                (assemble(&rest)?, rest, refused)
            }
            result => (result?, kernels.to_vec(), Failures::new()),
        };
        let (_, forbidden) = check_each(self, &bytes, target, &kernels)?;
        if !forbidden.is_empty() {
            // Most are forbidden for their timed code, which is no defect of the templates.
            let mut unspaced = too_close(self, target, &kernels)?;
            failures.extend(forbidden.into_iter().map(|(name, error)| {
                let refusal = unspaced.remove(&name).map_or(Refusal::Unsafe(error), Refusal::Unspaced);
                (name, refusal)
            }));
            let rest = without(&kernels, &failures);
            // An object holds a kernel at least; of one that holds none but refused ones, nothing is launched.
            if !rest.is_empty() {
                (bytes, kernels) = (assemble(&rest)?, rest);
            }
        }
        Ok((Object { bytes, kernels: kernels.len() as u32 }, failures))
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
        if let Some((kernel, why)) = refused.into_iter().find(|(_, why)| !matches!(why, Refusal::Unspaced(_))) {
            return Err(RunError::NotKept { kernel, why: why.to_string() });
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
            let why = format!("LLVM does not assemble `{line}`: {}", error.message);
            refused.insert(plan.name.clone(), Refusal::Line(why));
        }
        if refused.len() == before && !kernels.iter().any(|plan| holds(&plan)) {
            return Failures::new();
        }
    }
    refused
}

/// Ends the experiments whose kernels are refused, with the reason.
pub(super) fn end_refused(plan: &mut Plan, failures: &Failures) {
    let Plan { kernels, experiments, .. } = plan;
    for experiment in experiments {
        let reason = experiment.launches.iter().find_map(|launch| failures.get(&kernels[launch.kernel].name));
        if let Some(reason) = reason {
            experiment.record.end(reason.status(), &reason.to_string());
            experiment.launches.clear();
        }
    }
}
