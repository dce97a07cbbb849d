//! The results of scalar instructions.

use crate::cost::configuration::Configuration;
use crate::error::Problem;
use crate::lower::micro_op::MicroOp;
use crate::lower::operation::Operation;
use crate::lower::shared::Shared;
use crate::scalar::binary::Binary;
use crate::scalar::function::{InParts, ScalarFunction, ScalarInputs};
use crate::state::bits::Bits;
use crate::state::gpr_index::GprIndex;
use crate::state::operand::{Destination, Source, read_bits32, read_bits64, read32, read64};
use crate::state::scalar_registers::{EXEC, FLAT_SCRATCH, M0};
use crate::state::wave::Wave;

/// Number of MODE among the hardware registers.
const MODE: u32 = 1;
/// Number of SH_MEM_BASES among them.
const SH_MEM_BASES: u32 = 15;
/// Number of TRAPSTS among them.
const TRAPSTS: u32 = 3;

fn write32(wave: &mut Wave, destination: Destination, value: Option<u32>) {
    if let Destination::Scalar(code) = destination {
        wave.scalars.write(code, value);
    }
}

fn write64(wave: &mut Wave, destination: Destination, value: Option<u64>) {
    if let Destination::Scalar(code) = destination {
        wave.scalars.write64(code, value);
    }
}

/// A source of which some bits have to be known; the others are zero.
fn read_part(wave: &Wave, source: Source, part: u32) -> Option<u32> {
    let bits = read_bits32(wave, source);
    (bits.known as u32 & part == part).then_some(bits.value as u32 & part)
}

