//! Pairs of instructions that one VOPD instruction can do.

use gcn_model::decode::decode;
use gcn_model::isa::{Encoding, Instruction, Processor};

use super::body::Body;
use super::piece::Piece;
use crate::hazards::pair_reads_early;

/// The encoding of VOPD, and the least opcode that its first half cannot have (AMD RDNA 3 ISA manual, "VOPD").
const VOPD: u32 = 0b11_0010;
const FIRST_OF_SECOND: u16 = 16;

/// A second half is looked for among as many instructions.
const MOST_PASSED: usize = 32;

/// The region with pairs in place of single instructions, and how many they are; `None` where there is no pair.
pub(super) fn paired(body: &Body, processor: Processor) -> Option<(Body, usize)> {
    let generation = processor.generation;
    if generation.pairs.is_none() || processor.wave_size() != 32 {
        return None;
    }
    let mut left: Vec<Piece> = body.pieces.iter().filter(|piece| !piece.is_hint()).cloned().collect();
    let (mut order, mut pairs) = (Vec::new(), 0);
    while !left.is_empty() {
        let first = left.remove(0);
        let partner = if single(&first, processor).is_some() { partner(&first, &left, processor) } else { None };
        match partner {
            Some((at, pair)) => {
                left.remove(at);
                order.push(pair);
                pairs += 1;
            }
            None => order.push(first),
        }
    }
    (pairs > 0).then(|| (body.ordered(order), pairs))
}

/// The next instruction that can be done together with a first one, and both in one.
fn partner(first: &Piece, after: &[Piece], processor: Processor) -> Option<(usize, Piece)> {
    let end = after.iter().position(Piece::is_fence).unwrap_or(after.len());
    (0..end.min(MOST_PASSED)).find_map(|at| {
        let other = &after[at];
        let is_free = !first.is_before(other) && !after[..at].iter().any(|between| between.is_before(other));
        let pair = || joined(first, other, processor).or_else(|| joined(other, first, processor));
        if is_free { pair().map(|pair| (at, pair)) } else { None }
    })
}

/// The row of half of a pair with the same operation as an instruction, if a pair can have its form.
fn single(piece: &Piece, processor: Processor) -> Option<&'static Instruction> {
    let is_form = matches!(piece.decoded.form, Encoding::Vop1 | Encoding::Vop2);
    if !is_form || piece.words.len() != 1 || piece.decoded.modifier.is_some() {
        return None;
    }
    let meaning = piece.decoded.instruction.canonical_name();
    processor.instructions().find(|half| half.encoding == Encoding::Vopd && half.canonical_name() == meaning)
}

/// Two instructions in one; `None` where that breaks a rule.
fn joined(first: &Piece, second: &Piece, processor: Processor) -> Option<Piece> {
    let [one, other] = [single(first, processor)?, single(second, processor)?];
    let fields = |piece: &Piece| {
        let word = piece.words[0];
        let second_source = if piece.decoded.form == Encoding::Vop2 { word >> 9 & 0xff } else { 0 };
        (word & 0x1ff, second_source, word >> 17 & 0xff)
    };
    let ((source, register, result), (other_source, other_register, other_result)) = (fields(first), fields(second));
    // The last bit of the second result is not that of the first.
    if one.opcode >= FIRST_OF_SECOND || result & 1 == other_result & 1 {
        return None;
    }
    let words = vec![
        VOPD << 26 | u32::from(one.opcode) << 22 | u32::from(other.opcode) << 17 | register << 9 | source,
        result << 24 | other_result >> 1 << 17 | other_register << 9 | other_source,
    ];
    let decoded = decode(processor, &words, first.address).ok()?;
    if !decoded.pair_breaches().is_empty() || pair_reads_early(processor.name(), &decoded) {
        return None;
    }
    let both = |one: &[_], other: &[_]| [one, other].concat();
    let (reads, writes) = (both(&first.reads, &second.reads), both(&first.writes, &second.writes));
    Some(Piece { decoded, words, reads, writes, ..first.clone() })
}
