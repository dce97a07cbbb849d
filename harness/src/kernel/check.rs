//! After assembly: is the code as the experiment asked for?
//!
//! The code object is read and decoded with the model's decoder, independently of the assembler. Nothing is launched
//!
//! * whose timed code has another instruction, size or address than planned, or another machine code than the planned line alone;
//! * that has two instructions in one (VOPD) which break a rule that the plan does not break, or keep one that it breaks;
//! * whose loop around the timed code counts or waits otherwise;
//! * that has other instructions from there to the jump back for another pass than those that keep the readings and count;
//! * that lacks, in their order, the lines that set up the state of the timed code (registers, EXEC, VCC, M0), count its passes, and bring
//!   the readings into memory;
//! * that anywhere lacks wait states which the hardware needs.
//!
//! The rest outside of the timed code is the template's business and not looked at: an instruction that changes the state again after
//! the lines that set it, a jump around them, a priority, where in memory the wave's results are. A template that is wrong there can give wrong
//! numbers. The hashes of the code objects in `run.json` tell such a run from one with the templates that ship.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use gcn_model::code_object::{CodeObject, Kernel};
use gcn_model::decode::Decoded;
use gcn_model::hazard;
use gcn_model::isa::Processor;

use super::check_error::CheckError;
use super::cursor::{COUNT_DOWN, Cursor, IS_LEFT, Readings};
use super::plan::{FIRST_PASS, Loops, lines_of_longer_code};
use super::{Expected, KernelPlan, Section};
use crate::assembler::Assembler;

/// The timed code starts a line of the instruction cache.
const LINE_BYTES: u64 = 64;

/// Checks all kernels of a code object against their plans, in parallel.
///
/// # Errors
/// The first difference, or else the first hazard, in the order of the plans.
pub fn check(
    assembler: &Assembler,
    bytes: &[u8],
    target: &str,
    plans: &[KernelPlan],
) -> Result<CodeObject, CheckError> {
    let (object, forbidden) = check_each(assembler, bytes, target, plans)?;
    forbidden.into_iter().next().map_or(Ok(object), |(_, error)| Err(error))
}

/// Kernels that the hazard table forbids, each by name with its [`CheckError::Hazard`], in the order of the plans.
pub(crate) type Forbidden = Vec<(String, CheckError)>;

/// Checks the same, and hands over all kernels that the hazard table forbids.
///
/// # Errors
/// The first other difference, in the order of the plans.
pub(crate) fn check_each(
    assembler: &Assembler,
    bytes: &[u8],
    target: &str,
    plans: &[KernelPlan],
) -> Result<(CodeObject, Forbidden), CheckError> {
    use rayon::prelude::*;
    let object = CodeObject::read(bytes)?;
    let wanted = Processor::find(target);
    let Some(processor) = wanted.filter(|wanted| object.processor().is_some_and(|found| found.name() == wanted.name()))
    else {
        let found = object.target().map_or_else(|| format!("an unknown target ({:#x})", object.mach), Into::into);
        return Err(CheckError::Target { found, wanted: target.into() });
    };
    let kernels: HashMap<_, _> = object.kernels.iter().map(|kernel| (kernel.name.as_str(), kernel)).collect();
    let lines: HashSet<Cow<'_, str>> = plans.par_iter().map(KernelPlan::distinct_lines).reduce(HashSet::new, union);
    let readings = Readings::of(processor.generation);
    let codes = assembler.machine_code(target, lines.iter().map(AsRef::as_ref).chain(readings.lines()))?;
    let check = |plan: &KernelPlan| match kernels.get(plan.name.as_str()) {
        Some(kernel) => check_kernel(&object, kernel, processor, plan, &codes, &readings),
        None => Err(CheckError::NoKernel(plan.name.clone())),
    };
    let checked = |plan: &KernelPlan| match check(plan) {
        Ok(()) => None,
        Err(error @ CheckError::Hazard { .. }) => Some(Ok((plan.name.clone(), error))),
        Err(error) => Some(Err(error)),
    };
    // The first difference in the order of the plans, with any number of threads.
    let forbidden = plans.par_iter().filter_map(checked).collect::<Vec<_>>().into_iter().collect::<Result<_, _>>()?;
    Ok((object, forbidden))
}