/// Executes a scalar operation that only computes.
///
/// # Errors
/// An effect that depends on an unknown value.
pub(crate) fn execute(wave: &mut Wave, step: &MicroOp, shared: &Shared<'_>, cu: u32) -> Result<(), Problem> {
    // Long: a table, with an arm for each operation.
    let [first, second, _] = step.sources;
    match step.operation {
        Operation::ScalarMove32 => write_bits(wave, step.destination, read_bits32(wave, first), false),
        Operation::ScalarMoveConstant => write32(wave, step.destination, Some(sign_extend(step.immediate))),
        Operation::ScalarMove64 => write_bits(wave, step.destination, read_bits64(wave, first), true),
        Operation::Scalar32 { binary, sets_scc } if binary.apply64(0, 0).is_some() => {
            let bits = low_bits(binary, read_bits32(wave, first), read_bits32(wave, second));
            write_bits(wave, step.destination, bits, false);
            if sets_scc {
                wave.scc = is_not_zero(bits);
            }
        }
        Operation::Scalar32 { binary, sets_scc } => {
            let value = read32(wave, first).zip(read32(wave, second)).map(|(a, b)| binary.apply32(a, b));
            write32(wave, step.destination, value);
            if sets_scc {
                wave.scc = value.map(|value| value != 0);
            }
        }
        Operation::Scalar64(binary) => {
            let bits = binary.apply_bits(read_bits64(wave, first), read_bits64(wave, second)).unwrap_or_default();
            write_bits(wave, step.destination, bits, true);
            wave.scc = is_not_zero(bits);
        }
        Operation::ScalarAdd { subtract, carry_in, signed } => add(wave, step, subtract, carry_in, signed),
        Operation::ScalarAddConstant => {
            let addend = sign_extend(step.immediate) as i32;
            let sum = read32(wave, first).map(|a| (a as i32).overflowing_add(addend));
            write32(wave, step.destination, sum.map(|(value, _)| value as u32));
            wave.scc = sum.map(|(_, overflow)| overflow);
        }
        Operation::ScalarCompare { comparison, signed } => {
            let operands = read32(wave, first).zip(read32(wave, second));
            wave.scc = operands.map(|(a, b)| comparison.holds(a, b, signed));
        }
        Operation::ScalarCompareConstant { comparison, signed } => {
            let constant = if signed { sign_extend(step.immediate) } else { step.immediate & 0xffff };
            wave.scc = read32(wave, first).map(|a| comparison.holds(a, constant, signed));
        }
        Operation::ScalarFloat(float) => {
            let mut values = [0; 3];
            let mut is_known = wave.mode.is_modelled();
            for (value, source) in values.iter_mut().zip(step.sources).take(float.sources()) {
                match read_part(wave, source, float.read_bits()) {
                    Some(known) => *value = known,
                    None => is_known = false,
                }
            }
            let result = if is_known { float.compute(values, &wave.mode) } else { None };
            write32(wave, step.destination, result);
        }
        Operation::ScalarCompareFloat(comparison) => {
            let operand = |source| read_part(wave, source, comparison.read_bits());
            let operands = operand(first).zip(operand(second)).filter(|_| wave.mode.is_modelled());
            wave.scc = operands.map(|(a, b)| comparison.holds(a, b, &wave.mode));
        }
        Operation::SaveExec(binary) => save_exec(wave, step, binary),
        Operation::WriteExec(binary) => {
            let next = new_exec(wave, step, binary);
            write_bits(wave, Destination::Scalar(EXEC), next, is_wide(step));
            write_bits(wave, step.destination, next, is_wide(step));
            wave.scc = is_not_zero(next);
        }
        Operation::ScalarMoveRelative => {
            wave.require_zero_m0()?;
            let wide = matches!(step.written.scalars.count_ones(), 2);
            let value = if wide { read64(wave, first) } else { read32(wave, first).map(u64::from) };
            if wide {
                write64(wave, step.destination, value);
            } else {
                write32(wave, step.destination, value.map(|value| value as u32));
            }
        }
        Operation::ScalarMoveByTwo => {
            let (from, to) = two_indices(wave)?;
            let (Source::Scalar(source), Destination::Scalar(destination)) = (first, step.destination) else {
                return Ok(());
            };
            let limit = u32::from(shared.configuration.generation.operand_codes.sgprs);
            let (source, destination) = (u32::from(source) + from, u32::from(destination) + to);
            if source.max(destination) >= limit {
                return Err(Problem::RegisterOutOfRange {
                    register: format!("s{}", source.max(destination)),
                    allocated: format!("{limit} SGPRs"),
                });
            }
            let bits = wave.scalars.bits(source as u8);
            wave.scalars.write_bits(destination as u8, bits);
        }
        Operation::SetMode { offset, bits } => {
            let mask = ((1 << bits) - 1) << offset;
            if let Some(mode) = wave.mode.bits() {
                wave.mode = wave.mode.with_bits(mode & !mask | step.immediate << offset & mask);
            }
        }
        Operation::SetVskip => {
            let bit = read32(wave, first).zip(read32(wave, second)).map(|(value, bit)| value >> (bit & 31) & 1);
            match bit {
                Some(0) => {}
                Some(_) => return Err(Problem::Unmodelled(": it would switch vector instructions off (VSKIP)".into())),
                None => return Err(Problem::UnknownControl("its source".into())),
            }
        }
        Operation::SetGprIndex => {
            let Some(index) = read32(wave, first).map(|index| index as u8) else {
                return Err(Problem::UnknownControl("its index".into()));
            };
            // S_SET_GPR_IDX_ON has the operands, too; S_SET_GPR_IDX_IDX leaves them, and puts its whole source into M0.
            let m0 = match (second, wave.gpr_index) {
                (Source::Constant(operands), _) => {
                    wave.gpr_index = Some(GprIndex { index, operands: operands as u8 & 15 });
                    wave.scalars.read(M0).map(|m0| m0 & 0xffff_0f00 | u32::from(index) | (operands as u32 & 15) << 12)
                }
                (_, of_wave) => {
                    wave.gpr_index = of_wave.map(|of_wave| GprIndex { index, ..of_wave });
                    wave.scalars.read(M0).map(|m0| m0 & 0xffff_ff00 | u32::from(index))
                }
            };
            // What else M0 holds does not matter to the index.
            wave.scalars.write(M0, m0.or_else(|| Some(index.into()).filter(|_| index == 0)));
        }
        Operation::SetGprIndexMode => {
            let operands = step.immediate & 15;
            wave.gpr_index = wave.gpr_index.map(|of_wave| GprIndex { operands: operands as u8, ..of_wave });
            let m0 = wave.scalars.read(M0).map(|m0| m0 & 0xffff_0fff | operands << 12);
            wave.scalars.write(M0, m0);
        }
        Operation::SetGprIndexOff => wave.gpr_index = None,
        Operation::SetHardwareRegister => set_hardware_register(wave, step, shared),
        Operation::GetHardwareRegister => {
            let value = hardware_register(wave, step.immediate, shared, cu);
            write32(wave, step.destination, value);
        }
        _ => clobber(wave, step),
    }
    Ok(())
}

