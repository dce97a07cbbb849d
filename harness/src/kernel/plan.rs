//! What a kernel is to hold, before it is text.

use gcn_model::isa::Instruction;

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

impl Block {
    /// Targets alone, back to back.
    pub const BARE: Self = Self { targets: 1, fillers: 0 };

    /// Instructions of the block: name and text, from copy `first` of the target on.
    pub fn lines<'a>(&self, target: &'a Target, filler: &Filler, first: usize) -> Vec<&'a str>
    where
        Filler: 'a,
    {
        let copies = &target.copies;
        let targets = (0..self.targets as usize).map(|i| copies[(first + i) % copies.len()].as_str());
        let fillers = (0..self.fillers).map(|_| filler.text);
        targets.chain(fillers).collect()
    }
}

impl KernelPlan {
    /// The lines of a section's timed code.
    pub fn lines(&self, section: Section) -> Vec<&str> {
        (0..section.n)
            .flat_map(|block| self.block.lines(&self.target, &self.filler, (block * self.block.targets) as usize))
            .collect()
    }

    /// The instructions of a section's timed code, in order, with their sizes in dwords.
    pub fn instructions(&self, section: Section) -> impl Iterator<Item = (&str, u8)> {
        let target: &Instruction = self.target.instruction;
        let (name, dwords) = (target.name.as_str(), self.target.dwords);
        (0..section.n).flat_map(move |_| {
            let targets = (0..self.block.targets).map(move |_| (name, dwords));
            targets.chain((0..self.block.fillers).map(|_| (self.filler.instruction, 1)))
        })
    }

    /// What a block holds, in words.
    pub fn block_text(&self) -> String {
        let target = format!("{} {}", self.block.targets, self.target.instruction.name);
        match self.block.fillers {
            0 => target,
            fillers => format!("{target} + {fillers} {}", self.filler.instruction),
        }
    }
}