fn union<'a>(mut all: HashSet<Cow<'a, str>>, more: HashSet<Cow<'a, str>>) -> HashSet<Cow<'a, str>> {
    all.extend(more);
    all
}

fn check_kernel(
    object: &CodeObject,
    kernel: &Kernel,
    processor: Processor,
    plan: &KernelPlan,
    codes: &HashMap<&str, Vec<u8>>,
    readings: &Readings,
) -> Result<(), CheckError> {
    check_registers(kernel, processor, plan)?;
    let mut cursor = Cursor { object, processor, plan, codes, n: 0, address: kernel.entry, breaking: Vec::new() };
    let mut before = plan.initial_lines();
    for section in &plan.sections {
        cursor.n = section.n;
        before.extend(plan.lines_before(*section));
        before.extend(readings.begin.first().cloned());
        let begin = cursor.address;
        cursor.find_reading(readings, &before)?;
        let pass = begin..cursor.address;
        check_section(&mut cursor, plan, *section, readings)?;
        plan.lines_of_pass(*section).iter().try_for_each(|line| cursor.expect_line(line))?;
        let again = cursor.address;
        let target = cursor.expect("S_CBRANCH_SCC1")?.branch_target(again);
        if !target.is_some_and(|target| pass.contains(&target)) {
            return Err(cursor.error(format!("the jump for another pass goes to {target:x?}")));
        }
        before = plan.lines_behind(*section);
    }
    if let Some(loops) = plan.loops() {
        check_longer(&mut cursor, loops, &mut before, readings)?;
    }
    before.extend(plan.last_lines());
    cursor.find("S_ENDPGM", |_| true, &before)?;
    check_hazards(object, kernel, processor)?;
    check_pairs(Cursor { n: 0, ..cursor })
}

/// The jump back to the first section of a kernel for longer code, after these lines.
fn check_longer(
    cursor: &mut Cursor<'_>,
    loops: Loops,
    before: &mut Vec<String>,
    readings: &Readings,
) -> Result<(), CheckError> {
    let mut lines = lines_of_longer_code();
    before.extend(lines.next());
    let over = cursor.find("S_CBRANCH_SCC1", |_| true, before)?.branch_target(cursor.address - 4);
    before.clear();
    lines.try_for_each(|line| cursor.expect_line(&line))?;
    let first = cursor.expect("S_BRANCH")?.branch_target(cursor.address - 4);
    if over != Some(cursor.address) {
        return Err(cursor.error(format!("the jump over longer code goes to {over:x?}")));
    }
    // What sets the first pass is on the way to the first reading, and what comes before all sections is not.
    let passes_by = |lines: &[String]| {
        let again = first.map(|address| Cursor { address, breaking: Vec::new(), ..*cursor });
        again.is_some_and(|mut again| again.find_reading(readings, lines).is_ok())
    };
    if !passes_by(&FIRST_PASS.map(String::from)) || passes_by(&[loops.first_line()]) {
        return Err(cursor.error(format!("the jump back for longer code goes to {first:x?}")));
    }
    Ok(())
}

/// Two instructions in one that break a rule are there because the plan says so, and those of the plan break just the rules that it says.
fn check_pairs(mut cursor: Cursor<'_>) -> Result<(), CheckError> {
    let planned = &cursor.plan.snippet.breaches;
    let is_planned = |(_, found): &&(u64, Decoded)| found.pair_breaches() == *planned;
    if let Some((address, found)) = cursor.breaking.iter().find(|found| !is_planned(found)) {
        let breaches = found.pair_breaches();
        let problem = format!("{found} breaks rules for pairs, {breaches:?}, and {planned:?} were planned");
        cursor.address = *address;
        return Err(cursor.error(problem));
    }
    match planned.is_empty() || !cursor.breaking.is_empty() {
        true => Ok(()),
        false => Err(cursor.error(format!("no pair breaks {planned:?}, as planned"))),
    }
}

