//! What a kernel is to hold, before it is text.

use std::borrow::Cow;

use super::Target;

/// What is repeated: some targets, then some fillers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Targets in a block.
    pub targets: u32,
    /// Fillers behind them.
    pub fillers: u32,
}

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

/// In which order the blocks of a section run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// One behind the other.
    Straight,
    /// The last first: each is a line of the cache and jumps back to the start of the line before it, the first one behind the
    /// last. A line in front jumps to the last.
    Backward,
}

/// An instruction of the timed code as it has to be after assembly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Expected<'a> {
    /// Name.
    pub name: &'a str,
    /// Size in dwords.
    pub dwords: u8,
    /// Where it jumps to, in dwords from the start of the timed code, if that stands in its text.
    pub jump: Option<u32>,
}

impl Block {
    /// Targets alone, back to back.
    pub const BARE: Self = Self { targets: 1, fillers: 0 };
}

impl KernelPlan {
    /// The lines of a section's timed code.
    pub fn lines(&self, section: Section) -> Vec<Cow<'_, str>> {
        let copies = &self.target.copies;
        match self.order {
            Order::Straight => (0..section.n)
                .flat_map(|block| {
                    let first = (block * self.block.targets) as usize;
                    let targets = (first..first + self.block.targets as usize)
                        .flat_map(|copy| std::iter::once(copies[copy % copies.len()].as_str()).chain(self.target.wait));
                    targets.chain((0..self.block.fillers).map(|_| self.filler.text)).map(Cow::Borrowed)
                })
                .collect(),
            Order::Backward => self.backward_lines(section),
        }
    }

    /// The instructions of a section's timed code, in order.
    pub fn instructions(&self, section: Section) -> Vec<Expected<'_>> {
        if self.order == Order::Backward {
            return self.backward_instructions(section);
        }
        let (name, dwords) = (self.target.instruction.name.as_str(), self.target.dwords);
        let mut place = 0;
        let mut instructions = Vec::new();
        let mut push = |name, dwords: u8, is_jump: bool| {
            place += u32::from(dwords);
            instructions.push(Expected { name, dwords, jump: is_jump.then_some(place) });
        };
        for _ in 0..section.n {
            for _ in 0..self.block.targets {
                push(name, dwords, self.target.has_label());
                if self.target.wait.is_some() {
                    push("S_WAITCNT", 1, false);
                }
            }
            for _ in 0..self.block.fillers {
                push(self.filler.instruction, 1, false);
            }
        }
        instructions
    }

    /// What a block holds, in words.
    pub fn block_text(&self) -> String {
        let mut text = format!("{} {}", self.block.targets, self.target.instruction.name);
        if self.target.wait.is_some() {
            text += " + its wait";
        }
        if self.order == Order::Backward {
            text += " back";
        }
        match self.block.fillers {
            0 => text,
            fillers => format!("{text} + {fillers} {}", self.filler.instruction),
        }
    }
}