/// Makes everything that the instruction writes unknown.
pub(crate) fn clobber(wave: &mut Wave, step: &MicroOp) {
    let written = &step.written;
    wave.scalars.clobber(written.scalars);
    if written.vectors > 0 {
        // Without a known EXEC any lane may have been written.
        let exec = wave.exec().unwrap_or(u64::MAX);
        wave.vectors.clobber(written.first_vector, written.vectors, exec);
        if let Some(swapped) = written.swapped {
            wave.vectors.clobber(swapped, 1, exec);
        }
    }
    if written.scc {
        wave.scc = None;
    }
}

/// The two indices in M0: the offset of the source's number, and that of the destination's.
///
/// Source: AMD "RDNA 1 ISA", V_MOVRELSD_2_B32, V_SWAPREL_B32, S_MOVRELSD_2_B32: M0\[9:0\] and M0\[25:16\].
///
/// # Errors
/// M0 is unknown.
pub(crate) fn two_indices(wave: &Wave) -> Result<(u32, u32), Problem> {
    let m0 = wave.scalars.read(M0).ok_or_else(|| Problem::UnknownControl("M0".into()))?;
    Ok((m0 & 0x3ff, m0 >> 16 & 0x3ff))
}

/// SIMM16 as a number with sign.
fn sign_extend(immediate: u32) -> u32 {
    immediate as u16 as i16 as i32 as u32
}

fn add(wave: &mut Wave, step: &MicroOp, subtract: bool, carry_in: bool, signed: bool) {
    let [first, second, _] = step.sources;
    let carry = if carry_in { wave.scc } else { Some(false) };
    let result = read32(wave, first).zip(read32(wave, second)).zip(carry).map(|((a, b), carry)| {
        let exact = |a: i64, b: i64| if subtract { a - b - i64::from(carry) } else { a + b + i64::from(carry) };
        let unsigned = exact(i64::from(a), i64::from(b));
        let overflow = if signed {
            i32::try_from(exact(i64::from(a as i32), i64::from(b as i32))).is_err()
        } else {
            u32::try_from(unsigned).is_err()
        };
        (unsigned as u32, overflow)
    });
    write32(wave, step.destination, result.map(|(value, _)| value));
    wave.scc = result.map(|(_, overflow)| overflow);
}

fn save_exec(wave: &mut Wave, step: &MicroOp, binary: Binary) {
    let exec = if is_wide(step) { wave.scalars.bits64(EXEC) } else { wave.scalars.bits(EXEC) };
    let next = new_exec(wave, step, binary);
    write_bits(wave, step.destination, exec, is_wide(step));
    write_bits(wave, Destination::Scalar(EXEC), next, is_wide(step));
    wave.scc = is_not_zero(next);
}

/// Whether the first source has 64 bits.
fn is_wide(step: &MicroOp) -> bool {
    step.wide & 1 == 1
}

