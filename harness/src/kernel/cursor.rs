//! A walk over a kernel's code.

use std::collections::HashMap;

use gcn_model::code_object::CodeObject;
use gcn_model::decode::{Decoded, decode};
use gcn_model::isa::{Generation, Processor};

use super::check_error::CheckError;
use super::layout::{BEGIN, END};
use super::plan::KernelPlan;

/// What ends a pass of the loop around the timed code, in front of the jump back.
pub(super) const COUNT_DOWN: &str = "s_sub_u32 s9, s9, 1";
pub(super) const IS_LEFT: &str = "s_cmp_lg_u32 s9, 0";

/// The lines that read the counter before and after the timed code, each with the lines that must follow.
pub(super) struct Readings {
    pub(super) begin: Vec<String>,
    pub(super) end: Vec<String>,
}

impl Readings {
    pub(super) fn of(generation: Generation) -> Self {
        let [begin, end] = [BEGIN, END].map(|first| generation.assembly.read_cycles(first));
        Self { begin, end }
    }

    /// The lines around the timed code that have to be there as they are.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        let readings = self.begin.iter().chain(&self.end).map(String::as_str);
        readings.chain([COUNT_DOWN, IS_LEFT])
    }
}

/// A place in a kernel's code.
pub(super) struct Cursor<'a> {
    pub(super) object: &'a CodeObject,
    pub(super) processor: Processor,
    pub(super) plan: &'a KernelPlan,
    /// Machine code of lines that do not depend on labels.
    pub(super) codes: &'a HashMap<&'a str, Vec<u8>>,
    pub(super) n: u32,
    pub(super) address: u64,
    /// Instructions so far that are two in one and break a rule for pairs, each with its address.
    pub(super) breaking: Vec<(u64, Decoded)>,
}

impl Cursor<'_> {
    pub(super) fn error(&self, problem: impl Into<String>) -> CheckError {
        CheckError::Code { kernel: self.plan.name.clone(), n: self.n, address: self.address, problem: problem.into() }
    }

    pub(super) fn step(&mut self) -> Result<Decoded, CheckError> {
        let decoded = decode(self.processor, self.object.code_from(self.address), self.address)
            .map_err(|error| self.error(error.to_string()))?;
        if !decoded.pair_breaches().is_empty() {
            self.breaking.push((self.address, decoded));
        }
        self.address += u64::from(decoded.dwords.0) * 4;
        Ok(decoded)
    }

    /// Whether the instruction before the cursor, of this many dwords, is the machine code of this line.
    pub(super) fn is_code_of(&self, line: &str, dwords: u8) -> bool {
        let Some(code) = self.codes.get(line) else { return true };
        let start = self.address - u64::from(dwords) * 4;
        let words = self.object.code_from(start).iter().take(dwords.into());
        words.flat_map(|word| word.to_le_bytes()).eq(code.iter().copied())
    }

    /// The instruction of a line around the timed code.
    pub(super) fn expect_line(&mut self, line: &str) -> Result<(), CheckError> {
        let address = self.address;
        let found = self.step()?;
        if self.is_code_of(line, found.dwords.0) {
            return Ok(());
        }
        self.address = address;
        Err(self.error(format!("`{line}` expected, {found} found")))
    }

    pub(super) fn expect(&mut self, name: &str) -> Result<Decoded, CheckError> {
        let address = self.address;
        let found = self.step()?;
        if found.instruction.name == name {
            return Ok(found);
        }
        self.address = address;
        Err(self.error(format!("{name} expected, {found} found")))
    }

    /// Continues to the instruction that begins a reading, and after it. Where registers are read the same way, the immediate tells which.
    pub(super) fn find_reading(&mut self, readings: &Readings, lines: &[String]) -> Result<(), CheckError> {
        let name = self.processor.generation.counters.cycles.instruction.clone();
        let wanted = readings.begin.first().and_then(|line| {
            let words: Vec<u32> = self.codes.get(line.as_str())?.chunks_exact(4).map(dword).collect();
            decode(self.processor, &words, 0).ok()?.simm16()
        });
        self.find(&name, |found| found.simm16() == wanted, lines).map(drop)
    }

    /// Continues to the next instruction of that name that is the right one, and after it. The planned lines have to be on the way, in
    /// their order; others may be among them.
    pub(super) fn find(
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
