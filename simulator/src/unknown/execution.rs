//! Executing an instruction with known sources, and the known part of its results.

use crate::cost::clock::Clock;
use crate::cost::configuration::Configuration;
use crate::dispatch::initial::Initial;
use crate::dispatch::needs::Needs;
use crate::dispatch::scratch::ScratchArea;
use crate::dispatch::shape::Shape;
use crate::issue::execute::execute;
use crate::lower::allocated::Allocated;
use crate::lower::operation::Operation;
use crate::lower::program::{Program, Source};
use crate::lower::shared::Shared;
use crate::memory::aperture::{Apertures, Segments};
use crate::memory::global::Memory;
use crate::state::group::Group;
use crate::state::scalar_registers::{EXEC, M0, NOWHERE, VCC};
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;
use gcn_model::code_object::{ProgramRegisters, VectorFile};
use serde::Deserialize;

/// The known part of an instruction's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Left {
    Known,
    /// They are known for some sources, and not for ordinary ones.
    KnownInPart,
    /// They are never known.
    Unknown,
    /// The simulator stops.
    Refused,
}

/// The values of the sources.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fill {
    /// Numbers that are ordinary in every format: normal, finite, with a long fraction, and different in each lane of 16.
    Ordinary,
    /// This one in all lanes, as low and high dwords in turn.
    Same([u32; 2]),
}

/// Zeros, ones, infinities and the like, of each format.
const SPECIAL: [[u32; 2]; 14] = [
    [0, 0],
    [0x8000_8000, 0x8000_8000],
    [0x3c00_3c00, 0x3c00_3c00],
    [0x0000_3c00, 0x0000_3c00],
    [0x3f80_0000, 0x3f80_0000],
    [0x0000_0000, 0x3ff0_0000],
    [0x7c00_7c00, 0x7c00_7c00],
    [0x0000_7c00, 0x0000_7c00],
    [0x7f80_0000, 0x7f80_0000],
    [0x0000_0000, 0x7ff0_0000],
    [0x0000_7e00, 0x0000_7e00],
    [0x7fc0_0000, 0x7fc0_0000],
    [0x0000_0000, 0x7ff8_0000],
    [1, 1],
];

const ALL_REGISTERS: VectorFile = VectorFile { vgprs: 256, agprs: 256 };
const SGPRS: u32 = 102;
/// Indices 0 and 1 of every pair.
const RISING: u32 = 0x4444_4444;
/// WMMA of gfx11 wants a matrix in each group of this many lanes, equal in all of them.
const SAME: u32 = 16;

/// The result of an instruction with these words in waves of the configuration's size.
///
/// # Panics
/// The words are no instruction, or the simulator stops for another reason than that it has no model.
pub(crate) fn left(words: &[u32], configuration: &Configuration) -> Left {
    let code = code(words);
    let program = program(&code, configuration);
    let step = &program.steps[0];
    if matches!(step.operation, Operation::Refuse(_)) {
        return Left::Refused;
    }
    // Memory: a load is known where the stored value is.
    if step.operation == Operation::Access {
        return Left::Known;
    }
    if results(&program, Fill::Ordinary, configuration) == Some(true) {
        return Left::Known;
    }
    let specials = SPECIAL.into_iter().filter_map(|values| results(&program, Fill::Same(values), configuration));
    if specials.into_iter().any(|is_known| is_known) { Left::KnownInPart } else { Left::Unknown }
}

/// The words of an instruction, and S_NOPs after them.
pub(crate) fn code(words: &[u32]) -> Vec<u32> {
    [words, &[0xbf80_0000; 4]].concat()
}

/// The program of such words.
///
/// # Panics
/// They are no instruction.
pub(crate) fn program<'a>(code: &'a [u32], configuration: &'a Configuration) -> Program<'a> {
    let VectorFile { vgprs, agprs } = ALL_REGISTERS;
    let allocated = Allocated { vgprs, agprs, sgprs: SGPRS };
    let mut program = Program::new(Source::Words { address: 0, words: code }, allocated, configuration);
    program.reach(0, &mut Memory::default()).unwrap_or_else(|problem| panic!("{code:08x?}: {problem}"));
    program
}

fn segments(configuration: &Configuration) -> Segments {
    Segments { apertures: Apertures::of(configuration.generation), private_base: 0 }
}

