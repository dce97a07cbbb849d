//! Dual issue (VOPD): the measured operation, and a V_DUAL_MOV_B32 as its partner.
//!
//! Source: LLVM 22.1 `AMDGPUBaseInfo.cpp`, VOPD: one destination is even and one odd, and sources of the same place are in other banks of
//! registers (by their number modulo 4).

use gcn_model::isa::{Generation, Instruction};

use super::layout::VECTOR_DESTINATIONS;
use super::registers::InitialValue;
use super::snippet::Snippet;

const PARTNER: &str = "v_dual_mov_b32";
/// VGPR that it moves: in another bank than the first source and the destinations of the measured operation.
const PARTNER_SOURCE: u8 = 9;
/// What that holds.
const PARTNER_VALUE: &str = "0x3fc00000";

/// The even destination of copy `index`; the odd one after it is the partner's.
pub(super) fn destination(index: usize) -> u8 {
    let pairs = VECTOR_DESTINATIONS.len() / 2;
    VECTOR_DESTINATIONS.start + 2 * (index % pairs) as u8
}

/// The text of both; `None` where the generation has no such format. What cannot stand first stands second.
pub(super) fn with_partner(
    snippet: &mut Snippet,
    generation: Generation,
    (mnemonic, operands): (&str, &str),
    index: usize,
) -> Option<String> {
    let value = InitialValue { register: PARTNER_SOURCE, value: PARTNER_VALUE.into() };
    if !snippet.vector_values.iter().any(|known| known.register == PARTNER_SOURCE) {
        snippet.vector_values.push(value);
    }
    let measured = format!("{mnemonic} {operands}");
    let partner = format!("{PARTNER} v{}, v{PARTNER_SOURCE}", destination(index) + 1);
    Some(match is_second(snippet.instruction, generation)? {
        true => format!("{partner} :: {measured}"),
        false => format!("{measured} :: {partner}"),
    })
}

/// Whether it can only be the second of two: the field of the first one's opcode has fewer bits.
fn is_second(instruction: &Instruction, generation: Generation) -> Option<bool> {
    Some(instruction.opcode > generation.format(instruction.encoding)?.highest_opcode())
}
