//! The alignment rules of the CLRX table (section "Instruction alignment", GCN 1.0/1.1).
//!
//! Dwords of a block are counted from 0, as the CLRX table's own formulas need: "the 5 first dwords" are 0..=4 and the
//! rest costs "1-3 penalties (N-4)", which is 5-4 = 1 up to 7-4 = 3.

use gcn_model::gpu;

/// A fetch charge of a wave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrontEnd {
    rules: gpu::FrontEnd,
    block_dwords: u32,
}

impl FrontEnd {
    /// The rules of a GPU.
    pub fn of(rules: &gpu::FrontEnd) -> Self {
        Self { block_dwords: rules.block.0 / 4, rules: rules.clone() }
    }

    /// Dword of its block at which a dword of the code lies.
    pub fn dword_in_block(&self, code_dword: u32) -> u32 {
        code_dword % self.block_dwords
    }

    /// Penalty of an instruction of `dwords` that takes `cycles` and starts at `dword` of its block: "only the first 3
    /// dwords incur no penalty"; "if the instruction is longer (more than four cycles) then the last cycles/4 dwords are free".
    pub fn penalty(&self, dword: u32, dwords: u32, cycles: u32) -> u32 {
        let per_dword = self.rules.long_instruction_cycles_per_free_dword;
        let free_at_end = if cycles > 4 { cycles.checked_div(per_dword).unwrap_or(0) } else { 0 };
        let is_free = dwords < 2 || dword < self.rules.free_dwords || dword + free_at_end >= self.block_dwords;
        if is_free || !self.rules.alignment_penalties { 0 } else { self.rules.penalty_cycles }
    }

    /// Whether a 2-dword instruction of `cycles` hides the penalty of the next: "if 16 or more cycle 2-dword instruction
    /// and 2-dword instruction in 4 dword, then there is no penalty for the second", read as: the second starts at
    /// dword 4 and directly follows the first.
    pub fn hides_next(&self, dwords: u32, cycles: u32) -> bool {
        dwords == 2 && self.rules.covering_cycles > 0 && cycles >= self.rules.covering_cycles
    }

    /// Whether `dword` is where that rule wants the second instruction.
    pub fn is_hidden_dword(&self, dword: u32) -> bool {
        dword == self.rules.covered_dword
    }

    /// Penalty of a jump to `dword` of a block: "best place to jump is the 5 first dwords", then "1-3 penalties (N-4)";
    /// "This rule does not apply to backward jumps (???)".
    pub fn jump_penalty(&self, dword: u32, is_backward: bool) -> u32 {
        let applies = self.rules.jump_penalties && (!is_backward || self.rules.backward_jump_penalties);
        if applies { (dword + 1).saturating_sub(self.rules.jump_free_dwords) * self.rules.penalty_cycles } else { 0 }
    }

    /// Penalty of a conditional jump at `dword` of a block that is not taken: "should be in first half of the block,
    /// otherwise 1-4 penalties are added if jump is not taken (N-3)".
    pub fn untaken_penalty(&self, dword: u32) -> u32 {
        let penalties = (dword + 1).saturating_sub(self.rules.untaken_free_dwords);
        if self.rules.untaken_penalties { penalties * self.rules.penalty_cycles } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page() -> FrontEnd {
        FrontEnd::of(&gpu::Gpu::named("tahiti").unwrap().front_end)
    }

    #[test]
    fn two_dword_instructions_pay_outside_the_first_three_dwords() {
        let penalties = |cycles| [0, 1, 2, 3, 4, 5, 6, 7].map(|dword| page().penalty(dword, 2, cycles));
        assert_eq!(penalties(4), [0, 0, 0, 4, 4, 4, 4, 4]);
        assert_eq!(penalties(8), [0, 0, 0, 4, 4, 4, 0, 0]);
        assert_eq!(penalties(16), [0, 0, 0, 4, 0, 0, 0, 0]);
        assert_eq!(page().penalty(7, 1, 4), 0);
    }

    #[test]
    fn jumps_pay_one_to_three_and_untaken_ones_one_to_four_penalties() {
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|dword| page().jump_penalty(dword, false)), [0, 0, 0, 0, 0, 4, 8, 12]);
        assert_eq!(page().jump_penalty(7, true), 0);
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|dword| page().untaken_penalty(dword)), [0, 0, 0, 0, 4, 8, 12, 16]);
    }
}