/// The code must wait where the hardware does not (facts §3.4).
fn check_hazards(object: &CodeObject, kernel: &Kernel, processor: Processor) -> Result<(), CheckError> {
    let hazard = |id, text| CheckError::Hazard { kernel: kernel.name.clone(), id, text };
    let violations = hazard::check(processor, object.code_from(kernel.entry), kernel.entry)
        .map_err(|error| hazard("none could be looked for", error.to_string()))?;
    match violations.into_iter().next() {
        Some(violation) => Err(hazard(violation.hazard, violation.text)),
        None => Ok(()),
    }
}

/// The descriptor decides the number of concurrent waves.
fn check_registers(kernel: &Kernel, processor: Processor, plan: &KernelPlan) -> Result<(), CheckError> {
    let found = kernel.descriptor.wave_size(processor.generation);
    if found != processor.wave_size() {
        return Err(CheckError::WaveSize { kernel: plan.name.clone(), found, wanted: processor.wave_size() });
    }
    let mode = kernel.descriptor.registers.group_mode(processor.generation);
    if mode != plan.mode {
        return Err(CheckError::Mode { kernel: plan.name.clone(), found: mode, wanted: plan.mode });
    }
    let (registers, granules) = (kernel.descriptor.registers, &processor.descriptor());
    let (vgprs, sgprs) = (registers.vgprs(granules), registers.sgprs(granules));
    let planned = plan.allocation;
    let is_planned = vgprs == planned.all_vgprs(granules).next_multiple_of(granules.vgpr_granule);
    if is_planned && planned.all_sgprs.is_none_or(|all| all == sgprs) {
        return Ok(());
    }
    let planned = match planned.all_sgprs {
        Some(all) => format!("{} VGPRs and {all} SGPRs", planned.all_vgprs(granules)),
        None => format!("{} VGPRs", planned.all_vgprs(granules)),
    };
    Err(CheckError::Registers { kernel: plan.name.clone(), vgprs, sgprs, planned })
}

/// A length, after the begin of its first reading: the rest of that, the timed code from the start of a line on, the loop if there is
/// one, the second reading.
fn check_section(
    cursor: &mut Cursor<'_>,
    plan: &KernelPlan,
    section: Section,
    readings: &Readings,
) -> Result<(), CheckError> {
    readings.begin.iter().skip(1).try_for_each(|line| cursor.expect_line(line))?;
    let start = cursor.address;
    if !start.is_multiple_of(LINE_BYTES) {
        let past = start % LINE_BYTES / 4;
        return Err(cursor.error(format!("the timed code starts {past} dwords after the start of a 64-byte line")));
    }
    for (position, Expected { text, name, dwords, jump }) in plan.instructions(section).into_iter().enumerate() {
        let address = cursor.address;
        let found = cursor.step()?;
        // Of two instructions in one, the second may be the one that is measured.
        let is_second = || found.halves().is_some_and(|[_, second]| second.instruction.name == name);
        if found.instruction.name != name && !is_second() || found.dwords.0 != dwords {
            cursor.address = address;
            let size = found.dwords.0;
            return Err(cursor.error(format!(
                "instruction {position} of the timed code should be {name} ({} bytes), and is {found} ({} bytes)",
                4 * dwords,
                4 * size
            )));
        }
        if !cursor.is_code_of(&text, dwords) {
            cursor.address = address;
            return Err(
                cursor.error(format!("instruction {position} of the timed code should be `{text}`, and is {found}"))
            );
        }
        let wanted = jump.map(|jump| start + 4 * u64::from(jump));
        if wanted.is_some() && found.branch_target(address) != wanted {
            cursor.address = address;
            return Err(cursor.error(format!("{found} does not go to {:#x}", wanted.unwrap_or_default())));
        }
    }
    if section.loops.is_some() {
        cursor.expect_line(COUNT_DOWN)?;
        cursor.expect_line(IS_LEFT)?;
        let branch = cursor.address;
        let target = cursor.expect("S_CBRANCH_SCC1")?.branch_target(branch);
        if target != Some(start) {
            return Err(cursor.error(format!("the loop goes back to {target:x?}, not to the timed code at {start:#x}")));
        }
    }
    readings.end.iter().try_for_each(|line| cursor.expect_line(line))
}
