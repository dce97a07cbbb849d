//! A source's sentence about a group of instructions.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::row::holds_on;
use super::{Expression, Row};
use crate::isa::{Access, Encoding, Instruction, InstructionClass};

/// A sentence about a whole encoding, a whole table or a list of instructions.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Short name of the rule, unique in its source.
    pub id: String,
    /// The encoding that the sentence speaks of.
    pub encoding: Option<Encoding>,
    /// The table whose rows the sentence speaks of.
    pub section: Option<String>,
    /// The instructions that the sentence names.
    #[serde(default)]
    pub instructions: Vec<String>,
    /// Only instructions whose widest source has one of these widths in bits; empty: all.
    #[serde(default)]
    pub source_bits: Vec<u16>,
    /// Only on these LLVM targets, or the source's groups of them by name; empty: on all.
    #[serde(default)]
    pub targets: Vec<String>,
    /// Instructions that the sentence does not speak of, each with the reason.
    #[serde(default)]
    pub except: BTreeMap<String, String>,
    /// Classes of instructions that the sentence does not speak of: they came into the encoding later.
    #[serde(default)]
    pub except_classes: Vec<InstructionClass>,
    /// Shader cycles for one wave; of a jump that is not taken.
    pub cycles: Option<Expression>,
    /// Shader cycles of a jump that is taken.
    pub taken_cycles: Option<Expression>,
    /// Instructions per cycle and compute unit.
    pub throughput: Option<Expression>,
    /// Shader cycles until a dependent instruction can start.
    pub latency: Option<Expression>,
    /// The sentence as printed.
    pub sentence: String,
    /// How it is read, where it can be read in more than one way.
    #[serde(default)]
    pub reading: String,
    /// The versions of the source that have it.
    pub seeds: Vec<String>,
}

impl Rule {
    /// Whether the rule holds on a target (`gfx906:sramecc+` counts as `gfx906`); without one, whether it holds on every target.
    pub fn holds_on(&self, target: Option<&str>) -> bool {
        holds_on(&self.targets, target)
    }

    /// Whether the rule speaks of the instruction, which has this row in the source's tables.
    pub fn covers(&self, instruction: &Instruction, row: Option<&Row>) -> bool {
        let named = self.instructions.contains(&instruction.name);
        let encoded = self.encoding == Some(instruction.encoding);
        let listed = self.section.is_some() && self.section.as_deref() == row.map(|row| row.section.as_str());
        let wide = self.source_bits.is_empty()
            || widest_source(instruction).is_some_and(|bits| self.source_bits.contains(&bits));
        let is_excepted = self.except.contains_key(&instruction.name)
            || self.except_classes.iter().any(|class| instruction.is(*class));
        (named || encoded || listed) && wide && !is_excepted
    }
}

/// Width in bits of the widest operand that the instruction reads.
fn widest_source(instruction: &Instruction) -> Option<u16> {
    let read = instruction.operands.iter().filter(|operand| operand.access != Access::Write);
    read.map(|operand| operand.bits).max()
}
