//! The repeated code of a section, and the order of its blocks.

use super::snippet::Snippet;

/// Dwords of a line of the instruction cache, which each block of a jump is.
pub const LINE_DWORDS: u32 = 16;
/// Dwords of the longest line of an instruction cache. What starts such a line starts a block of the front end too, whatever its size: in the first
/// dword of a block a front end charges least.
pub const LONGEST_LINE_DWORDS: u32 = 2 * LINE_DWORDS;

/// A part of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Snippet,
    /// Another instruction, the plan's that has this number.
    Other(usize),
    Fillers(u32),
}

/// The repeated code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// In which order the blocks of a section run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// In sequence.
    Straight,
    /// Each begins at this dword of a line of its own, and ends in the line after it with a jump to the next.
    Forward {
        /// Dword of a line.
        entry: u32,
    },
    /// The last first: each begins at this dword of a line of its own, and ends in the line after it with a jump back to the
    /// block before it, the first one after the last. A jump at the start leads to the last.
    Backward {
        /// Dword of a line.
        entry: u32,
    },
}

impl Block {
    /// A snippet alone, back to back with the next.
    pub fn bare() -> Self {
        Self { parts: vec![Part::Snippet] }
    }

    /// A longest line of nothing but snippets of this many dwords, so that the error of the line is shared by all of them.
    pub fn full(dwords: u8) -> Self {
        Self { parts: vec![Part::Snippet; LONGEST_LINE_DWORDS as usize / usize::from(dwords)] }
    }

    /// A snippet and one filler, which hands its result on to the next.
    pub fn carried() -> Self {
        Self { parts: vec![Part::Snippet, Part::Fillers(1)] }
    }

    /// Fillers alone.
    pub fn of_fillers(count: u32) -> Self {
        Self { parts: vec![Part::Fillers(count)] }
    }

    /// A snippet at a dword of a block of that many dwords, with fillers in the rest.
    pub fn at(offset: u32, snippet: &Snippet, dwords: u32) -> Self {
        let behind = dwords - offset - u32::from(snippet.dwords);
        Self { parts: vec![Part::Fillers(offset), Part::Snippet, Part::Fillers(behind)] }
    }

    /// Fillers and a jump, as many dwords as a line has: the same wherever they are entered.
    pub fn jumping() -> Self {
        Self { parts: vec![Part::Fillers(LINE_DWORDS - 1), Part::Snippet] }
    }

    /// Targets in it, of all kinds.
    pub fn snippets(&self) -> u32 {
        self.parts.iter().filter(|part| !matches!(part, Part::Fillers(_))).count() as u32
    }

    pub fn fillers(&self) -> u32 {
        self.parts.iter().map(|part| if let Part::Fillers(count) = part { *count } else { 0 }).sum()
    }
}
