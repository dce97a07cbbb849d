//! Known parts of a result if one half of each source is known: the same for all values of the other halves.

use std::collections::BTreeSet;

use crate::lower::operation::Operation;
use crate::state::scalar_registers::NOWHERE;
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;
use crate::unknown::execution::{Fill, code, execute_first, filled, program};
use crate::unknown::machines;
use crate::unknown::plain::words;
use gcn_model::isa::Encoding;

/// The registers that the instructions read and write.
const VGPRS: VectorNumber = 256;
/// Contents of the unknown half.
const HALVES: [u32; 3] = [0, 0xffff, 0x5a3c];

/// The wave, whose vector registers have another high or low half.
fn with_half(mut wave: Wave, is_high: bool, half: u32) -> Wave {
    let shift = if is_high { 16 } else { 0 };
    for register in 0..VGPRS {
        let values = wave.vectors.read(register).0.map(|value| value & !(0xffff << shift) | half << shift);
        wave.vectors.write(register, u64::MAX, &values, u64::MAX);
    }
    wave
}

/// The wave, where that half is unknown.
fn without_half(mut wave: Wave, is_high: bool) -> Wave {
    for register in 0..VGPRS {
        let values = *wave.vectors.read(register).0;
        wave.vectors.clobber(register, 1, u64::MAX);
        wave.vectors.write_half(register, u64::MAX, (&values, !is_high), u64::MAX);
    }
    wave
}

/// Whether known parts of results differ: of vector registers by half, of scalar ones by bit.
fn differ(known: &Wave, all: &Wave, vectors: impl Iterator<Item = VectorNumber>) -> bool {
    let scalars = (0..NOWHERE).any(|code| {
        let (known, all) = (known.scalars.bits(code), all.scalars.bits(code));
        (known.value ^ all.value) & known.known & all.known != 0
    });
    let mut vectors = vectors;
    let vectors = vectors.any(|register| {
        let (values, others) = (known.vectors.read(register).0, all.vectors.read(register).0);
        [false, true].into_iter().any(|is_high| {
            let mask = if is_high { 0xffff_0000 } else { 0xffff };
            let lanes = known.vectors.half_known(register, is_high) & all.vectors.half_known(register, is_high);
            (0..LANES).any(|lane| lanes >> lane & 1 == 1 && (values[lane] ^ others[lane]) & mask != 0)
        })
    });
    scalars || vectors || known.scc.is_some() && all.scc.is_some() && known.scc != all.scc
}

#[test]
fn known_halves_do_not_depend_on_unknown_ones() {
    let (mut wrong, mut known_in_part) = (BTreeSet::new(), BTreeSet::new());
    let mut machines = machines();
    machines.dedup_by_key(|machine| machine.generation.name());
    for machine in machines {
        let wave = || filled(Fill::Ordinary, &machine);
        for row in machine.processor.instructions().filter(|row| row.encoding != Encoding::Vopd) {
            let forms = [Some(row.encoding), row.vop3_opcode.map(|_| Encoding::Vop3)];
            for words in forms.into_iter().flatten().filter_map(|form| words(machine.processor, row, form)) {
                let code = code(&words);
                let program = program(&code, &machine);
                let step = &program.steps[0];
                if matches!(step.operation, Operation::Refuse(_) | Operation::Access) || step.written.vectors == 0 {
                    continue;
                }
                let written =
                    step.written.first_vector..step.written.first_vector + VectorNumber::from(step.written.vectors);
                for is_high in [false, true] {
                    let mut partly = without_half(wave(), is_high);
                    if execute_first(&program, &mut partly, &machine).is_none() {
                        continue;
                    }
                    let half = |is_high| partly.vectors.half_known(step.written.first_vector, is_high) & 1;
                    if half(false) != half(true) {
                        known_in_part.insert(row.name.clone());
                    }
                    let wrongs = HALVES.into_iter().filter(|half| {
                        let mut all = with_half(wave(), is_high, *half);
                        execute_first(&program, &mut all, &machine).is_some() && differ(&partly, &all, written.clone())
                    });
                    let name = (row.name.clone(), machine.generation.name(), is_high);
                    wrong.extend(wrongs.map(|half| (name.clone(), half)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    // Amounts and selectors of V_LSHLREV_B32, V_PERM_B32 and their like are not known here.
    for name in ["V_MOV_B32", "V_AND_B32", "V_ADD_F16", "V_PK_ADD_F16", "V_PERMLANEX16_B32"] {
        assert!(known_in_part.contains(name), "{name} gives no half");
    }
}
