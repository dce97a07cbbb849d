//! Kernels taken apart, as the layout needs them.

use super::encoding::Encoding;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// Kernels of an object. Fixed, so that the code object does not depend on the number of threads.
pub(super) const GROUP: usize = 256;

/// A part of a kernel, in the order of the text. Numbers are indices into the lists of [`Kernel`] and [`Group`].
#[derive(Debug, Clone)]
pub(super) enum Item {
    /// A distinct line of the group.
    Instruction(u32),
    /// A distinct line of the group with distance 0, the label that it branches to, and its own line.
    Branch { instruction: u32, label: u32, line: u32 },
    /// A label's definition.
    Label(u32),
    /// Alignment in bytes; the directive itself is passed on.
    Align { bytes: u32, passed: u32 },
    /// Bytes of the kernel's data.
    Data(Range<u32>),
    /// A line for LLVM that adds nothing to the text section.
    Passed(u32),
}

/// A line that is passed on to LLVM.
#[derive(Debug)]
pub(super) struct Passed<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) line: u32,
    /// Columns of the line before the text.
    pub(super) indent: u32,
}

/// A label that a kernel defines or branches to.
#[derive(Debug)]
pub(super) struct Label<'a> {
    pub(super) name: Cow<'a, str>,
    /// The line that defines it; `None` if the kernel does not.
    pub(super) defined: Option<u32>,
}

impl Label<'_> {
    /// Whether the label is the kernel's own and no symbol of the object.
    pub(super) fn is_local(&self) -> bool {
        self.name.starts_with(".L")
    }
}

/// A kernel taken apart.
#[derive(Debug, Default)]
pub(super) struct Kernel<'a> {
    pub(super) items: Vec<Item>,
    pub(super) labels: Vec<Label<'a>>,
    pub(super) passed: Vec<Passed<'a>>,
    pub(super) data: Vec<u8>,
    /// Something in it can only be laid out by LLVM.
    pub(super) whole: bool,
    /// A line passed on mentions a label of the kernel's own, so LLVM must know where they are.
    pub(super) passes_local_labels: bool,
}

impl Kernel<'_> {
    /// Whether an instruction of it cannot be encoded on its own.
    pub(super) fn needs_symbols(&self, encodings: &[Encoding]) -> bool {
        self.items.iter().any(|item| match item {
            Item::Instruction(instruction) | Item::Branch { instruction, .. } => {
                encodings[*instruction as usize] == Encoding::Symbolic
            }
            _ => false,
        })
    }
}

/// An instruction line that occurs in a group of kernels, with its first occurrence.
#[derive(Debug)]
pub(super) struct Distinct<'a> {
    pub(super) text: Cow<'a, str>,
    /// Index of the kernel in the group.
    pub(super) kernel: u32,
    pub(super) line: u32,
    /// Columns before the instruction.
    pub(super) indent: u32,
}

/// Consecutive kernels that share an object, taken apart.
#[derive(Debug, Default)]
pub(super) struct Group<'a> {
    pub(super) kernels: Vec<Kernel<'a>>,
    pub(super) distinct: Vec<Distinct<'a>>,
    numbers: HashMap<Cow<'a, str>, u32>,
    /// Lines of the source that are an instruction and nothing else but a comment: most lines, and most of them repeated.
    pub(super) known: HashMap<&'a str, u32>,
}

impl<'a> Group<'a> {
    /// The number of an instruction line, which is new to the group or not.
    pub(super) fn number(&mut self, text: Cow<'a, str>, line: u32, indent: u32) -> u32 {
        if let Some(number) = self.numbers.get(&text) {
            return *number;
        }
        let number = self.distinct.len() as u32;
        self.numbers.insert(text.clone(), number);
        self.distinct.push(Distinct { text, kernel: self.kernels.len() as u32, line, indent });
        number
    }
}
