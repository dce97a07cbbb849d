//! Dual issue (VOPD): the measured operation, and a V_DUAL_MOV_B32 as its partner.
//!
//! Source: LLVM 22.1 `AMDGPUBaseInfo.cpp`, VOPD: one destination is even and one odd, and sources of the same place are in other banks of
//! registers (by their number modulo 4).

use std::ops::Range;

use gcn_model::isa::{Generation, Instruction};

use super::registers::InitialValue;
use super::snippet::Snippet;

const PARTNER: &str = "v_dual_mov_b32";
/// VGPR that it moves: in another bank than the first source and the destinations of the measured operation.
const PARTNER_SOURCE: u8 = 9;
/// What that holds.
const PARTNER_VALUE: &str = "0x3fc00000";

/// The even destination of copy `index`, of these; the odd one after it is the partner's.
pub(super) fn destination(of: &Range<u8>, index: usize) -> u8 {
    of.start + 2 * (index % (of.len() / 2)) as u8
}

/// The text of both; `None` where the generation has no such format. What cannot stand first stands second.
pub(super) fn with_partner(
    snippet: &mut Snippet,
    generation: Generation,
    (mnemonic, operands): (&str, &str),
    destinations: &Range<u8>,
    index: usize,
) -> Option<String> {
    let value = InitialValue { register: PARTNER_SOURCE, value: PARTNER_VALUE.into() };
    if !snippet.vector_values.iter().any(|known| known.register == PARTNER_SOURCE) {
        snippet.vector_values.push(value);
    }
    let measured = format!("{mnemonic} {operands}");
    let partner = format!("{PARTNER} v{}, v{PARTNER_SOURCE}", destination(destinations, index) + 1);
    Some(match is_second(snippet.instruction, generation)? {
        true => format!("{partner} :: {measured}"),
        false => format!("{measured} :: {partner}"),
    })
}

/// Whether it can only be the second of two: the field of the first one's opcode has fewer bits.
fn is_second(instruction: &Instruction, generation: Generation) -> Option<bool> {
    Some(instruction.opcode > generation.format(instruction.encoding)?.highest_opcode())
}
