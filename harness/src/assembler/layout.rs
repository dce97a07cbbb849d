//! The text section of a group of kernels, and the text from which LLVM makes the object around it.

use super::encoding::Encoding;
use super::kernel::{Item, Kernel, Passed};
use super::{KernelSource, LineError};
use std::fmt::Write as _;
use std::ops::Range;

/// What LLVM fills alignment with in the text section; only the size matters here, LLVM writes it.
const FILL: u8 = 0;

/// Where a line of the text for LLVM comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineOrigin {
    pub(super) part: Part,
    pub(super) line: u32,
    /// The difference between LLVM's columns and those of the source; `None` if it changes within the line.
    pub(super) indent: Option<u32>,
}

/// A part of the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Header,
    /// By its index in the module.
    Kernel(usize),
    Footer,
}

/// Text for LLVM in which code is a gap of the right size, and the code for the gaps.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) text: String,
    /// The place of each line of the text, `None` for those added here.
    pub(super) places: Vec<Option<LineOrigin>>,
    /// The text section; without meaning outside of `gaps`.
    pub(super) code: Vec<u8>,
    /// The parts of `code` that are to be put into LLVM's object.
    pub(super) gaps: Vec<Range<usize>>,
    gap_start: usize,
}

impl Layout {
    /// Appends a header or footer.
    pub(super) fn directives(&mut self, part: Part, lines: &[Passed<'_>]) {
        self.added(".text");
        for passed in lines {
            self.line(&passed.text, LineOrigin { part, line: passed.line, indent: Some(passed.indent) });
        }
    }

    /// Appends a kernel; `encodings` are those of its group's distinct lines, none of them symbolic.
    ///
    /// `number` is the kernel's index in the module.
    pub(super) fn kernel(
        &mut self,
        number: usize,
        source: &KernelSource,
        kernel: &Kernel<'_>,
        encodings: &[Encoding],
        errors: &mut Vec<LineError>,
    ) {
        self.added(".text");
        let mut offsets = vec![None; kernel.labels.len()];
        let mut branches = Vec::new();
        for item in &kernel.items {
            match item {
                Item::Instruction(instruction) => self.encode(encodings[*instruction as usize]),
                Item::Branch { instruction, label, line } => {
                    branches.push((self.code.len(), *label as usize, *line));
                    self.encode(encodings[*instruction as usize]);
                }
                Item::Data(range) => {
                    self.code.extend_from_slice(&kernel.data[range.start as usize..range.end as usize]);
                }
                Item::Label(label) => {
                    let known = &kernel.labels[*label as usize];
                    offsets[*label as usize] = Some(self.code.len());
                    if kernel.passes_local_labels || !known.is_local() {
                        self.close_gap();
                        self.added(&format!("{}:", own(&known.name, number)));
                    }
                }
                Item::Align { bytes, passed } => {
                    self.pass(number, &kernel.passed[*passed as usize]);
                    let aligned = self.code.len().next_multiple_of(*bytes as usize);
                    self.code.resize(aligned, FILL);
                    self.gap_start = aligned;
                }
                Item::Passed(passed) => self.pass(number, &kernel.passed[*passed as usize]),
            }
        }
        self.close_gap();
        for (at, label, line) in branches {
            if let Err(message) = self.patch_branch(at, offsets[label], &kernel.labels[label].name) {
                let error = LineError::at(&source.text, line as usize, message);
                errors.push(error.in_kernel(Some(&source.name)));
            }
        }
    }

    /// Puts the distance to a label into a branch: dwords from the instruction that follows.
    fn patch_branch(&mut self, at: usize, label: Option<usize>, name: &str) -> Result<(), String> {
        let label = label.ok_or_else(|| format!("undefined label {name}"))?;
        let bytes = label.cast_signed() - (at + 4).cast_signed();
        if bytes % 4 != 0 {
            return Err(format!("{name} is not at a dword"));
        }
        let dwords = i16::try_from(bytes / 4).map_err(|_| {
            format!("{name} is {} dwords away, a branch reaches {} to {}", bytes / 4, i16::MIN, i16::MAX)
        })?;
        self.code[at..at + 2].copy_from_slice(&dwords.to_le_bytes());
        Ok(())
    }

    fn encode(&mut self, encoding: Encoding) {
        if let Encoding::Bytes { bytes, length } = encoding {
            self.code.extend_from_slice(&bytes[..usize::from(length)]);
        }
    }

    fn pass(&mut self, number: usize, passed: &Passed<'_>) {
        self.close_gap();
        let text = own(&passed.text, number);
        let indent = (text.len() == passed.text.len()).then_some(passed.indent);
        self.line(&text, LineOrigin { part: Part::Kernel(number), line: passed.line, indent });
    }

    /// Leaves a gap in the text for the code since the last one.
    fn close_gap(&mut self) {
        let gap = self.gap_start..self.code.len();
        if !gap.is_empty() {
            self.added(&format!(".zero {}", gap.len()));
            self.gap_start = gap.end;
            self.gaps.push(gap);
        }
    }

    fn added(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
        self.places.push(None);
    }

    fn line(&mut self, line: &str, place: LineOrigin) {
        let _ = writeln!(self.text, "{line}");
        self.places.push(Some(place));
    }
}

/// A line of a kernel in which the kernel's own labels have names that no other kernel of the object uses.
fn own(line: &str, number: usize) -> std::borrow::Cow<'_, str> {
    if line.contains(".L") { line.replace(".L", &format!(".L{number}_")).into() } else { line.into() }
}
