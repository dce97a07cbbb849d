//! What a kernel is to hold, before it is text.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Target;
use super::allocation::Allocation;
use super::block::{Block, Order, Part, Piece};

/// A length of the timed code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// Blocks between the two readings, or in the loop between them.
    pub n: u32,
    /// Times that a loop runs the blocks, if there is a loop.
    pub loops: Option<Loops>,
}

/// A loop around the timed code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Loops {
    /// Times before the readings that count.
    pub warm: u32,
    /// Times between the readings.
    pub timed: u32,
}

/// A kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelPlan {
    /// Name of its symbol.
    pub name: String,
    /// Experiment that it belongs to, for the comment.
    pub experiment: String,
    /// What the experiment is for, for the comment.
    pub purpose: String,
    /// The target.
    pub target: Target,
    /// Other instructions in the same block.
    pub others: Vec<Target>,
    /// Registers that each of its waves allocates.
    pub allocation: Allocation,
    /// The filler.
    pub filler: Filler,
    /// What is repeated.
    pub block: Block,
    /// In which order the blocks run.
    pub order: Order,
    /// The lengths.
    pub sections: Vec<Section>,
    /// Passes of each length that are kept.
    pub samples: u32,
    /// Passes of each length before that.
    pub warm_passes: u32,
    /// log2 of the waves in a group.
    pub log2_waves_per_group: u32,
}

/// A known 1-dword instruction that fills blocks up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filler {
    /// Experiment that measures it.
    pub experiment: &'static str,
    /// The instruction's name.
    pub instruction: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// The filler for vector targets.
pub const VECTOR_FILLER: Filler =
    Filler { experiment: "V_MOV_B32/filler", instruction: "V_MOV_B32", text: "v_mov_b32_e32 v23, v6" };
/// The filler for scalar targets: a vector one would wait for nothing, but a scalar one keeps to the scalar unit.
pub const SCALAR_FILLER: Filler =
    Filler { experiment: "S_MOV_B32/filler", instruction: "S_MOV_B32", text: "s_mov_b32 s20, s3" };

impl KernelPlan {
    /// The lines of a section's timed code.
    pub fn lines(&self, section: Section) -> Vec<Cow<'_, str>> {
        self.pieces(section).into_iter().map(|piece| piece.text).collect()
    }

    /// The lines of the timed code of all its sections, each once.
    pub fn distinct_lines(&self) -> HashSet<Cow<'_, str>> {
        self.sections.iter().flat_map(|section| self.lines(*section)).collect()
    }

    /// The instructions of a section's timed code, in order.
    pub fn instructions(&self, section: Section) -> Vec<Expected<'_>> {
        self.pieces(section).into_iter().map(Expected::from).collect()
    }

    /// What a block holds, in words.
    pub fn block_text(&self) -> String {
        let name = |target: &Target| {
            let wait = if target.wait.is_some() { " + its wait" } else { "" };
            format!("1 {}{wait}", target.instruction.name)
        };
        let parts = self.block.parts.iter().filter_map(|part| match part {
            Part::Target => Some(name(&self.target)),
            Part::Other(other) => self.others.get(*other).map(name),
            Part::Fillers(0) => None,
            Part::Fillers(count) => Some(format!("{count} {}", self.filler.instruction)),
        });
        let text = parts.collect::<Vec<_>>().join(" + ");
        match self.order {
            Order::Straight => text,
            Order::Forward { entry } => format!("{text}, entered at dword {entry}"),
            Order::Backward { entry } => format!("{text}, entered at dword {entry} from the line behind"),
        }
    }
}

/// An instruction of the timed code as it has to be after assembly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected<'a> {
    /// As it is assembled.
    pub text: Cow<'a, str>,
    /// Name.
    pub name: &'a str,
    /// Size in dwords.
    pub dwords: u8,
    /// Where it jumps to, in dwords from the start of the timed code, if that stands in its text.
    pub jump: Option<u32>,
}

impl<'a> From<Piece<'a>> for Expected<'a> {
    fn from(piece: Piece<'a>) -> Self {
        let jump = piece.jump.filter(|_| piece.has_label);
        Self { text: piece.text, name: piece.name, dwords: piece.dwords, jump }
    }
}
