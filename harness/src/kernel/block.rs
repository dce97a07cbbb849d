//! What a section repeats, and in which order its blocks run.

use std::borrow::Cow;

use super::plan::{KernelPlan, Section};
use super::target::Target;

/// Dwords of a line of the instruction cache, which each block of a jump is.
pub const LINE_DWORDS: u32 = 16;
/// Dwords that a block with a jump has room in.
const JUMPING_DWORDS: u32 = 2 * LINE_DWORDS;
/// What stands where nothing runs.
const NEVER: &str = "s_nop 0";

/// A part of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The target.
    Target,
    /// Another instruction, the plan's that has this number.
    Other(usize),
    /// So many fillers.
    Fillers(u32),
}

/// What is repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// In which order the blocks of a section run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// One behind the other.
    Straight,
    /// Each begins at this dword of a line of its own, and ends in the line behind it with a jump to the next.
    Forward {
        /// Dword of a line.
        entry: u32,
    },
    /// The last first: each begins at this dword of a line of its own, and ends in the line behind it with a jump back to the
    /// block before it, the first one behind the last. A jump in front leads to the last.
    Backward {
        /// Dword of a line.
        entry: u32,
    },
}

impl Block {
    /// A target alone, back to back with the next.
    pub fn bare() -> Self {
        Self { parts: vec![Part::Target] }
    }

    /// Fillers alone.
    pub fn of_fillers(count: u32) -> Self {
        Self { parts: vec![Part::Fillers(count)] }
    }

    /// A target at a dword of a block of that many dwords, with fillers in the rest.
    pub fn at(offset: u32, target: &Target, dwords: u32) -> Self {
        let behind = dwords - offset - u32::from(target.dwords);
        Self { parts: vec![Part::Fillers(offset), Part::Target, Part::Fillers(behind)] }
    }

    /// Fillers and a jump, as many dwords as a line has: the same wherever they are entered.
    pub fn jumping() -> Self {
        Self { parts: vec![Part::Fillers(LINE_DWORDS - 1), Part::Target] }
    }

    /// Targets in it, of all kinds.
    pub fn targets(&self) -> u32 {
        self.parts.iter().filter(|part| !matches!(part, Part::Fillers(_))).count() as u32
    }

    /// Fillers in it.
    pub fn fillers(&self) -> u32 {
        self.parts.iter().map(|part| if let Part::Fillers(count) = part { *count } else { 0 }).sum()
    }
}

/// An instruction of the timed code.
pub(super) struct Piece<'a> {
    /// As it is assembled.
    pub(super) text: Cow<'a, str>,
    /// Name of the instruction.
    pub(super) name: &'a str,
    /// Its size.
    pub(super) dwords: u8,
    /// Where it jumps to, in dwords from the start of the timed code.
    pub(super) jump: Option<u32>,
    /// Whether that stands in its text.
    pub(super) has_label: bool,
}

impl<'a> Piece<'a> {
    fn new(text: &'a str, name: &'a str) -> Self {
        Self { text: Cow::Borrowed(text), name, dwords: 1, jump: None, has_label: false }
    }

    fn never(count: u32) -> impl Iterator<Item = Self> {
        (0..count).map(|_| Self::new(NEVER, "S_NOP"))
    }
}

impl KernelPlan {
    /// The instructions of a section's timed code.
    pub(super) fn pieces(&self, section: Section) -> Vec<Piece<'_>> {
        let n = section.n;
        let mut pieces = Vec::new();
        let mut at = 0;
        match self.order {
            Order::Straight => (0..n).for_each(|block| self.block(block, &mut at, None, &mut pieces)),
            Order::Forward { entry } => {
                for block in 0..n {
                    let next = JUMPING_DWORDS * (block + 1) + entry;
                    self.entered_at(entry, block, &mut at, next, &mut pieces);
                }
                // The last one jumps behind these.
                pieces.extend(Piece::never(entry));
            }
            Order::Backward { entry } => {
                let last = JUMPING_DWORDS * (n - 1) + LINE_DWORDS + entry;
                let text = Cow::Owned(format!("s_branch {}", last - 1));
                let jump = Some(last);
                pieces.push(Piece { text, jump, has_label: true, ..Piece::new("", "S_BRANCH") });
                pieces.extend(Piece::never(LINE_DWORDS - 1));
                at = LINE_DWORDS;
                for block in 0..n {
                    let behind = JUMPING_DWORDS * n + LINE_DWORDS;
                    let before = |block| JUMPING_DWORDS * block + LINE_DWORDS + entry;
                    let next = block.checked_sub(1).map_or(behind, before);
                    self.entered_at(entry, block, &mut at, next, &mut pieces);
                }
            }
        }
        pieces
    }

    /// One block that is entered at a dword of its first line, and whose jumps go to dword `next`.
    fn entered_at<'a>(&'a self, entry: u32, block: u32, at: &mut u32, next: u32, pieces: &mut Vec<Piece<'a>>) {
        let end = *at + JUMPING_DWORDS;
        pieces.extend(Piece::never(entry));
        *at += entry;
        self.block(block, at, Some(next), pieces);
        pieces.extend(Piece::never(end - *at));
        *at = end;
    }

    /// One block, from dword `at` on; its jumps go to `jump`, or else to the instruction behind them.
    fn block<'a>(&'a self, block: u32, at: &mut u32, jump: Option<u32>, pieces: &mut Vec<Piece<'a>>) {
        let mut copy = (block * self.block.parts.iter().filter(|part| **part == Part::Target).count() as u32) as usize;
        for part in &self.block.parts {
            let target = match part {
                Part::Target => Some(&self.target),
                Part::Other(other) => self.others.get(*other),
                Part::Fillers(count) => {
                    pieces.extend((0..*count).map(|_| Piece::new(self.filler.text, self.filler.instruction)));
                    *at += count;
                    None
                }
            };
            let Some(target) = target else { continue };
            *at += u32::from(target.dwords);
            let jump = target.is_jump().then(|| jump.unwrap_or(*at));
            pieces.push(Piece {
                text: target.text(copy, jump.map(|jump| i64::from(jump) - i64::from(*at))),
                name: &target.instruction.name,
                dwords: target.dwords,
                jump,
                has_label: target.has_label(),
            });
            if let Some(wait) = target.wait {
                pieces.push(Piece::new(wait, "S_WAITCNT"));
                *at += 1;
            }
            if *part == Part::Target {
                copy += 1;
            }
        }
    }
}
