//! Jumps: back through the lines of the timed code, and through an address in registers.

use std::borrow::Cow;

use gcn_model::isa::{Instruction, OperandKind};

use super::handling::{Action, handling};
use super::layout::{JUMP_ADDRESSES, JUMP_BASE};
use super::plan::{Expected, KernelPlan, Order, Section};
use super::registers::tuple;
use super::target::Target;

/// Dwords of a cache line, which each block of a jump is.
const LINE: u32 = 16;
/// What stands where nothing runs.
const NEVER: &str = "s_nop 0";

/// Whether an instruction is a jump: `handling.csv` says when it is taken.
pub fn is_jump(instruction: &Instruction) -> bool {
    handling(&instruction.name).iter().any(|row| matches!(row.action, Action::Taken | Action::NotTaken))
}

/// Jumps through registers of one section: as many as there are registers for their addresses.
pub const MOST_REGISTER_JUMPS: u32 = (JUMP_ADDRESSES.end - JUMP_ADDRESSES.start) as u32 / 2;

impl Target {
    /// The copies of a jump through a register, each with a register pair of its own; `None` for other instructions.
    pub fn through_register(instruction: &'static Instruction) -> Option<Self> {
        let row = handling(&instruction.name).iter().find(|row| row.action == Action::Address)?;
        let mnemonic = instruction.llvm_mnemonic()?;
        let mut target = Self::bare(instruction);
        target.copies = JUMP_ADDRESSES
            .step_by(2)
            .map(|first| format!("{mnemonic} {}", row.value.replace("{pair}", &tuple('s', first, 2))))
            .collect();
        Some(target)
    }

    /// Whether the jump's target stands in its text.
    pub(super) fn has_label(&self) -> bool {
        self.instruction.operands.iter().any(|operand| operand.kind == OperandKind::Label)
    }

    /// A copy with the label replaced by a distance in dwords from the next instruction.
    fn to(&self, copy: usize, distance: i64) -> Cow<'_, str> {
        let text = &self.copies[copy % self.copies.len()];
        match text.strip_suffix('0') {
            Some(start) if self.has_label() => Cow::Owned(format!("{start}{distance}")),
            _ => Cow::Borrowed(text),
        }
    }
}

impl KernelPlan {
    /// Lines before each pass of a section.
    pub fn before(&self, section: Section) -> Vec<String> {
        let mut lines = self.target.before.clone();
        let is_through_register =
            handling(&self.target.instruction.name).iter().any(|row| row.action == Action::Address);
        if is_through_register {
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
        for (block, register) in (0..section.n).zip(JUMP_ADDRESSES.step_by(2)) {
            let bytes = 4 * match self.order {
                Order::Straight => LINE * block + 1,
                Order::Backward => backward_target(block + 1, section.n),
            };
            lines.push(format!("s_add_u32 s{register}, s{low}, {bytes:#x}"));
            lines.push(format!("s_addc_u32 s{}, s{high}, 0", register + 1));
        }
        lines
    }

    /// A label of a section.
    pub(super) fn label(&self, section: Section, what: &str) -> String {
        format!(".L{}_{}_{what}", self.name, section.n)
    }

    /// A jump to the last line, then the lines, each a jump to the line before it.
    pub(super) fn backward_lines(&self, section: Section) -> Vec<Cow<'_, str>> {
        let rest = || std::iter::repeat_n(Cow::Borrowed(NEVER), LINE as usize - 1);
        let mut lines = vec![Cow::Owned(format!("s_branch {}", LINE * section.n - 1))];
        lines.extend(rest());
        for line in 1..=section.n {
            let distance = i64::from(backward_target(line, section.n)) - i64::from(LINE * line + 1);
            lines.push(self.target.to(line as usize - 1, distance));
            lines.extend(rest());
        }
        lines
    }

    /// What those lines are.
    pub(super) fn backward_instructions(&self, section: Section) -> Vec<Expected<'_>> {
        let rest = || std::iter::repeat_n(Expected { name: "S_NOP", dwords: 1, jump: None }, LINE as usize - 1);
        let mut instructions = vec![Expected { name: "S_BRANCH", dwords: 1, jump: Some(LINE * section.n) }];
        instructions.extend(rest());
        for line in 1..=section.n {
            let jump = self.target.has_label().then(|| backward_target(line, section.n));
            let name = self.target.instruction.name.as_str();
            instructions.push(Expected { name, dwords: self.target.dwords, jump });
            instructions.extend(rest());
        }
        instructions
    }
}

/// Where the jump of a line (from 1) goes, in dwords from the start of the timed code: the line before it; from the first one
/// behind the last.
fn backward_target(line: u32, lines: u32) -> u32 {
    if line == 1 { LINE * (lines + 1) } else { LINE * (line - 1) }
}
