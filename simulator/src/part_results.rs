//! Known parts of a result if some bits of each source are known: the same for all values of the other bits.

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
/// The bits that are unknown.
const UNKNOWN: [u32; 5] = [0xffff, 0xffff_0000, 0xff00, 0x8000_0100, 0xff_0000];
/// Contents of the unknown bits.
const CONTENTS: [u32; 5] = [0, u32::MAX, 0x5a3c_5a3c, 0x0001_0001, 0x8000_8000];

/// The wave, whose vector registers have other unknown bits.
fn with_bits(mut wave: Wave, unknown: u32, content: u32) -> Wave {
    for register in 0..VGPRS {
        let values = wave.vectors.read(register).0.map(|value| value & !unknown | content & unknown);
        wave.vectors.write(register, u64::MAX, &values, u64::MAX);
    }
    wave
}

/// The wave, where those bits are unknown.
fn without_bits(mut wave: Wave, unknown: u32) -> Wave {
    for register in 0..VGPRS {
        let values = *wave.vectors.read(register).0;
        wave.vectors.write_bits(register, u64::MAX, &values, &[!unknown; LANES]);
    }
    wave
}

/// Whether known bits of results differ.
fn differ(known: &Wave, all: &Wave, vectors: impl Iterator<Item = VectorNumber>) -> bool {
    let scalars = (0..NOWHERE).any(|code| {
        let (known, all) = (known.scalars.bits(code), all.scalars.bits(code));
        (known.value ^ all.value) & known.known & all.known != 0
    });
    let mut lanes = vectors.flat_map(|register| (0..LANES).map(move |lane| (register, lane)));
    let vectors = lanes.any(|(register, lane)| {
        let [known, all] = [known, all].map(|wave| wave.vectors.lane_bits(register, lane));
        (known.value ^ all.value) & known.known & all.known != 0
    });
    scalars || vectors || known.scc.is_some() && all.scc.is_some() && known.scc != all.scc
}

#[test]
fn known_bits_do_not_depend_on_unknown_ones() {
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
                for unknown in UNKNOWN {
                    let mut partly = without_bits(wave(), unknown);
                    if execute_first(&program, &mut partly, &machine).is_none() {
                        continue;
                    }
                    if !matches!(partly.vectors.known_bits(step.written.first_vector, 0).1, 0 | u32::MAX) {
                        known_in_part.insert(row.name.clone());
                    }
                    let wrongs = CONTENTS.into_iter().filter(|content| {
                        let mut all = with_bits(wave(), unknown, *content);
                        execute_first(&program, &mut all, &machine).is_some() && differ(&partly, &all, written.clone())
                    });
                    let name = (row.name.clone(), machine.generation.name(), unknown);
                    wrong.extend(wrongs.map(|content| (name.clone(), content)));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let carrying =
        ["V_ADD_NC_U32", "V_ADD3_U32", "V_XAD_U32", "V_MAD_U32_U24", "V_MUL_LO_U32", "V_LSHL_ADD_U32", "V_SUB_CO_U32"];
    let others =
        ["V_MOV_B32", "V_AND_B32", "V_LSHLREV_B32", "V_BFE_I32", "V_ADD_F16", "V_PK_ADD_F16", "V_PERMLANEX16_B32"];
    for name in carrying.into_iter().chain(others) {
        assert!(known_in_part.contains(name), "{name} gives no part");
    }
}