/// The function of the source and EXEC, or of their low halves.
fn new_exec(wave: &Wave, step: &MicroOp, binary: Binary) -> Bits {
    let source = step.sources[0];
    if is_wide(step) {
        return binary.apply_bits(read_bits64(wave, source), wave.scalars.bits64(EXEC)).unwrap_or_default();
    }
    low_bits(binary, read_bits32(wave, source), wave.scalars.bits(EXEC))
}

/// The function of 32 bits; the high half counts as known.
fn low_bits(binary: Binary, a: Bits, b: Bits) -> Bits {
    let bits = binary.apply_bits(a, b).unwrap_or_default();
    Bits { value: bits.value & 0xffff_ffff, known: bits.known | u64::MAX << 32 }
}

fn write_bits(wave: &mut Wave, destination: Destination, bits: Bits, is_wide: bool) {
    match destination {
        Destination::Scalar(code) if is_wide => wave.scalars.write_bits64(code, bits),
        Destination::Scalar(code) => wave.scalars.write_bits(code, bits),
        _ => {}
    }
}

/// Whether a bit is set; `None` where that is not known.
fn is_not_zero(bits: Bits) -> Option<bool> {
    if bits.value != 0 { Some(true) } else { (bits.known == u64::MAX).then_some(false) }
}

/// The bits of a hardware register that `hwreg` asks for: of HW_ID, which says where the wave runs, of SH_MEM_BASES, which
/// says where the apertures of FLAT addresses are (LLVM `AMDGPUUsage.rst`, "Address Spaces"), and of TRAPSTS: no exception has
/// happened, and DP_RATE (31:29), whose coding is not published (facts §1.3), is left 0.
fn hardware_register(wave: &Wave, hwreg: u32, shared: &Shared<'_>, cu: u32) -> Option<u32> {
    let (id, offset, size) = (hwreg & 0x3f, hwreg >> 6 & 0x1f, (hwreg >> 11 & 0x1f) + 1);
    let mask = if size == 32 { u32::MAX } else { (1 << size) - 1 };
    let xcc = shared.configuration.generation.place.xcc.as_ref().filter(|xcc| xcc.register == id);
    let value = match id {
        // Neighbours among the compute units are on different XCCs, as work-groups are dealt out on such a card.
        _ if xcc.is_some() => xcc.map_or(0, |xcc| xcc.field.place(cu % shared.configuration.xccs)),
        id if id == shared.configuration.generation.place.register => hw_id(wave, shared.configuration, cu),
        SH_MEM_BASES if shared.configuration.generation.flat.as_ref().is_some_and(|flat| flat.aperture_register) => {
            let apertures = shared.segments.apertures;
            (apertures.shared >> 48 << 16 | apertures.private >> 48) as u32
        }
        _ if flat_scratch_half(id, shared).is_some() => {
            wave.scalars.read(FLAT_SCRATCH + flat_scratch_half(id, shared)?)?
        }
        TRAPSTS => 0,
        MODE => wave.mode.bits()?,
        _ => return None,
    };
    Some(value >> offset & mask)
}

/// Which half of FLAT_SCRATCH a hardware register is, if it is one.
fn flat_scratch_half(id: u32, shared: &Shared<'_>) -> Option<u8> {
    let registers = shared.configuration.generation.flat.as_ref()?.flat_scratch_registers?;
    registers.iter().position(|register| *register == id).map(|half| half as u8)
}

