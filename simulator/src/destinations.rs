//! Instructions that read what their destination holds, executed as a program has them: through their operands.
//!
//! `data/destinations.csv` states what each computes, with an example in hexadecimal digits that all lanes hold; SCC and M0 are 0.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::cost::configuration::Configuration;
use crate::lower::registers::scalar_place;
use crate::state::vector_number::vector_number;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;
use crate::unknown::execution::{Fill, Left, code, execute_first, filled, program};
use crate::unknown::list::List;
use crate::unknown::machines;
use crate::unknown::plain::words;
use gcn_model::decode::{DecodedOperand, Location, decode};
use gcn_model::isa::{Encoding, Instruction, InstructionClass};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/destinations.csv");

/// They depend on EXEC, and have no formula.
const LOOPS: [&str; 2] = ["S_SUBVECTOR_LOOP_BEGIN", "S_SUBVECTOR_LOOP_END"];

/// What some instructions compute.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    instructions: String,
    /// Names, or `*` for all.
    generations: String,
    formula: String,
    /// Values of operands that are read and written.
    before: String,
    /// Values of the others.
    sources: String,
    /// What all that are written hold afterwards.
    after: String,
}

impl Row {
    fn speaks_of(&self, generation: &str, name: &str) -> bool {
        let has = |cell: &str, word: &str| cell.split_ascii_whitespace().any(|found| found == word);
        has(&self.instructions, name) && (self.generations == "*" || has(&self.generations, generation))
    }
}

fn numbers(cell: &str) -> impl Iterator<Item = u64> {
    cell.split_ascii_whitespace().map(|digits| u64::from_str_radix(digits, 16).expect("hexadecimal digits"))
}

/// Whether the destination is a source, too, and lies in registers of a lane or a wave.
fn reads_destination(row: &Instruction) -> bool {
    use Encoding::{Sop1, Sop2, Sopk, Vop1, Vop2, Vop3, Vop3p, Vopd};
    let computes = matches!(row.encoding, Sop1 | Sop2 | Sopk | Vop1 | Vop2 | Vop3 | Vop3p | Vopd);
    // The tests of `matrix` execute these.
    let is_matrix = row.is(InstructionClass::Matrix) || row.is(InstructionClass::WaveMatrix);
    let reads = row.operands.iter().any(|operand| operand.is_read() && operand.is_written());
    computes && !is_matrix && reads && !LOOPS.contains(&row.name.as_str())
}

fn set(wave: &mut Wave, machine: &Configuration, at: DecodedOperand, value: u64) {
    let dwords = if at.operand.bits > 32 { 2 } else { 1 };
    for dword in 0..dwords {
        let bits = (value >> (32 * dword)) as u32;
        if let Location::Sgpr(code) = at.location {
            wave.scalars.write(scalar_place(code, machine.generation) + dword as u8, Some(bits));
        } else if let Some(register) = vector_number(at.location) {
            wave.vectors.write(register + dword, u64::MAX, &[bits; LANES], u64::MAX);
        }
    }
}

fn get(wave: &Wave, machine: &Configuration, at: DecodedOperand) -> Option<u64> {
    let dword = |dword: u16| match at.location {
        Location::Sgpr(code) => wave.scalars.read(scalar_place(code, machine.generation) + dword as u8),
        location => wave.vectors.lane(vector_number(location)? + dword, 0),
    };
    let high = if at.operand.bits > 32 { dword(1)? } else { 0 };
    Some(u64::from(dword(0)?) | u64::from(high) << 32)
}

/// Values of the destinations after an instruction in a form; `None` where the generation has no such form.
fn executed(row: &Row, instruction: &Instruction, form: Encoding, machine: &Configuration) -> Option<Vec<Option<u64>>> {
    let mut words = words(machine.processor, instruction, form)?;
    if form == Encoding::Sopk {
        words[0] |= numbers(&row.sources).next().expect("an immediate") as u32;
    }
    let decoded = decode(machine.processor, &words, 0).expect("it is an instruction");
    let operands = match decoded.halves() {
        None => decoded.operands(),
        Some(halves) => {
            halves.into_iter().find(|half| half.instruction.name == instruction.name).expect("one of them").operands
        }
    };
    let mut wave = filled(Fill::Same([0, 0]), machine);
    wave.scc = Some(false);
    let (mut before, mut sources) = (numbers(&row.before), numbers(&row.sources));
    for operand in operands.iter().filter(|operand| operand.operand.is_read()) {
        let values: &mut dyn Iterator<Item = u64> =
            if operand.operand.is_written() { &mut before } else { &mut sources };
        set(&mut wave, machine, *operand, values.next().expect("a value for each operand"));
    }
    let code = code(&words);
    execute_first(&program(&code, machine), &mut wave, machine).expect("it is executed");
    let written = operands.iter().filter(|operand| operand.operand.is_written());
    Some(written.map(|operand| get(&wave, machine, *operand)).collect())
}

#[test]
fn destinations_are_read_by_the_formula() {
    let mut reader = csv::Reader::from_path(FILE).unwrap_or_else(|error| panic!("{FILE}: {error}"));
    let rows: Vec<Row> =
        reader.deserialize().collect::<Result<_, _>>().unwrap_or_else(|error| panic!("{FILE}: {error}"));
    let (mut list, mut wrong) = (List::read(), BTreeSet::new());
    for machine in machines() {
        let (generation, lanes) = (machine.generation.name(), machine.issue.wave_size);
        for instruction in machine.processor.instructions().filter(|row| reads_destination(row)) {
            if matches!(list.left(generation, lanes, instruction), Left::Unknown | Left::Refused) {
                continue;
            }
            let mut stated = rows.iter().filter(|row| row.speaks_of(generation, &instruction.name)).peekable();
            if stated.peek().is_none() {
                wrong.insert(format!("{} of {generation}: what does it compute?", instruction.name));
            }
            let forms = [Some(instruction.encoding), instruction.vop3_opcode.map(|_| Encoding::Vop3)];
            for (row, form) in stated.flat_map(|row| forms.into_iter().flatten().map(move |form| (row, form))) {
                let Some(after) = executed(row, instruction, form, &machine) else { continue };
                if after != numbers(&row.after).map(Some).collect::<Vec<_>>() {
                    let name = &instruction.name;
                    wrong.insert(format!(
                        "{name} of {generation} ({form:?}): {after:x?}, not {}: {}",
                        row.after, row.formula
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
