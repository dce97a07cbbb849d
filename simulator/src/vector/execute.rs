//! Executing a vector instruction that has a function.
// Long: vector instructions with and without modifiers, which share their sources and results.

use crate::float::format::Format;
use crate::float::half::half_of;
use crate::float::precision::{Float16, Float32, Float64};
use crate::lower::micro_op::MicroOp;
use crate::scalar::execute as scalar;
use crate::state::bits::Bits;
use crate::state::mode::Mode;
use crate::state::operand::{Source, read_lanes, read32, read64};
use crate::state::scalar_registers::{EXEC, NOWHERE};
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;
use crate::vector::float::sign_of;
use crate::vector::function::{Modifiers, VectorFunction, VectorSource};
use crate::vector::lanes::{Inputs, Lanes, join};
use crate::vector::packed::Packed;
use crate::vector::partly_known::PartlyKnown;
use crate::vector::sub_dword;

/// The lanes in which a result of 64 bits is known: all of it, and its low dword.
#[derive(Clone, Copy)]
struct KnownWide {
    all: u64,
    low: u64,
}

impl KnownWide {
    /// Likewise for a function's result, of which its bits may say where it is known.
    fn of(self, function: &VectorFunction, written: u64) -> Self {
        let known = if function.says_what_is_known { written } else { u64::MAX };
        Self { all: self.all & known, low: self.low & known }
    }
}

/// The lanes of a source, and the known ones.
type Known<T> = ([T; LANES], u64);

/// Executes a function on all lanes of EXEC. What depends on an unknown value is unknown.
#[inline]
pub(crate) fn execute(wave: &mut Wave, step: &MicroOp, function: &VectorFunction) {
    match PartlyKnown::of(wave, function) {
        None => whole(wave, step, function),
        Some(parts) => parts.run(wave, |wave| whole(wave, step, function)),
    }
}

/// The same, where a dword is known whole or not at all.
fn whole(wave: &mut Wave, step: &MicroOp, function: &VectorFunction) {
    let flags = match function.flags {
        Some(code) => wave.mask_bits(code),
        None => Bits { value: function.truth_table.into(), known: u64::MAX },
    };
    let Some(exec) = wave.exec().filter(|_| !function.is_float || wave.mode.is_modelled()) else {
        return scalar::clobber(wave, step);
    };
    if let (None, Lanes::Dword(compute)) = (&function.modifiers, function.lanes) {
        return plain(wave, step, function, compute, (flags, exec));
    }
    if let (None, Lanes::Two(compute)) = (&function.modifiers, function.lanes) {
        let mut sources = [[0; LANES]; 3];
        let known = read_wide(wave, function, &mut sources);
        let mut result = [0; LANES];
        let known = KnownWide { all: known.all & flags.known, low: known.low & flags.known };
        let inputs = Inputs { sources: sources.each_ref(), flags: flags.value, mode: &wave.mode };
        let written = if known.low & exec == 0 && exec != 0 { 0 } else { compute(&inputs, &mut result) };
        let known = known.of(function, written);
        write_wide(wave, function, exec, known, &result);
        return write_flags(wave, step, function, (exec, known.all), written);
    }
    if let Some(modifiers) = &function.modifiers {
        modified(wave, step, function, modifiers, (flags, exec));
    }
}

/// Executes two functions of dwords that read their sources before either writes (VOPD).
pub(crate) fn execute_pair(wave: &mut Wave, step: &MicroOp, [first, second]: [&VectorFunction; 2]) {
    let Some(register) = first.result else { return execute(wave, step, second) };
    let result = Source::Vector(register);
    if !second.sources.iter().any(|source| source.place == result) {
        execute(wave, step, first);
        return execute(wave, step, second);
    }
    let (before, before_known) = read_lanes(wave, result);
    execute(wave, step, first);
    let (after, after_known) = read_lanes(wave, result);
    wave.vectors.write(register, u64::MAX, &before, before_known);
    execute(wave, step, second);
    wave.vectors.write(register, u64::MAX, &after, after_known);
}