/// Only MODE and FLAT_SCRATCH are kept.
fn set_hardware_register(wave: &mut Wave, step: &MicroOp, shared: &Shared<'_>) {
    let (id, offset, size) = (step.immediate & 0x3f, step.immediate >> 6 & 0x1f, (step.immediate >> 11 & 0x1f) + 1);
    if let Some(half) = flat_scratch_half(id, shared) {
        let mask = u64::from(u32::MAX >> (32 - size)) << offset;
        let old = wave.scalars.bits(FLAT_SCRATCH + half);
        let new = read_bits32(wave, step.sources[1]);
        let merge = |old: u64, new: u64| old & !mask | new << offset & mask;
        let bits = Bits { value: merge(old.value, new.value), known: merge(old.known, new.known) };
        wave.scalars.write_bits(FLAT_SCRATCH + half, bits);
    }
    if id != MODE {
        return;
    }
    let Some(value) = read32(wave, step.sources[1]) else {
        wave.mode = wave.mode.forgotten();
        return;
    };
    let mask = (u32::MAX >> (32 - size)) << offset;
    if let Some(bits) = wave.mode.bits() {
        wave.mode = wave.mode.with_bits(bits & !mask | value << offset & mask);
    }
}

/// Executes a scalar function.
pub(crate) fn compute(wave: &mut Wave, step: &MicroOp, function: &ScalarFunction) {
    let registers = step.written.scalars.count_ones();
    let (first, second) = (step.sources[0], step.sources[1]);
    let old = match step.destination {
        Destination::Scalar(code) if function.reads_old && registers == 2 => wave.scalars.bits64(code),
        Destination::Scalar(code) if function.reads_old => wave.scalars.bits(code),
        _ => Bits::of(Some(0)),
    };
    // Where the destination is read it stands before the sources.
    let (first, second) = if function.reads_old { (step.sources[1], step.sources[2]) } else { (first, second) };
    let wide = |index: usize| step.wide >> (index + usize::from(function.reads_old)) & 1 == 1;
    let read = |source: Source, is_wide: bool| match source {
        Source::None => Bits::of(Some(0)),
        source if is_wide => read_bits64(wave, source),
        source => read_bits32(wave, source),
    };
    let (mut a, mut b) = (read(first, wide(0)), read(second, wide(1)));
    if step.is_constant {
        (a, b) = (Bits::of(Some(0)), Bits::of(Some(step.immediate.into())));
    }
    let scc = if function.reads_scc { wave.scc } else { Some(false) };
    let is_whole = [a, b, old].into_iter().all(Bits::is_whole);
    let is_enough = match function.in_parts {
        InParts::Both => true,
        InParts::First => b.is_whole(),
        InParts::Neither => is_whole,
    };
    // Bits that are the same with zeros and with ones for those that are unknown are known.
    let with = |fill: u64, scc| {
        let [a, b, old] = [a, b, old].map(|bits| bits.value & bits.known | fill & !bits.known);
        (function.compute)(ScalarInputs { a, b, old, scc })
    };
    let results = scc.filter(|_| is_enough).map(|scc| {
        let low = with(0, scc);
        (low, if is_whole { low } else { with(u64::MAX, scc) })
    });
    let bits = results.map(|(low, high)| Bits { value: low.0, known: !(low.0 ^ high.0) });
    write_bits(wave, step.destination, bits.unwrap_or_default(), registers == 2);
    if function.writes_scc {
        wave.scc = results.filter(|(low, high)| low.1 == high.1).and_then(|(low, _)| low.1);
    }
}

/// HW_ID, or its replacement: where the wave runs.
fn hw_id(wave: &Wave, configuration: &Configuration, cu: u32) -> u32 {
    let (place, issue) = (&configuration.generation.place, configuration.issue);
    let engines = configuration.shader_engines.clamp(1, place.shader_engines());
    let cu = cu / configuration.xccs;
    // Neighbours are on the same processor; where work-groups have a whole one, it is its number.
    let of_processor = place.compute_units_of_processor() / issue.compute_units;
    let (own, simd) = issue.place(wave.simd);
    let (processor, unit) = (cu / of_processor, cu % of_processor + own);
    let (engine, in_engine) = (processor % engines, processor / engines);
    place.slot.place(wave.slot)
        | place.simd.place(simd)
        | place.unit_in_processor.map_or(0, |field| field.place(unit))
        | place.compute_unit.place(in_engine)
        | place.shader_array.place(in_engine >> place.compute_unit.width)
        | place.shader_engine.place(engine)
}
