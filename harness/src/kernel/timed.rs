//! The timed code of a kernel, instruction by instruction.

use std::borrow::Cow;

use super::block::{LINE_DWORDS, Order, Part};
use super::plan::{KernelPlan, Section};

/// Dwords that a block with a jump has room in.
const JUMPING_DWORDS: u32 = 2 * LINE_DWORDS;
/// The place of an instruction that never runs.
const NEVER: &str = "s_nop 0";

/// An instruction of the timed code as it has to be after assembly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected<'a> {
    /// As it is assembled.
    pub text: Cow<'a, str>,
    pub name: &'a str,
    /// Size in dwords.
    pub dwords: u8,
    /// Its target, in dwords from the start of the timed code, if its text has the target.
    pub jump: Option<u32>,
}

impl<'a> From<Piece<'a>> for Expected<'a> {
    fn from(piece: Piece<'a>) -> Self {
        let jump = piece.jump.filter(|_| piece.has_label);
        Self { text: piece.text, name: piece.name, dwords: piece.dwords, jump }
    }
}

/// An instruction of the timed code.
pub(super) struct Piece<'a> {
    /// As it is assembled.
    pub(super) text: Cow<'a, str>,
    /// Name of the instruction.
    pub(super) name: &'a str,
    pub(super) dwords: u8,
    /// Where it jumps to, in dwords from the start of the timed code.
    pub(super) jump: Option<u32>,
    /// Whether its text has it.
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
    /// The lines of a section's timed code.
    pub fn lines(&self, section: Section) -> Vec<Cow<'_, str>> {
        self.pieces(section).into_iter().map(|piece| piece.text).collect()
    }

    /// The instructions of a section's timed code, in order.
    pub fn instructions(&self, section: Section) -> Vec<Expected<'_>> {
        self.pieces(section).into_iter().map(Expected::from).collect()
    }

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
                // The last one jumps after these.
                pieces.extend(Piece::never(entry));
            }
            Order::Backward { entry } => {
                let last = JUMPING_DWORDS * n + entry;
                let text = Cow::Owned(format!("s_branch {}", last - 1));
                let jump = Some(last);
                pieces.push(Piece { text, jump, has_label: true, ..Piece::new("", "S_BRANCH") });
                pieces.extend(Piece::never(JUMPING_DWORDS - 1));
                at = JUMPING_DWORDS;
                for block in 0..n {
                    let behind = JUMPING_DWORDS * (n + 1);
                    let before = |block| JUMPING_DWORDS * (block + 1) + entry;
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

    /// A block, from dword `at` on; its jumps go to `jump`, or else to the instruction after them.
    fn block<'a>(&'a self, block: u32, at: &mut u32, jump: Option<u32>, pieces: &mut Vec<Piece<'a>>) {
        let mut copy = (block * self.block.parts.iter().filter(|part| **part == Part::Snippet).count() as u32) as usize;
        for part in &self.block.parts {
            let snippet = match part {
                Part::Snippet => Some(&self.snippet),
                Part::Other(other) => self.others.get(*other),
                Part::Fillers(count) => {
                    let filler = |place| self.filler.at(place, *count);
                    pieces.extend((0..*count).map(filler).map(|(name, text)| Piece::new(text, name)));
                    *at += count;
                    None
                }
            };
            let Some(snippet) = snippet else { continue };
            *at += u32::from(snippet.dwords);
            let jump = snippet.is_jump().then(|| jump.unwrap_or(*at));
            pieces.push(Piece {
                text: snippet.text(copy, jump.map(|jump| i64::from(jump) - i64::from(*at))),
                name: &snippet.instruction.name,
                dwords: snippet.dwords,
                jump,
                has_label: snippet.has_label(),
            });
            if let Some(wait) = &snippet.wait {
                pieces.push(Piece::new(&wait.text, &wait.name));
                *at += 1;
            }
            if *part == Part::Snippet {
                copy += 1;
            }
        }
    }
}