/// Executes the first instruction: `None` where the simulator stops.
pub(crate) fn execute_first(program: &Program<'_>, wave: &mut Wave, configuration: &Configuration) -> Option<()> {
    let clock = Clock::new(0, None, configuration.realtime_per_cycle);
    let shared = Shared { program, configuration, clock: &clock, segments: segments(configuration) };
    let mut groups = [Group::new(0..1, 0)];
    execute(wave, &program.steps[0], 0, &shared, 0, (&mut Memory::default(), &mut groups)).ok()?;
    wave.wait_for_scalar_memory(0);
    Some(())
}

/// Whether all results are known: `None` where the simulator stops, as it does with sources that stand for a place or a mode.
fn results(program: &Program<'_>, fill: Fill, configuration: &Configuration) -> Option<bool> {
    let mut wave = filled(fill, configuration);
    let step = &program.steps[0];
    // The indices of a sparse matrix rise within each pair.
    if step.operation == Operation::WaveMatrix
        && let Some(picks) = program.tables.wave_matrices[step.access as usize].picks
    {
        wave.vectors.write(picks.register, u64::MAX, &[RISING; LANES], u64::MAX);
    }
    execute_first(program, &mut wave, configuration)?;
    let written = &step.written;
    let lanes = if wave.lanes as usize == LANES { u64::MAX } else { (1 << wave.lanes) - 1 };
    let mut scalars = (0..NOWHERE).filter(|code| written.scalars >> code & 1 == 1);
    let mut vectors = written.vector_registers();
    Some(
        scalars.all(|code| wave.scalars.read(code).is_some())
            && vectors.all(|register| wave.vectors.read(register).1 & lanes == lanes)
            && (!written.scc || wave.scc.is_some()),
    )
}

/// A wave of the configuration's size after an instruction with these words; `prepare` sets its registers, all of which are known.
///
/// # Panics
/// The simulator stops.
pub(super) fn executed(words: &[u32], configuration: &Configuration, prepare: impl FnOnce(&mut Wave)) -> Wave {
    let code = code(words);
    let program = program(&code, configuration);
    let mut wave = filled(Fill::Same([0; 2]), configuration);
    prepare(&mut wave);
    execute_first(&program, &mut wave, configuration).unwrap_or_else(|| panic!("{words:08x?} stops the simulator"));
    wave
}

/// A wave of which every register is known.
pub(crate) fn filled(fill: Fill, configuration: &Configuration) -> Wave {
    let lanes = configuration.issue.wave_size;
    let registers = ProgramRegisters { rsrc1: 0xc0 << 12, rsrc2: 0, rsrc3: 0 };
    let initial = Initial {
        shape: Shape { grid: [lanes, 1, 1], group: [lanes, 1, 1] },
        needs: Needs { vgprs: 1, sgprs: 1, lds: 0 },
        registers,
        user_data: Vec::new(),
        file: ALL_REGISTERS,
        scratch: ScratchArea::default(),
        segments: segments(configuration),
    };
    let mut wave = initial.wave((0, 0), (0, 0, 0), configuration);
    for code in (0..=VCC + 1).chain([EXEC + 2]) {
        wave.scalars.write(code, Some(dword(fill, u32::from(code), 0)));
    }
    wave.scalars.write(M0, Some(0));
    wave.scc = Some(true);
    for register in (0..256).chain((0..256).map(|number| crate::state::vector_number::FIRST_AGPR + number)) {
        let values = std::array::from_fn(|lane| dword(fill, u32::from(register), lane as u32 % SAME));
        wave.vectors.write(register, u64::MAX, &values, u64::MAX);
    }
    wave
}

/// A lane of a register.
fn dword(fill: Fill, register: u32, lane: u32) -> u32 {
    match fill {
        Fill::Same(values) => values[register as usize % 2],
        Fill::Ordinary => {
            // Bytes are ordinary as FP8 and BF8, halves as F16 and BF16, dwords as F32, and as the high one of F64.
            let mut bits = (register * 64 + lane + 1).wrapping_mul(0x9e37_79b9) | 0x0101_0101;
            bits ^= bits >> 15;
            let low = |bits: u32| 0x30 + bits % 0x17;
            let half = |bits: u32| (0x3c + bits % 4) << 8 | low(bits >> 8);
            half(bits) << 16 | half(bits >> 16)
        }
    }
}
