//! Encodings of single instruction lines, each asked of LLVM once.

use super::encoder::Encoder;
use super::object_file;
use crate::llvm::{AssembleError, Diagnostic};
use rayon::prelude::*;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{PoisonError, RwLock};

/// Lines that are encoded in one call of LLVM.
const BATCH: usize = 2048;
/// The longest encoding (an image instruction of gfx10 and later; GCN has at most 8 bytes).
const MOST_BYTES: usize = 20;
/// Lines before the first instruction of a batch, and lines for each instruction.
const LINES_BEFORE: usize = 2;
const LINES_EACH: usize = 2;
/// The section of a batch that holds the size of each instruction.
const SIZES: &str = ".gcn_timings_sizes";

/// What LLVM makes of an instruction line on its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    /// Always these bytes.
    Bytes { bytes: [u8; MOST_BYTES], length: u8 },
    /// It refers to a symbol, so the encoding depends on the rest of the text.
    Symbolic,
}

impl Encoding {
    fn of_bytes(code: &[u8]) -> Option<Self> {
        let mut bytes = [0; MOST_BYTES];
        bytes.get_mut(..code.len())?.copy_from_slice(code);
        (!code.is_empty()).then_some(Self::Bytes { bytes, length: code.len() as u8 })
    }

    /// The bytes, if they are always these.
    pub(super) fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Self::Bytes { bytes, length } => Some(bytes[..usize::from(*length)].to_vec()),
            Self::Symbolic => None,
        }
    }
}

/// The encodings known for one target.
#[derive(Debug, Default)]
pub(super) struct Memo {
    known: RwLock<HashMap<Box<str>, Encoding>>,
}

/// A line that LLVM does not encode.
pub(super) struct BadLine {
    /// Index into the lines asked for.
    pub(super) index: usize,
    /// LLVM's message, with the column of the line.
    pub(super) diagnostic: Diagnostic,
}

impl Memo {
    /// The known encodings of these lines.
    pub(super) fn look_up<'a>(&self, lines: impl Iterator<Item = &'a str>) -> Vec<Option<Encoding>> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        lines.map(|line| known.get(line).copied()).collect()
    }

    /// Encodes lines that are all different, and remembers them.
    ///
    /// `is_symbolic` says of a line that LLVM refuses whether that may only be for want of the symbols around it.
    pub(super) fn encode(
        &self,
        encoder: &dyn Encoder,
        target: &str,
        lines: &[&str],
        is_symbolic: impl Fn(usize) -> bool + Sync,
    ) -> Result<Vec<BadLine>, AssembleError> {
        let indices: Vec<usize> = (0..lines.len()).collect();
        let (symbolic, plain): (Vec<usize>, Vec<usize>) =
            indices.into_iter().partition(|index| lines[*index].contains(".L"));
        let batches: Vec<Batch> = plain
            .par_chunks(BATCH)
            .map(|batch| encode_batch(encoder, target, lines, batch.to_vec(), &is_symbolic))
            .collect::<Result<_, _>>()?;
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        let mut bad = Vec::new();
        let mut remember = |index: usize, encoding| known.insert(lines[index].into(), encoding);
        for index in symbolic {
            remember(index, Encoding::Symbolic);
        }
        for batch in batches {
            for (index, encoding) in batch.encodings {
                remember(index, encoding);
            }
            bad.extend(batch.bad);
        }
        Ok(bad)
    }
}

#[derive(Default)]
struct Batch {
    encodings: Vec<(usize, Encoding)>,
    bad: Vec<BadLine>,
}

fn encode_batch(
    encoder: &dyn Encoder,
    target: &str,
    lines: &[&str],
    mut indices: Vec<usize>,
    is_symbolic: &impl Fn(usize) -> bool,
) -> Result<Batch, AssembleError> {
    let mut batch = Batch::default();
    loop {
        let diagnostics = match encoder.assemble(target, &batch_text(lines, &indices)) {
            Ok(object) => {
                batch.encodings.extend(read_batch(target, &object, &indices)?);
                return Ok(batch);
            }
            Err(AssembleError::Text(diagnostics)) => diagnostics,
            Err(error) => return Err(error),
        };
        // An error without a line: of which instruction it is, smaller batches tell.
        if diagnostics.iter().all(|diagnostic| place_in_batch(diagnostic).is_none()) && indices.len() > 1 {
            let second = indices.split_off(indices.len() / 2);
            for half in [indices, second] {
                let half = encode_batch(encoder, target, lines, half, is_symbolic)?;
                batch.encodings.extend(half.encodings);
                batch.bad.extend(half.bad);
            }
            return Ok(batch);
        }
        let mut refused = Vec::new();
        for diagnostic in diagnostics {
            let place = place_in_batch(&diagnostic).unwrap_or_default();
            let Some(&index) = indices.get(place) else { return Err(AssembleError::Text(vec![diagnostic])) };
            if refused.contains(&index) {
                continue;
            }
            refused.push(index);
            if is_symbolic(index) {
                batch.encodings.push((index, Encoding::Symbolic));
            } else {
                batch.bad.push(BadLine { index, diagnostic });
            }
        }
        indices.retain(|index| !refused.contains(index));
    }
}

/// Every instruction between two labels, and the distances of the labels.
fn batch_text(lines: &[&str], indices: &[usize]) -> String {
    let mut text = String::with_capacity(indices.len() * 80);
    text.push_str(".text\n.Lgcn0:\n");
    for (number, &index) in indices.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = write!(text, "{}\n.Lgcn{}:\n", lines[index], number + 1);
    }
    let _ = writeln!(text, ".section {SIZES},\"\",@progbits");
    for number in 0..indices.len() {
        let _ = writeln!(text, ".long .Lgcn{}-.Lgcn{number}", number + 1);
    }
    text
}

/// The position in the batch of the instruction that a diagnostic is about.
fn place_in_batch(diagnostic: &Diagnostic) -> Option<usize> {
    Some(diagnostic.line.checked_sub(LINES_BEFORE + 1)? / LINES_EACH)
}

fn read_batch(target: &str, object: &[u8], indices: &[usize]) -> Result<Vec<(usize, Encoding)>, AssembleError> {
    let strange = |message: &str| AssembleError::Object { target: target.to_owned(), message: message.to_owned() };
    let code = object_file::section(object, ".text").map_err(|error| strange(&error))?;
    let sizes = object_file::section(object, SIZES).map_err(|error| strange(&error))?;
    let symbolic = object_file::relocated(object, ".text").map_err(|error| strange(&error))?;
    if sizes.len() != indices.len() * 4 {
        return Err(strange("not one size for each instruction"));
    }
    let mut offset = 0;
    let mut encodings = Vec::with_capacity(indices.len());
    for (&index, size) in indices.iter().zip(sizes.chunks_exact(4)) {
        let size = size.iter().rev().fold(0, |size, byte| size << 8 | usize::from(*byte));
        let range = offset..offset + size;
        offset += size;
        let bytes = code.get(range.clone()).ok_or_else(|| strange("sizes beyond the code"))?;
        let first = symbolic.partition_point(|relocated| *relocated < range.start as u64);
        let encoding = match symbolic.get(first) {
            Some(relocated) if range.contains(&(*relocated as usize)) => Encoding::Symbolic,
            _ => Encoding::of_bytes(bytes).ok_or_else(|| strange("an instruction of no or too many bytes"))?,
        };
        encodings.push((index, encoding));
    }
    Ok(encodings)
}
