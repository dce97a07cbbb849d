//! Jumps: back through the lines of the timed code, and through an address in registers.

use std::borrow::Cow;

use gcn_model::isa::{Instruction, OperandKind};

use super::constraints::{Action, is_handled, rows_of};
use super::layout::{JUMP_ADDRESSES, JUMP_BASE};
use super::plan::{KernelPlan, Section};
use super::registers::tuple;
use super::snippet::Snippet;

/// Whether an instruction is a jump: `constraints.csv` says when it is taken.
pub fn is_jump(instruction: &Instruction) -> bool {
    is_handled(instruction, Action::Taken) || is_handled(instruction, Action::NotTaken)
}

/// Jumps through registers in a section: as many as there are registers for their addresses.
pub const MOST_REGISTER_JUMPS: u32 = (JUMP_ADDRESSES.end - JUMP_ADDRESSES.start) as u32 / 2;

impl Snippet {
    /// The copies of a jump through a register, each with a register pair of its own; `None` for other instructions.
    pub fn through_register(instruction: &'static Instruction) -> Option<Self> {
        let row = rows_of(instruction, Action::Address).next()?;
        let mnemonic = instruction.llvm_mnemonic()?;
        let mut snippet = Self::bare(instruction);
        snippet.copies = JUMP_ADDRESSES
            .step_by(2)
            .map(|first| format!("{mnemonic} {}", row.value.replace("{pair}", &tuple('s', first, 2))))
            .collect();
        Some(snippet)
    }

    /// Whether the text has the jump's target.
    pub(super) fn has_label(&self) -> bool {
        self.instruction.operands.iter().any(|operand| operand.kind == OperandKind::Label)
    }

    pub(super) fn is_jump(&self) -> bool {
        self.has_label() || self.is_through_register()
    }

    fn is_through_register(&self) -> bool {
        is_handled(self.instruction, Action::Address)
    }

    /// A copy, with the label of a jump replaced by a distance in dwords from the next instruction.
    pub(super) fn text(&self, copy: usize, distance: Option<i64>) -> Cow<'_, str> {
        let text = &self.copies[copy % self.copies.len()];
        match (distance, text.strip_suffix('0')) {
            (Some(distance), Some(start)) if self.has_label() => Cow::Owned(format!("{start}{distance}")),
            _ => Cow::Borrowed(text),
        }
    }
}

impl KernelPlan {
    /// Lines before each pass of a section.
    pub fn before(&self, section: Section) -> Vec<String> {
        let mut lines = self.snippet.before.clone();
        if self.snippet.is_through_register() {
            lines.extend(self.addresses(section));
        }
        lines
    }

    /// The addresses that the jumps of a section go to, each in a register pair.
    fn addresses(&self, section: Section) -> Vec<String> {
        let (pc, timed) = (self.label(section, "pc"), self.label(section, "timed"));
        let (low, high) = (JUMP_BASE, JUMP_BASE + 1);
        let mut lines = vec![
            format!("s_getpc_b64 s[{low}:{high}]"),
            format!("{pc}:"),
            format!("s_add_u32 s{low}, s{low}, {timed}-{pc}"),
            format!("s_addc_u32 s{high}, s{high}, 0"),
        ];
        let destinations =
            self.pieces(section).into_iter().filter(|piece| !piece.has_label).filter_map(|piece| piece.jump);
        for (dword, register) in destinations.zip(JUMP_ADDRESSES.step_by(2)) {
            lines.push(format!("s_add_u32 s{register}, s{low}, {:#x}", 4 * dword));
            lines.push(format!("s_addc_u32 s{}, s{high}, 0", register + 1));
        }
        lines
    }

    pub(super) fn label(&self, section: Section, what: &str) -> String {
        format!(".L{}_{}_{what}", self.name, section.n)
    }
}
