//! A kernel's code, decoded once into what the machine executes.

use super::access::Access;
use super::configuration::Configuration;
use super::error::Problem;
use super::step::{Allocated, Step};
use crate::code_object::{CodeObject, Kernel};
use crate::decode::{Location, decode};

/// A kernel's steps.
#[derive(Debug)]
pub(super) struct Program<'a> {
    object: &'a CodeObject,
    configuration: &'a Configuration,
    allocated: Allocated,
    /// Steps in the order of their addresses.
    pub steps: Vec<Step>,
    /// Accesses of the memory and LDS instructions.
    pub accesses: Vec<Access>,
    /// Why the code could not be decoded further than the last step, if control should get there.
    pub end: Problem,
    /// Where that is.
    pub end_address: u64,
}

impl<'a> Program<'a> {
    /// Decodes the kernel from its entry to the start of the next kernel, or to the first words that are not an instruction.
    pub(super) fn new(object: &'a CodeObject, kernel: &Kernel, configuration: &'a Configuration) -> Self {
        let end = object.code_address + object.code.len() as u64 * 4;
        let end =
            object.kernels.iter().map(|other| other.entry).filter(|entry| *entry > kernel.entry).min().unwrap_or(end);
        let allocated = Allocated { vgprs: kernel.descriptor.vgprs(), sgprs: kernel.descriptor.sgprs() };
        let mut program = Self {
            object,
            configuration,
            allocated,
            steps: Vec::new(),
            accesses: Vec::new(),
            end: Problem::OutsideCode,
            end_address: end,
        };
        let mut jumps = Vec::new();
        let mut address = kernel.entry;
        let mut last_line = u64::MAX;
        while address < end {
            let decoded = match decode(configuration.generation, object.code_from(address), address) {
                Ok(decoded) => decoded,
                Err(error) => {
                    program.end = Problem::NotAnInstruction(error.to_string());
                    program.end_address = address;
                    break;
                }
            };
            let bytes = u64::from(decoded.dwords.0) * 4;
            if let Some(target) = decoded.branch_target(address) {
                jumps.push((program.steps.len(), target));
            }
            let mut step = Step::of(&decoded, address, configuration, allocated, &mut program.accesses);
            let line_bytes = u64::from(configuration.instruction_cache.line_bytes);
            step.line = (address + bytes - 4) / line_bytes;
            step.new_line = step.line != last_line;
            last_line = step.line;
            program.steps.push(step);
            address += bytes;
        }
        for (jump, target) in jumps {
            let is_backward = target <= u64::from(program.steps[jump].address);
            let dword = configuration.front_end.dword_in_block((target / 4) as u32);
            program.steps[jump].jump_penalty = configuration.front_end.jump_penalty(dword, is_backward);
            program.steps[jump].target = program.step_at(target).unwrap_or(u32::MAX);
        }
        program
    }

    /// The step whose instruction starts at `address`.
    pub(super) fn step_at(&self, address: u64) -> Option<u32> {
        let address = u32::try_from(address).ok()?;
        self.steps.binary_search_by_key(&address, |step| step.address).ok().map(|step| step as u32)
    }

    /// The text of the instruction at `address`, for messages.
    pub(super) fn text(&self, address: u64) -> String {
        decode(self.configuration.generation, self.object.code_from(address), address)
            .map_or_else(|_| "no instruction".to_owned(), |decoded| decoded.to_string())
    }

    /// What an instruction that names registers beyond the allocation has done wrong.
    pub(super) fn out_of_range(&self, step: &Step) -> Problem {
        let address = u64::from(step.address);
        let allocated = self.allocated;
        let decoded = decode(self.configuration.generation, self.object.code_from(address), address);
        let operands = decoded.map(|decoded| decoded.operands()).unwrap_or_default();
        let location = operands.iter().find(|operand| allocated.lacks(operand)).map(|operand| operand.location);
        let (register, allocated) = match location {
            Some(Location::Vgpr(first)) => (format!("v{first} and up"), format!("{} VGPRs", allocated.vgprs)),
            Some(Location::Sgpr(first)) => (format!("s{first} and up"), format!("{} SGPRs", allocated.sgprs)),
            _ => ("a register".into(), "fewer".into()),
        };
        Problem::RegisterOutOfRange { register, allocated }
    }
}
