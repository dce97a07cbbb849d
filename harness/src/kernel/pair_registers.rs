//! Which registers two instructions in one (VOPD) read and write.

use gcn_model::isa::{Operand, OperandKind, PORTS};
use gcn_model::record::SharedSource;

/// First register of the first instruction's destinations, which are even; those of the second are the odd ones after them.
const DESTINATIONS: u8 = 64;
/// Copies whose destinations differ: more than the cycles after which a result can be added to.
pub(super) const COPIES: u8 = 16;
/// VGPRs of a kernel with such copies.
pub(super) const PAIR_VGPRS: u32 = DESTINATIONS as u32 + 2 * COPIES as u32;
/// The sources of the two, by place: no two in one bank, of four banks or of two.
const SOURCES: [[u8; PORTS]; 2] = [[6, 7, 8], [9, 10, 11]];
/// Distance to another register of the same bank: there are four banks.
const SAME_BANK: u8 = 4;
/// Registers that hold a number: all sources, and those of the same bank.
pub(super) const WITH_VALUES: std::ops::Range<u8> = 6..16;

/// What the sources of a pair can share.
pub fn shared_sources() -> impl Iterator<Item = SharedSource> {
    (0..PORTS).flat_map(|place| [false, true].map(|is_same_register| SharedSource { place, is_same_register }))
}

/// The sources of both by place, of which those of a place share what `shared` says. What half of a pair adds to is its destination, and not a
/// register of these: then the other one's is of the destination's bank; `None` where there is no such other one, or no source in that place.
pub(super) fn sources(shared: Option<SharedSource>, halves: [&[Operand]; 2]) -> Option<[[u8; PORTS]; 2]> {
    let mut sources = SOURCES;
    let Some(SharedSource { place, is_same_register: is_same }) = shared else { return Some(sources) };
    match halves.map(|operands| reads(operands, place)) {
        [Some(Read::Source), Some(Read::Source)] if is_same => sources[1][place] = sources[0][place],
        [Some(Read::Source), Some(Read::Source)] => sources[1][place] = sources[0][place] + SAME_BANK,
        // Destinations of the first are even, those of the second odd.
        [Some(Read::Destination), Some(Read::Source)] if !is_same => {
            sources[1][place] = sources[0][place] + SAME_BANK;
        }
        [Some(Read::Source), Some(Read::Destination)] if !is_same => {
            sources[0][place] = sources[1][place] + SAME_BANK;
        }
        _ => return None,
    }
    Some(sources)
}

/// The destination of copy `copy` of the first or the second of the two.
pub(super) fn destination(half: usize, copy: u8) -> u8 {
    DESTINATIONS + 2 * (copy % COPIES) + half as u8
}

/// A vector source of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Read {
    Source,
    Destination,
}

/// The source in a place: its addend is the last.
fn reads(operands: &[Operand], place: usize) -> Option<Read> {
    let source = operands.iter().filter(|operand| !operand.is_written()).nth(place);
    let is_register = |operand: &Operand| matches!(operand.kind, OperandKind::Vgpr | OperandKind::VectorSource);
    if source.is_some_and(is_register) {
        return Some(Read::Source);
    }
    let adds = operands.iter().any(|operand| operand.is_written() && operand.is_read());
    (adds && place == PORTS - 1).then_some(Read::Destination)
}
