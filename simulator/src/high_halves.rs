//! The other half of the register of a 16-bit result: as the generation states, in each form.

use std::collections::BTreeSet;

use crate::state::vector_number::vector_number;
use crate::state::vector_registers::LANES;
use crate::unknown::execution::{Fill, code, execute_first, filled, program};
use crate::unknown::machines;
use crate::unknown::plain::words;
use gcn_model::decode::decode;
use gcn_model::isa::{Encoding, Instruction};

const BEFORE: u32 = 0xaaaa_bbbb;

/// Whether it has one vector register as its result, and 16 bits of that.
fn has_half_result(row: &Instruction) -> bool {
    use Encoding::{Vop1, Vop2, Vop3};
    let mut written = row.operands.iter().filter(|operand| operand.is_written());
    let is_half = written.next().is_some_and(|operand| operand.bits == 16 && !operand.is_read());
    matches!(row.encoding, Vop1 | Vop2 | Vop3) && is_half && written.next().is_none()
}

#[test]
fn the_high_half_is_kept_where_the_generation_says_so() {
    let mut wrong = BTreeSet::new();
    for machine in machines() {
        for row in machine.processor.instructions().filter(|row| has_half_result(row)) {
            let keeps = machine.generation.vector.keeps_high_half(&row.name);
            let forms = [Some(row.encoding), row.vop3_opcode.map(|_| Encoding::Vop3)];
            for words in forms.into_iter().flatten().filter_map(|form| words(machine.processor, row, form)) {
                let decoded = decode(machine.processor, &words, 0).expect("it is an instruction");
                let location = decoded.operands()[0].location;
                let register = vector_number(location).expect("its result is a vector register");
                let code = code(&words);
                let mut wave = filled(Fill::Same([0x3c00; 2]), &machine);
                wave.vectors.write(register, u64::MAX, &[BEFORE; LANES], u64::MAX);
                // What stops the simulator, or is unknown, is on the list of `unknown`.
                let Some(after) = execute_first(&program(&code, &machine), &mut wave, &machine)
                    .and_then(|()| wave.vectors.lane(register, 0))
                else {
                    continue;
                };
                let expected = if keeps { BEFORE >> 16 } else { 0 };
                if after >> 16 != expected {
                    wrong.insert(format!("{} of {}: {after:#010x}", row.name, machine.generation.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
