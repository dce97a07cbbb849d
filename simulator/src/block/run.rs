//! Running a block.

use crate::block::instruction::BlockInstruction;
use crate::block::lowered::LoweredBlock;
use crate::block::repetition::Repetition;
use crate::block::segment::Segment;
use crate::block::shape::{Block, BlockShape};
use crate::cost::configuration::Configuration;
use crate::error::SimulationError;

/// The waves' actions.
#[derive(Debug, Clone, PartialEq)]
pub struct BlockRun {
    /// The instructions, in the order of their addresses.
    pub instructions: Vec<BlockInstruction>,
    /// The waves' use of their time, wave by wave; the segments of a wave are in the order of time, without gap or overlap.
    pub segments: Vec<Segment>,
    /// Shader cycles from the start to the end of the last wave.
    pub cycles: u64,
}

impl LoweredBlock<'_> {
    /// Runs it, each wave for the iterations of the shape.
    ///
    /// # Errors
    /// A shape that does not fit on the compute unit; waves that wait at a barrier forever.
    pub fn run(&self, shape: BlockShape) -> Result<BlockRun, SimulationError> {
        let mut repetition = Repetition::new(self, shape)?;
        repetition.end()?;
        let (instructions, segments, cycles) =
            (self.instructions().to_vec(), repetition.segments().collect(), repetition.cycles());
        Ok(BlockRun { instructions, segments, cycles })
    }

    /// The shader cycles alone of such a run, from the start of the first wave to the end of the last.
    ///
    /// # Errors
    /// As [`LoweredBlock::run`].
    pub fn cycles(&self, shape: BlockShape) -> Result<u64, SimulationError> {
        let mut repetition = Repetition::new(self, shape)?;
        repetition.end()?;
        Ok(repetition.cycles())
    }

    /// Starts waves that repeat it without end, as far as they are let; the iterations of the shape do not count.
    ///
    /// # Errors
    /// A shape that the compute unit has no room for.
    pub fn repeat(&self, shape: BlockShape) -> Result<Repetition<'_>, SimulationError> {
        Repetition::new(self, BlockShape { iterations: u32::MAX, ..shape })
    }
}

/// Runs a block.
///
/// # Errors
/// Those of [`LoweredBlock::of`] and [`LoweredBlock::run`].
pub fn run_block(
    configuration: &Configuration,
    block: Block<'_>,
    shape: BlockShape,
) -> Result<BlockRun, SimulationError> {
    LoweredBlock::of(configuration, block)?.run(shape)
}
