//! The code that a launch executes, decoded as far as control has got.
//!
//! Code is decoded in chunks: from an address to the end of the function that starts there, as far as it can be told. Where
//! control goes somewhere else (a call, a return, a jump table), the launch asks for another chunk.

use std::collections::BTreeSet;

use crate::cost::configuration::Configuration;
use crate::error::Problem;
use crate::lower::allocated::Allocated;
use crate::lower::micro_op::MicroOp;
use crate::lower::observed::{drop_unobserved, find_private};
use crate::lower::operation::Operation;
use crate::lower::repeated::{MOST_DWORDS, Repeated};
use crate::lower::tables::Tables;
use crate::memory::global::Memory;
use crate::memory::reach::Words;
use gcn_model::code_object::{CodeObject, Kernel};
use gcn_model::decode::{Decoded, Location, decode};

/// Instructions after which a chunk is cut, so that data after the code costs no more than this.
pub(crate) const MOST_INSTRUCTIONS: usize = 1 << 16;

/// Where the code is.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Source<'a> {
    /// In a code object, up to this address: where the next kernel starts.
    Object(&'a CodeObject, u64),
    /// These dwords, from this address on.
    Words { address: u64, words: &'a [u32] },
    /// In the memory of the device.
    Memory,
}

impl<'a> Source<'a> {
    /// The code of a kernel of a code object.
    pub(crate) fn of_kernel(object: &'a CodeObject, kernel: &Kernel) -> Self {
        let end = object.code_address + object.code.len() as u64 * 4;
        let entries = object.kernels.iter().map(|other| other.entry);
        // Where the next kernel starts.
        Self::Object(object, entries.filter(|entry| *entry > kernel.entry).min().unwrap_or(end))
    }

    /// The dwords from `address` on, as far as they are known without the memory of the device.
    pub(crate) fn words_from(self, address: u64) -> &'a [u32] {
        match self {
            Self::Object(object, end) => {
                let words = object.code_from(address);
                &words[..words.len().min((end.saturating_sub(address) / 4) as usize)]
            }
            Self::Words { address: first, words } => {
                address.checked_sub(first).and_then(|offset| words.get(offset as usize / 4..)).unwrap_or_default()
            }
            Self::Memory => &[],
        }
    }
}

/// Code that lies together.
#[derive(Debug)]
pub(crate) struct Chunk {
    /// Address of its first dword.
    pub address: u64,
    /// Its dwords, and the few that had to be seen after the last instruction.
    pub words: Vec<u32>,
    /// Its first step, and the one after its last.
    steps: (usize, usize),
}

/// A kernel's steps.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    source: Source<'a>,
    configuration: &'a Configuration,
    allocated: Allocated,
    /// Steps of all chunks; each chunk is followed by one that leaves it.
    pub steps: Vec<MicroOp>,
    /// Their accesses and functions.
    pub tables: Tables,
    /// The chunks in the order in which they were decoded.
    pub chunks: Vec<Chunk>,
    /// The first chunk is all of the program: no jump leaves it.
    pub is_whole: bool,
}

impl<'a> Program<'a> {
    /// A program of which nothing is decoded yet.
    pub(crate) fn new(source: Source<'a>, allocated: Allocated, configuration: &'a Configuration) -> Self {
        let (steps, tables, chunks) = Default::default();
        Self { source, configuration, allocated, steps, tables, chunks, is_whole: false }
    }

    /// The step of the instruction at `address`, which is decoded if it was not yet.
    ///
    /// # Errors
    /// There is no code, or the words are not an instruction.
    pub(crate) fn reach(&mut self, address: u64, memory: &mut Memory) -> Result<u32, Problem> {
        match self.step_at(address) {
            Some(step) => Ok(step),
            None => self.decode_from(address, memory),
        }
    }

    /// Decodes a chunk and gives its first step.
    fn decode_from(&mut self, start: u64, memory: &mut Memory) -> Result<u32, Problem> {
        if !start.is_multiple_of(4) {
            return Err(Problem::Misaligned { address: start, bytes: 4 });
        }
        let first = self.steps.len();
        let mut words = self.source.words_from(start).to_vec();
        self.steps.reserve(words.len() + 1);
        let mut repeated = Repeated::default();
        let mut jumps = Vec::new();
        let mut address = start;
        let mut last_line = u64::MAX;
        // The code reaches as far as forward jumps go, whatever lies in between.
        let mut reaches = start;
        while self.steps.len() - first < MOST_INSTRUCTIONS {
            let done = ((address - start) / 4) as usize;
            let problem = self.fetch(&mut words, start, done + MOST_DWORDS, memory);
            let dword = self.configuration.front_end.dword_in_block((address / 4) as u32) as usize;
            let again = repeated.find(dword, words.get(done..).unwrap_or_default());
            if let Some((step, bytes)) = again.filter(|_| !self.keeps_everything()) {
                let step = self.steps[step].again(&mut self.tables);
                self.push(MicroOp { address, ..step }, bytes, &mut last_line);
                address += bytes;
                continue;
            }
            let decoded = match decode(self.configuration.processor, &words[done.min(words.len())..], address) {
                Ok(decoded) => decoded,
                Err(error) if address == start => {
                    return Err(problem.unwrap_or(Problem::NotAnInstruction(error.to_string())));
                }
                Err(_) => break,
            };
            let bytes = u64::from(decoded.dwords.0) * 4;
            if let Some(target) = decoded.branch_target(address) {
                jumps.push((self.steps.len(), target));
                reaches = reaches.max(target);
            }
            let step = MicroOp::of(&decoded, address, self.configuration, self.allocated, &mut self.tables);
            if decoded.branch_target(address).is_none() && decoded.may_be_passed() {
                repeated.keep(dword, self.steps.len(), &words[done..][..usize::from(decoded.dwords.0)]);
            }
            self.push(step, bytes, &mut last_line);
            address += bytes;
            if matches!(self.source, Source::Memory) && !decoded.may_be_passed() && reaches < address {
                break;
            }
        }
        let last = self.steps.len();
        let leave = MicroOp::leave(address, self.steps[last - 1].line);
        self.steps.push(leave);
        self.chunks.push(Chunk { address: start, words, steps: (first, last) });
        let has_all_targets = self.link(jumps);
        self.is_whole = first == 0 && last - first < MOST_INSTRUCTIONS && has_all_targets;
        if self.is_whole && !self.keeps_everything() {
            drop_unobserved(&mut self.steps[..last], &mut self.tables);
            find_private(&mut self.steps[..=last], self.configuration);
        }
        Ok(first as u32)
    }