/// The common case: dwords, and nothing but the function.
fn plain(
    wave: &mut Wave,
    step: &MicroOp,
    function: &VectorFunction,
    compute: fn(&Inputs<'_, u32>, &mut [u32; LANES]) -> u64,
    (flags, exec): (Bits, u64),
) {
    const ZEROS: &[u32; LANES] = &[0; LANES];
    let mut result = [0; LANES];
    let mut of_source = [u64::MAX; 3];
    let (first, second, third);
    macro_rules! fetch {
        ($index:expr, $copy:ident) => {{
            let source = &function.sources[$index];
            match source.place {
                Source::Vector(register) if !source.is_modified() => {
                    let (values, known) = wave.vectors.read(register);
                    of_source[$index] = if source.is_half { wave.vectors.half_known(register, false) } else { known };
                    values
                }
                Source::Constant(0) if !source.is_modified() => ZEROS,
                _ => {
                    let (values, known) = dwords(wave, source);
                    of_source[$index] = known;
                    $copy = values;
                    &$copy
                }
            }
        }};
    }
    let sources = [fetch!(0, first), fetch!(1, second), fetch!(2, third)];
    let known = match function.selects {
        true => of_source[0] & !flags.value | of_source[1] & flags.value,
        false => of_source[0] & of_source[1] & of_source[2],
    } & flags.known;
    // Unknown lanes are not worth computing.
    let mut written = 0;
    if known & exec != 0 || exec == 0 {
        written = compute(&Inputs { sources, flags: flags.value, mode: &wave.mode }, &mut result);
    }
    let known = if function.says_what_is_known { known & written } else { known };
    if let Some(register) = function.result {
        wave.vectors.write(register, exec, &result, known);
    }
    write_flags(wave, step, function, (exec, known), written);
}

/// With SDWA, DPP, output modifiers, halves or packed halves.
fn modified(
    wave: &mut Wave,
    step: &MicroOp,
    function: &VectorFunction,
    modifiers: &Modifiers,
    (flags, exec): (Bits, u64),
) {
    // Long: a table, with an arm for each modifier; all of them share the sources and the result.
    if let (Some(pairs), Lanes::Dword(compute)) = (modifiers.pairs, function.lanes) {
        let places = function.sources.map(|source| source.place);
        return pairs.execute(wave, (function.result, &places), compute, exec);
    }
    let Lanes::Dword(compute) = function.lanes else {
        let Lanes::Two(compute) = function.lanes else { return };
        let mut sources = [[0; LANES]; 3];
        let known = read_wide(wave, function, &mut sources);
        if let Some(parts) = &modifiers.sub_dword {
            // V_CVT_PK_F32_FP8: two singles of the selected part of a dword.
            let mut low = sources[0].map(|value| value as u32);
            sub_dword::select(&mut low, parts.sources[0], parts.signed[0]);
            sources[0] = low.map(u64::from);
        }
        let mut result = [0; LANES];
        let known = KnownWide { all: known.all & flags.known, low: known.low & flags.known };
        let inputs = Inputs { sources: sources.each_ref(), flags: flags.value, mode: &wave.mode };
        let written = compute(&inputs, &mut result);
        let mode = wave.mode;
        let known = known.of(function, written);
        result.iter_mut().for_each(|result| *result = finished(*result, modifiers, &mode));
        write_wide(wave, function, exec, known, &result);
        return write_flags(wave, step, function, (exec, known.all), written);
    };
    let mut sources = function.sources.map(|source| dwords_of(wave, &source));
    let mut enabled = u64::MAX;
    if let Some(data_parallel) = &modifiers.data_parallel {
        let (values, known, lanes) = data_parallel.apply(&sources[0].0, sources[0].1, exec);
        sources[0] = (values, known);
        enabled = lanes;
    }
    if let Some(parts) = &modifiers.sub_dword {
        for (source, (operand, part)) in sources.iter_mut().zip(function.sources.iter().zip(parts.sources)) {
            if let Some(is_high) = sub_dword::half(part) {
                source.1 = half_known(wave, operand, is_high);
            }
        }
        sub_dword::select(&mut sources[0].0, parts.sources[0], parts.signed[0]);
        sub_dword::select(&mut sources[1].0, parts.sources[1], parts.signed[1]);
    }
    let exec_written = exec & enabled;
    let known = match function.selects {
        true => sources[0].1 & !flags.value | sources[1].1 & flags.value,
        false => sources[0].1 & sources[1].1 & sources[2].1,
    } & flags.known;
    let mut result = [0; LANES];
    let mode = wave.mode;
    let run = |values: [[u32; LANES]; 3]| {
        let mut of_half = [0; LANES];
        let [a, b, c] = &values;
        let written = compute(&Inputs { sources: [a, b, c], flags: flags.value, mode: &mode }, &mut of_half);
        of_half.iter_mut().for_each(|result| *result = finished(u64::from(*result), modifiers, &mode) as u32);
        (of_half, written)
    };
    let mut written = 0;
    if let Some(packed) = modifiers.packed {
        for high in 0..2 {
            let values = [0, 1, 2].map(|i| halves(&sources[i].0, packed, (high, i)));
            let (of_half, _) = run(values);
            result.iter_mut().zip(of_half).for_each(|(result, half)| *result |= (half & 0xffff) << (16 * high));
        }
    } else if let Some(packed) = modifiers.halves {
        let joined = |source: usize| {
            let [low, high] = [0, 1].map(|half| halves(&sources[source].0, packed, (half, source)));
            std::array::from_fn(|lane| low[lane] | high[lane] << 16)
        };
        let addend = modified_source(&sources[2].0, &VectorSource { sign: sign_of(32), ..function.sources[2] });
        (result, written) = run([joined(0), joined(1), addend]);
    } else if let Some(mixed) = modifiers.mixed {
        (result, written) = run([0, 1, 2].map(|i| mixed[i].read(&sources[i].0, &mode)));
    } else {
        let values = [0, 1, 2].map(|i| modified_source(&sources[i].0, &function.sources[i]));
        (result, written) = run(values);
    }
    let Some(register) = function.result else {
        return write_flags(wave, step, function, (exec_written, known), written);
    };
    let (before, _) = wave.vectors.read(register);
    let mut known = if function.says_what_is_known { known & written } else { known };
    if let Some(parts) = &modifiers.sub_dword {
        sub_dword::place(&mut result, before, parts.result, parts.unused);
        if let Some(is_high) = sub_dword::half(parts.result).filter(|_| parts.keeps()) {
            if parts.writes_byte() {
                known &= wave.vectors.half_known(register, is_high);
            }
            wave.vectors.write_half(register, exec_written, (&result, is_high), known);
            return write_flags(wave, step, function, (exec_written, known), written);
        }
    } else if let Some(half) = modifiers.half {
        let mask = 0xffff << half;
        result.iter_mut().zip(before).for_each(|(result, before)| *result = *result << half & mask | before & !mask);
        wave.vectors.write_half(register, exec_written, (&result, half > 0), known);
        return write_flags(wave, step, function, (exec_written, known), written);
    } else if let Some(packed) = modifiers.packed.filter(|_| modifiers.data_parallel.is_none()) {
        let of = |high: usize, source: usize| half_known(wave, &function.sources[source], packed.high[high][source]);
        let halves = [0, 1].map(|high| match function.says_what_is_known {
            true => known,
            false => of(high, 0) & of(high, 1) & of(high, 2),
        });
        wave.vectors.write_halves(register, exec_written, &result, halves);
        return write_flags(wave, step, function, (exec_written, known), written);
    }
    wave.vectors.write(register, exec_written, &result, known);
    write_flags(wave, step, function, (exec_written, known), written);
}

/// The lanes in which a half of a source is known.
fn half_known(wave: &Wave, source: &VectorSource, is_high: bool) -> u64 {
    match source.place {
        Source::Vector(register) => wave.vectors.half_known(register, is_high),
        _ => dwords_of(wave, source).1,
    }
}

/// One half of each lane, negated if it is to be.
fn halves(values: &[u32; LANES], packed: Packed, (high, source): (usize, usize)) -> [u32; LANES] {
    let shift = if packed.high[high][source] { 16 } else { 0 };
    let sign = if packed.negated[high][source] { 0x8000 } else { 0 };
    values.map(|value| (value >> shift & 0xffff) ^ sign)
}

fn modified_source(values: &[u32; LANES], source: &VectorSource) -> [u32; LANES] {
    values.map(|value| changed(u64::from(value), source) as u32)
}

/// A value with the source's modifiers.
#[inline(always)]
fn changed(value: u64, source: &VectorSource) -> u64 {
    let value = if source.is_high { value >> 16 & 0xffff } else { value };
    let value = if source.absolute { value & !source.sign } else { value };
    if source.negated { value ^ source.sign } else { value }
}

/// A result with output modifier and clamp.
fn finished(result: u64, modifiers: &Modifiers, mode: &Mode) -> u64 {
    let mut result = result;
    if modifiers.output != 0 && mode.has_output_modifiers(modifiers.result_bits) {
        result = scaled(result, modifiers, mode);
    }
    if modifiers.clamps && !modifiers.saturates {
        let (is_nan, one) = match modifiers.result_bits {
            16 => (Float16::is_nan(result as u32), 0x3c00),
            32 => (Float32::is_nan(result as u32), 0x3f80_0000),
            _ => (Float64::is_nan(result), 0x3ff0 << 48),
        };
        let sign = sign_of(modifiers.result_bits);
        // Positive numbers are in the order of their bits.
        result = match (is_nan, result & sign != 0) {
            (true, _) if !mode.dx10_clamp => result,
            (true, _) | (_, true) => 0,
            _ => result.min(one),
        };
    }
    result
}

/// A result times 2, times 4 or divided by 2.
///
/// Denormals are flushed before and after it, and neither zero keeps its sign before it.
/// Source: AMD "GCN3 ISA" and "Vega ISA", section 6.2 (output modifiers): "denormals are flushed", "-0 is flushed to +0".
fn scaled(result: u64, modifiers: &Modifiers, mode: &Mode) -> u64 {
    let factor = match modifiers.output {
        1 => 2.0,
        2 => 4.0,
        _ => 0.5_f32,
    };
    match modifiers.result_bits {
        16 => {
            let result = Float16::positive_zero(result as u32);
            u64::from(Float16::multiply(result, half_of(f64::from(factor)), mode))
        }
        32 => u64::from(Float32::multiply(Float32::positive_zero(result as u32), factor.to_bits(), mode)),
        _ => Float64::multiply(Float64::positive_zero(result), f64::from(factor).to_bits(), mode),
    }
}

/// A source as dwords, with its modifiers.
fn dwords(wave: &Wave, source: &VectorSource) -> Known<u32> {
    let (values, known) = dwords_of(wave, source);
    (if source.is_modified() { modified_source(&values, source) } else { values }, known)
}

/// The content of a place, as dwords.
fn dwords_of(wave: &Wave, source: &VectorSource) -> Known<u32> {
    let (values, known) = read_lanes(wave, source.place);
    match source.place {
        Source::Vector(register) if source.is_half => (values, wave.vectors.half_known(register, source.is_high)),
        _ => (values, known),
    }
}

/// Reads the sources as 64 bits, over zeros, and returns the lanes in which the result is known.
///
/// Compilers leave the high dword of an addend unwritten where they use the low one of the sum alone.
fn read_wide(wave: &Wave, function: &VectorFunction, sources: &mut [[u64; LANES]; 3]) -> KnownWide {
    let mut known = KnownWide { all: u64::MAX, low: u64::MAX };
    for (values, source) in sources.iter_mut().zip(&function.sources) {
        match source.place {
            Source::Vector(register) => {
                let (low, low_known) = wave.vectors.read(register);
                known.low &= low_known;
                known.all &= low_known;
                if source.is_wide {
                    let (high, high_known) = wave.vectors.read(register + 1);
                    known.all &= high_known;
                    join(low, high, values);
                } else {
                    values.iter_mut().zip(low).for_each(|(value, low)| *value = u64::from(*low));
                }
            }
            Source::Constant(0) => {}
            place => {
                let value = match source.is_wide {
                    true => read64(wave, place),
                    false => read32(wave, place).map(u64::from),
                };
                match value {
                    Some(value) => values.fill(value),
                    None => known = KnownWide { all: 0, low: 0 },
                }
            }
        }
        if source.is_modified() {
            values.iter_mut().for_each(|value| *value = changed(*value, source));
        }
    }
    if !function.low_from_low {
        known.low = known.all;
    }
    known
}

fn write_wide(wave: &mut Wave, function: &VectorFunction, exec: u64, known: KnownWide, result: &[u64; LANES]) {
    let Some(register) = function.result else { return };
    let mut dwords = [0; LANES];
    dwords.iter_mut().zip(result).for_each(|(dword, result)| *dword = *result as u32);
    wave.vectors.write(register, exec, &dwords, known.low);
    if function.is_wide {
        dwords.iter_mut().zip(result).for_each(|(dword, result)| *dword = (result >> 32) as u32);
        wave.vectors.write(register + 1, exec, &dwords, known.all);
    }
}

/// Bits of lanes that EXEC disables are zero; a mask is known only as a whole.
fn write_flags(wave: &mut Wave, step: &MicroOp, function: &VectorFunction, (exec, known): (u64, u64), flags: u64) {
    if function.flags_result.is_none() && !function.writes_exec {
        return;
    }
    // Lanes that are off have zeros.
    let flags = Bits { value: flags & known & exec, known: known | !exec };
    if let Some(register) = function.flags_result {
        let is_written = register == NOWHERE || step.written.scalars >> register & 1 == 1;
        debug_assert!(is_written, "the step says what is written");
        wave.write_mask(register, flags);
    }
    if function.writes_exec {
        wave.write_mask(EXEC, flags);
    }
}
