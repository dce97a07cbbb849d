//! A block whose steps are made: it can be run often.

use crate::block::instruction::BlockInstruction;
use crate::block::lowering::make_block;
use crate::block::shape::Block;
use crate::cost::configuration::Configuration;
use crate::error::{Problem, SimulationError};
use crate::lower::allocated::Allocated;
use crate::lower::program::{MOST_INSTRUCTIONS, Program, Source};
use crate::memory::global::Memory;

/// A block, ready to be run with any waves on the GPU of a configuration.
#[derive(Debug)]
pub struct LoweredBlock<'a> {
    pub(super) name: &'a str,
    pub(super) configuration: &'a Configuration,
    pub(super) program: Program<'a>,
    instructions: Vec<BlockInstruction>,
}

impl<'a> LoweredBlock<'a> {
    /// Makes the steps of a block.
    ///
    /// # Errors
    /// No code, or an instruction that no block can have.
    pub fn of(configuration: &'a Configuration, block: Block<'a>) -> Result<Self, SimulationError> {
        let mut program = Self::launched(configuration, block)?;
        let last = program.steps.len() - 1;
        let path = make_block(&mut program.steps, &program.tables)
            .map_err(|(address, problem)| stopped(block, &program, address, problem))?;
        let steps = program.steps[..last].iter().enumerate();
        let memory = (&program.tables, configuration.issue.wave_size);
        let instructions = steps.map(|(index, step)| BlockInstruction::of(index, step, &path, memory)).collect();
        Ok(Self { name: block.name, configuration, program, instructions })
    }

    /// A block whose steps are there.
    pub(super) fn of_program(name: &'a str, configuration: &'a Configuration, program: Program<'a>) -> Self {
        Self { name, configuration, program, instructions: Vec::new() }
    }

    /// Its instructions, in the order of their addresses.
    pub fn instructions(&self) -> &[BlockInstruction] {
        &self.instructions
    }

    /// The steps of the block as those of a launch, then the one that leaves it.
    pub(super) fn launched(configuration: &'a Configuration, block: Block<'a>) -> Result<Program<'a>, SimulationError> {
        let source = Source::Words { address: block.address, words: block.words };
        let mut program = Program::new(source, Allocated::ALL, configuration);
        let reached = program.reach(block.address, &mut Memory::default());
        reached.map_err(|problem| stopped(block, &program, block.address, problem))?;
        let end = block.address + block.words.len() as u64 * 4;
        let decoded_to = program.steps.last().map_or(block.address, |leave| leave.address);
        if decoded_to < end {
            let problem = match program.steps.len() > MOST_INSTRUCTIONS {
                true => Problem::TooLong(MOST_INSTRUCTIONS),
                false => Problem::NotAnInstruction("what stands there is not an instruction".to_owned()),
            };
            return Err(stopped(block, &program, decoded_to, problem));
        }
        Ok(program)
    }

    /// The error of a wave at an address of a block without an instruction.
    pub(super) fn no_instruction(block: Block<'_>, address: u64) -> SimulationError {
        let (kernel, instruction) = (block.name.into(), "no instruction".to_owned());
        SimulationError::Execution { kernel, wave: 0, address, instruction, problem: Problem::OutsideCode }
    }

    /// The error of a wave that stops at an address.
    pub(super) fn stopped(&self, wave: u32, address: u64, problem: Problem) -> SimulationError {
        let instruction = self.program.text(address);
        SimulationError::Execution { kernel: self.name.into(), wave, address, instruction, problem }
    }
}

fn stopped(block: Block<'_>, program: &Program<'_>, address: u64, problem: Problem) -> SimulationError {
    let instruction = program.text(address);
    SimulationError::Execution { kernel: block.name.into(), wave: 0, address, instruction, problem }
}