    /// Gives jumps their targets, and what the front end charges for them; whether all targets are there.
    fn link(&mut self, jumps: Vec<(usize, u64)>) -> bool {
        let mut has_all = true;
        for (jump, target) in jumps {
            let front_end = &self.configuration.front_end;
            let dword = front_end.dword_in_block((target / 4) as u32);
            let jump_penalty = front_end.jump_penalty(dword, target <= self.steps[jump].address);
            let target = self.step_at(target).unwrap_or(u32::MAX);
            has_all &= target != u32::MAX;
            let step = &mut self.steps[jump];
            (step.jump_penalty, step.target) = (jump_penalty, target);
        }
        has_all
    }

    /// Whether no step may be left out or shared. A block's results are left out when its steps become those of a block.
    fn keeps_everything(&self) -> bool {
        self.configuration.computes_everything || matches!(self.source, Source::Words { .. })
    }

    /// Adds a step of this many bytes, with the cache line in which it ends.
    fn push(&mut self, mut step: MicroOp, bytes: u64, last_line: &mut u64) {
        let line_bytes = u64::from(self.configuration.instruction_cache.line_bytes);
        step.line = (step.address + bytes - 4) / line_bytes;
        step.new_line = step.line != *last_line;
        *last_line = step.line;
        self.steps.push(step);
    }

    /// Adds words until there are `count`, or until there is no more code: then it says why.
    fn fetch(&self, words: &mut Vec<u32>, start: u64, count: usize, memory: &mut Memory) -> Option<Problem> {
        while words.len() < count {
            let address = start + words.len() as u64 * 4;
            let word = match self.source {
                Source::Object(..) | Source::Words { .. } => {
                    self.source.words_from(address).first().copied().ok_or(Problem::OutsideCode)
                }
                Source::Memory => memory
                    .word(address)
                    .and_then(|word| word.value().ok_or_else(|| Problem::UnknownControl("the code".into()))),
            };
            match word {
                Ok(word) => words.push(word),
                Err(problem) => return Some(problem),
            }
        }
        None
    }

    /// Addresses of the instructions whose values are approximations.
    pub(crate) fn approximate_addresses(&self) -> BTreeSet<u64> {
        let functions = &self.tables.functions;
        let is_approximate = |step: &&MicroOp| match step.operation {
            Operation::Lanes => functions[step.access as usize].is_approximate,
            Operation::ScalarFloat(float) => float.is_approximate(),
            _ => false,
        };
        self.steps.iter().filter(is_approximate).map(|step| step.address).collect()
    }

    /// VGPRs that are allocated.
    pub(crate) fn vgprs(&self) -> u32 {
        self.allocated.vgprs
    }

    /// The step whose instruction starts at `address`, if it is decoded.
    pub(crate) fn step_at(&self, address: u64) -> Option<u32> {
        self.chunks.iter().find_map(|chunk| {
            let (first, last) = chunk.steps;
            let steps = &self.steps[first..last];
            let step = steps.binary_search_by_key(&address, |step| step.address).ok()?;
            Some((first + step) as u32)
        })
    }

    /// The instruction at `address`.
    fn decoded(&self, address: u64) -> Option<Decoded> {
        self.chunks.iter().find_map(|chunk| {
            let offset = address.checked_sub(chunk.address)? / 4;
            let words = chunk.words.get(offset as usize..)?;
            decode(self.configuration.processor, words, address).ok()
        })
    }

    /// The text of the instruction at `address`, for messages.
    pub(crate) fn text(&self, address: u64) -> String {
        self.decoded(address).map_or_else(|| "no instruction".to_owned(), |decoded| decoded.to_string())
    }

    /// The fault of an instruction that names registers beyond the allocation.
    pub(crate) fn out_of_range(&self, step: &MicroOp) -> Problem {
        let allocated = self.allocated;
        let operands = self.decoded(step.address).map(|decoded| decoded.operands()).unwrap_or_default();
        let location = operands.iter().find(|operand| allocated.lacks(operand)).map(|operand| operand.location);
        let (register, allocated) = match location {
            Some(Location::Vgpr(first)) => (format!("v{first} and up"), format!("{} VGPRs", allocated.vgprs)),
            Some(Location::Agpr(first)) => (format!("a{first} and up"), format!("{} AGPRs", allocated.agprs)),
            Some(Location::Sgpr(first)) => (format!("s{first} and up"), format!("{} SGPRs", allocated.sgprs)),
            _ => ("a register".into(), "fewer".into()),
        };
        Problem::RegisterOutOfRange { register, allocated }
    }
}
