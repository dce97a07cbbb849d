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
// Long: one walk over a kernel, in the order of its code.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use gcn_model::code_object::{CodeObject, CodeObjectError, Kernel};
use gcn_model::decode::{Decoded, decode};
use gcn_model::hazard;
use gcn_model::isa::{Generation, GroupMode, Processor};

use super::layout::{BEGIN, END};
use super::plan::{FIRST_PASS, Loops, lines_of_longer_code};
use super::{Expected, KernelPlan, Section};
use crate::assembler::{Assembler, AssemblyError};

/// The timed code starts a line of the instruction cache.
const LINE_BYTES: u64 = 64;
/// What ends a pass of the loop around the timed code, in front of the jump back.
const COUNT_DOWN: &str = "s_sub_u32 s9, s9, 1";
const IS_LEFT: &str = "s_cmp_lg_u32 s9, 0";
/// The lines that read the counter before and after the timed code, each with the lines that must follow.
struct Readings {
    begin: Vec<String>,
    end: Vec<String>,
}

impl Readings {
    fn of(generation: Generation) -> Self {
        let [begin, end] = [BEGIN, END].map(|first| generation.assembly.read_cycles(first));
        Self { begin, end }
    }

    /// The lines around the timed code that have to be there as they are.
    fn lines(&self) -> impl Iterator<Item = &str> {
        let readings = self.begin.iter().chain(&self.end).map(String::as_str);
        readings.chain([COUNT_DOWN, IS_LEFT])
    }
}

/// How the assembled code differs from the plan.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The code object cannot be read.
    #[error(transparent)]
    CodeObject(#[from] CodeObjectError),
    /// The planned instructions cannot be encoded.
    #[error(transparent)]
    Assembly(#[from] AssemblyError),
    /// The code object lacks a kernel.
    #[error("the code object has no kernel {0}")]
    NoKernel(String),
    /// The code object is for another target than was asked for.
    #[error("the code object is for {found}, not for {wanted}")]
    Target {
        /// Target in the file.
        found: String,
        /// Target that was asked for.
        wanted: String,
    },
    /// The kernel descriptor does not ask for the registers of the plan.
    #[error(
        "kernel {kernel}: its descriptor asks for {vgprs} VGPRs and {sgprs} SGPRs, and the experiment is about {planned}; the kernel is \
         not launched (look at its templates)"
    )]
    Registers {
        kernel: String,
        /// VGPRs in the descriptor.
        vgprs: u32,
        /// SGPRs in the descriptor.
        sgprs: u32,
        planned: String,
    },
    /// The kernel descriptor asks for waves of another size.
    #[error(
        "kernel {kernel}: its descriptor asks for waves of {found} lanes, not of {wanted}; the kernel is not launched (look at its templates)"
    )]
    WaveSize {
        kernel: String,
        /// Lanes in the descriptor.
        found: u32,
        /// Lanes that were asked for.
        wanted: u32,
    },
    /// Work-groups could run elsewhere than where they are measured.
    #[error(
        "kernel {kernel}: its descriptor asks for work-groups in mode {found}, not {wanted}; the kernel is not launched (look at its templates)"
    )]
    Mode {
        kernel: String,
        /// The mode in the descriptor.
        found: GroupMode,
        /// The mode that was asked for.
        wanted: GroupMode,
    },
    /// The timed code is not as planned.
    #[error("kernel {kernel}, {n} blocks, {address:#x}: {problem}; the kernel is not launched (look at its templates)")]
    Code {
        kernel: String,
        /// Which of its lengths.
        n: u32,
        address: u64,
        problem: String,
    },
    /// Instructions stand closer to each other than the hardware allows.
    #[error("kernel {kernel}: hazard {id}: {text}; the kernel is not launched (look at its templates)")]
    Hazard {
        kernel: String,
        /// Row of the hazard table.
        id: &'static str,
        /// Which instructions.
        text: String,
    },
}

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

/// A place in a kernel's code.
struct Cursor<'a> {
    object: &'a CodeObject,
    processor: Processor,
    plan: &'a KernelPlan,
    /// Machine code of lines that do not depend on labels.
    codes: &'a HashMap<&'a str, Vec<u8>>,
    n: u32,
    address: u64,
    /// Instructions so far that are two in one and break a rule for pairs, each with its address.
    breaking: Vec<(u64, Decoded)>,
}

impl Cursor<'_> {
    fn error(&self, problem: impl Into<String>) -> CheckError {
        CheckError::Code { kernel: self.plan.name.clone(), n: self.n, address: self.address, problem: problem.into() }
    }

    fn step(&mut self) -> Result<Decoded, CheckError> {
        let decoded = decode(self.processor, self.object.code_from(self.address), self.address)
            .map_err(|error| self.error(error.to_string()))?;
        if !decoded.pair_breaches().is_empty() {
            self.breaking.push((self.address, decoded));
        }
        self.address += u64::from(decoded.dwords.0) * 4;
        Ok(decoded)
    }

    /// Whether the instruction before the cursor, of this many dwords, is the machine code of this line.
    fn is_code_of(&self, line: &str, dwords: u8) -> bool {
        let Some(code) = self.codes.get(line) else { return true };
        let start = self.address - u64::from(dwords) * 4;
        let words = self.object.code_from(start).iter().take(dwords.into());
        words.flat_map(|word| word.to_le_bytes()).eq(code.iter().copied())
    }

    /// The instruction of a line around the timed code.
    fn expect_line(&mut self, line: &str) -> Result<(), CheckError> {
        let address = self.address;
        let found = self.step()?;
        if self.is_code_of(line, found.dwords.0) {
            return Ok(());
        }
        self.address = address;
        Err(self.error(format!("`{line}` expected, {found} found")))
    }

    fn expect(&mut self, name: &str) -> Result<Decoded, CheckError> {
        let address = self.address;
        let found = self.step()?;
        if found.instruction.name == name {
            return Ok(found);
        }
        self.address = address;
        Err(self.error(format!("{name} expected, {found} found")))
    }

    /// Continues to the instruction that begins a reading, and after it. Where registers are read the same way, the immediate tells which.
    fn find_reading(&mut self, readings: &Readings, lines: &[String]) -> Result<(), CheckError> {
        let name = self.processor.generation.counters.cycles.instruction.clone();
        let wanted = readings.begin.first().and_then(|line| {
            let words: Vec<u32> = self.codes.get(line.as_str())?.chunks_exact(4).map(dword).collect();
            decode(self.processor, &words, 0).ok()?.simm16()
        });
        self.find(&name, |found| found.simm16() == wanted, lines).map(drop)
    }

    /// Continues to the next instruction of that name that is the right one, and after it. The planned lines have to be on the way, in
    /// their order; others may be among them.
    fn find(
        &mut self,
        name: &str,
        is_right: impl Fn(&Decoded) -> bool,
        lines: &[String],
    ) -> Result<Decoded, CheckError> {
        let codes = self.codes;
        let mut lines = lines.iter().filter(|line| codes.contains_key(line.as_str())).peekable();
        loop {
            let found = self.step()?;
            let _ = lines.next_if(|line| self.is_code_of(line, found.dwords.0));
            if found.instruction.name == name && is_right(&found) {
                let missing = lines.next().map(|line| self.error(format!("`{line}` is missing before this {name}")));
                return missing.map_or(Ok(found), Err);
            }
            if found.instruction.name == "S_ENDPGM" {
                return Err(self.error(format!("the kernel ends where {name} should come")));
            }
        }
    }
}

fn dword(bytes: &[u8]) -> u32 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte))
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
