//! Vector instructions that reach across lanes, or that move registers by an index.

use crate::error::Problem;
use crate::lower::micro_op::MicroOp;
use crate::lower::operation::Operation;
use crate::lower::shared::Shared;
use crate::scalar::execute as scalar;
use crate::state::bits::Bits;
use crate::state::operand::{Destination, Source, read_bits32, read_lanes, read32, read64};
use crate::state::scalar_registers::M0;
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;
use crate::vector::differences;
use crate::vector::indexed::moved;

/// The lanes of a register, and which of them are known.
type Known = ([u32; LANES], u64);

/// Executes a vector operation that has semantics.
///
/// # Errors
/// An effect that depends on an unknown value.
pub(crate) fn execute(wave: &mut Wave, step: &MicroOp, shared: &Shared<'_>) -> Result<(), Problem> {
    // Long: a table, with an arm for each operation.
    match step.operation {
        Operation::ReadFirstLane => {
            let lane = wave.exec().map(|exec| if exec == 0 { 0 } else { exec.trailing_zeros() as usize });
            read_lane(wave, step, lane);
            return Ok(());
        }
        Operation::ReadLane => {
            let lane = read32(wave, step.sources[1]).map(|lane| (lane % wave.lanes) as usize);
            read_lane(wave, step, lane);
            return Ok(());
        }
        Operation::WriteLane => return write_lane(wave, step),
        Operation::VectorMoveRelative { source, destination } => {
            return move_relative(wave, step, shared, (source, destination));
        }
        Operation::VectorMoveByTwo { swaps } => return move_by_two(wave, step, shared, swaps),
        _ => {}
    }
    let Some(exec) = wave.exec() else {
        scalar::clobber(wave, step);
        return Ok(());
    };
    let Destination::Vector(register) = step.destination else { return Ok(()) };
    let (a, a_known) = read_lanes(wave, step.sources[0]);
    match step.operation {
        Operation::MaskedBitCount { high } => {
            // The bits of the mask below the lane, in the half of the 64 lanes that the form counts.
            let (b, b_known) = read_lanes(wave, step.sources[1]);
            let mut result = [0; LANES];
            for lane in 0..LANES {
                let below = (1_u64 << lane) - 1;
                let below = if high { (below >> 32) as u32 } else { below as u32 };
                result[lane] = b[lane].wrapping_add((a[lane] & below).count_ones());
            }
            wave.vectors.write(register, exec, &result, a_known & b_known);
        }
        Operation::PermuteRows { is_other, by_lane: false, fetches_inactive, reads_zero } => {
            let Some(lanes) = read64_of(wave, [step.sources[1], step.sources[2]]) else {
                scalar::clobber(wave, step);
                return Ok(());
            };
            let picked = |lane: usize| Some((lanes >> (4 * (lane % 16)) & 15) as usize);
            permute_rows(wave, (step.sources[0], register), exec, (is_other, picked), (fetches_inactive, reads_zero));
        }
        // The destination comes first where it has room among the sources.
        Operation::PermuteRows { is_other, by_lane: true, fetches_inactive, reads_zero } => {
            let (lanes, known) = read_lanes(wave, step.sources[2]);
            let picked = |lane: usize| (known >> lane & 1 == 1).then_some(lanes[lane] as usize & 15);
            permute_rows(wave, (step.sources[1], register), exec, (is_other, picked), (fetches_inactive, reads_zero));
        }
        Operation::SwapRows { lanes } => swap_rows(wave, step, (register, exec), lanes.into()),
        Operation::MaskedQuadDifferences => quad_differences(wave, step, (register, exec)),
        Operation::Swap => {
            let Source::Vector(other) = step.sources[1] else { return Ok(()) };
            let (b, b_known) = read_lanes(wave, step.sources[1]);
            wave.vectors.write(register, exec, &b, b_known);
            wave.vectors.write(other, exec, &a, a_known);
        }
        Operation::SwapHalves { high } => swap_halves(wave, step, (register, exec), high),
        Operation::SwapHalfWaves => {
            if wave.lanes as usize == LANES {
                let mut moved = a;
                moved.rotate_left(LANES / 2);
                wave.vectors.write(register, exec, &moved, a_known.rotate_left(LANES as u32 / 2));
            }
        }
        _ => scalar::clobber(wave, step),
    }
    Ok(())
}

/// V_SWAP_B16: a half of each of two registers, or both of the same one, change places.
fn swap_halves(wave: &mut Wave, step: &MicroOp, (register, exec): (VectorNumber, u64), [first, second]: [bool; 2]) {
    let Source::Vector(other) = step.sources[1] else { return };
    let ((a, _), (b, _)) = (read_lanes(wave, step.sources[0]), read_lanes(wave, step.sources[1]));
    let (a_known, b_known) = (wave.vectors.half_known(register, first), wave.vectors.half_known(other, second));
    let shift = |is_high: bool| if is_high { 16 } else { 0 };
    let half = |values: &[u32; LANES], is_high: bool| values.map(|value| value >> shift(is_high) & 0xffff);
    let mut put = |register: VectorNumber, is_high: bool, (halves, known): ([u32; LANES], u64)| {
        let (mut values, _) = read_lanes(wave, Source::Vector(register));
        let mask = 0xffff << shift(is_high);
        values.iter_mut().zip(halves).for_each(|(value, half)| *value = *value & !mask | half << shift(is_high));
        wave.vectors.write_half(register, exec, (&values, is_high), known);
    };
    put(register, first, (half(&b, second), b_known));
    put(other, second, (half(&a, first), a_known));
}

/// Every second row of the first register changes places with the row before it of the second one.
///
/// Source: LLVM 22.1 `AMDGPUUsage.rst`, llvm.amdgcn.permlane16.swap. Of lanes that EXEC disables it says nothing: then both are unknown.
fn swap_rows(wave: &mut Wave, step: &MicroOp, (register, exec): (VectorNumber, u64), lanes: usize) {
    let Source::Vector(other) = step.sources[1] else { return };
    if exec != u64::MAX {
        return scalar::clobber(wave, step);
    }
    let ((mut a, a_known), (mut b, b_known)) = (read_lanes(wave, step.sources[0]), read_lanes(wave, step.sources[1]));
    let (mut a_mask, mut b_mask) = (a_known, b_known);
    for lane in (0..LANES).filter(|lane| lane / lanes % 2 == 1) {
        let before = lane - lanes;
        std::mem::swap(&mut a[lane], &mut b[before]);
        a_mask = a_mask & !(1 << lane) | (b_known >> before & 1) << lane;
        b_mask = b_mask & !(1 << before) | (a_known >> lane & 1) << before;
    }
    wave.vectors.write(register, exec, &a, a_mask);
    wave.vectors.write(other, exec, &b, b_mask);
}

/// Two dwords as the low and the high half of a number.
fn read64_of(wave: &Wave, [low, high]: [Source; 2]) -> Option<u64> {
    Some(u64::from(read32(wave, low)?) | u64::from(read32(wave, high)?) << 32)
}

/// V_PERMLANE16_B32, V_PERMLANEX16_B32 and their like with VAR: `picked` says which lane of its row of 16, or of the other row of its pair, a lane
/// reads. What comes from a lane that EXEC disables is zero or leaves the destination alone, unless such lanes are read as well.
///
/// Source: AMD "RDNA 1 ISA", V_PERMLANE16_B32, and "RDNA4 ISA", V_PERMLANE16_VAR_B32; LLVM 22.1 `AMDGPUUsage.rst`, llvm.amdgcn.permlane16 (OP_SEL\[0\] is
/// FI, \[1\] BOUND_CTRL).
fn permute_rows(
    wave: &mut Wave,
    (source, register): (Source, VectorNumber),
    exec: u64,
    (is_other, picked): (bool, impl Fn(usize) -> Option<usize>),
    (fetches_inactive, reads_zero): (bool, bool),
) {
    let (values, known) = read_lanes(wave, source);
    let halves = match source {
        Source::Vector(register) => wave.vectors.halves_known(register),
        _ => [known; 2],
    };
    let mut result = [0; LANES];
    let (mut result_known, mut written) = ([0; 2], 0);
    for (lane, result) in result.iter_mut().enumerate() {
        let Some(picked) = picked(lane) else {
            written |= 1 << lane;
            continue;
        };
        let from = ((lane / 16) ^ usize::from(is_other)) * 16 + picked;
        let is_read = fetches_inactive || exec >> from & 1 == 1;
        if is_read {
            *result = values[from];
        }
        for (result, known) in result_known.iter_mut().zip(halves) {
            *result |= u64::from(!is_read || known >> from & 1 == 1) << lane;
        }
        written |= u64::from(is_read || reads_zero) << lane;
    }
    wave.vectors.write_halves(register, exec & written, &result, result_known);
}

/// V_MOVRELSD_2_B32, V_SWAPREL_B32.
fn move_by_two(wave: &mut Wave, step: &MicroOp, shared: &Shared<'_>, swaps: bool) -> Result<(), Problem> {
    let (source_index, destination_index) = scalar::two_indices(wave)?;
    let exec = wave.exec().ok_or_else(|| Problem::UnknownControl("EXEC".into()))?;
    let source = step.sources[usize::from(swaps)];
    let (Source::Vector(source), Destination::Vector(destination)) = (source, step.destination) else { return Ok(()) };
    let from = moved(source, source_index, 0, shared)?;
    let to = moved(destination, destination_index, 0, shared)?;
    let (values, known) = read_lanes(wave, Source::Vector(from));
    if swaps {
        let (values, known) = read_lanes(wave, Source::Vector(to));
        wave.vectors.write(from, exec, &values, known);
    }
    wave.vectors.write(to, exec, &values, known);
    Ok(())
}

/// V_MQSAD_U32_U8: a pair of registers against one, added to four, of which nothing is written before all is read.
fn quad_differences(wave: &mut Wave, step: &MicroOp, (register, exec): (VectorNumber, u64)) {
    let ((low, low_known), (high, high_known)) = pair(wave, step.sources[0]);
    let (b, b_known) = read_lanes(wave, step.sources[1]);
    let sums: [_; 4] = std::array::from_fn(|n| {
        let addend = match step.sources[2] {
            Source::Vector(first) => Source::Vector(first + n as VectorNumber),
            other => other,
        };
        let (c, c_known) = read_lanes(wave, addend);
        let of = |lane: usize| {
            let a = u64::from(high[lane]) << 32 | u64::from(low[lane]);
            differences::masked_quad(a, b[lane], c[lane], n as u32)
        };
        // The first window lies in the low dword alone.
        let a_known = if n == 0 { low_known } else { low_known & high_known };
        (std::array::from_fn(of), a_known & b_known & c_known)
    });
    for (register, (sum, known)) in (register..).zip(sums) {
        wave.vectors.write(register, exec, &sum, known);
    }
}

/// Both dwords of a source of 64 bits.
fn pair(wave: &Wave, source: Source) -> (Known, Known) {
    match source {
        Source::Vector(register) => (read_lanes(wave, source), read_lanes(wave, Source::Vector(register + 1))),
        source => {
            let of = |shift: u32| {
                let value = read64(wave, source).map(|value| (value >> shift) as u32);
                value.map_or(([0; LANES], 0), |value| ([value; LANES], u64::MAX))
            };
            (of(0), of(32))
        }
    }
}

/// V_READLANE_B32, V_READFIRSTLANE_B32.
fn read_lane(wave: &mut Wave, step: &MicroOp, lane: Option<usize>) {
    let bits = match (step.sources[0], lane) {
        (Source::Vector(register), Some(lane)) => wave.vectors.lane_bits(register, lane),
        (Source::Vector(_), None) => Bits::default(),
        (source, _) => read_bits32(wave, source),
    };
    if let Destination::Scalar(code) = step.destination {
        wave.scalars.write_bits(code, bits);
    }
}

/// V_WRITELANE_B32 ignores EXEC.
fn write_lane(wave: &mut Wave, step: &MicroOp) -> Result<(), Problem> {
    let Destination::Vector(register) = step.destination else { return Ok(()) };
    let (value, lane) = step.value_and_lane();
    let value = read_bits32(wave, value);
    match read32(wave, lane) {
        Some(lane) => wave.vectors.write_lane_bits(register, (lane % wave.lanes) as usize, value),
        None => return Err(Problem::UnknownControl("its lane".into())),
    }
    Ok(())
}

/// V_MOVRELS_B32 (relative source), V_MOVRELD_B32 (relative destination), V_MOVRELSD_B32 (both).
fn move_relative(
    wave: &mut Wave,
    step: &MicroOp,
    shared: &Shared<'_>,
    (source, destination): (bool, bool),
) -> Result<(), Problem> {
    let index = wave.scalars.read(M0).ok_or_else(|| Problem::UnknownControl("M0".into()))?;
    let Destination::Vector(mut to) = step.destination else { return Ok(()) };
    let Some(exec) = wave.exec() else {
        return Err(Problem::UnknownControl("EXEC".into()));
    };
    let mut from = step.sources[0];
    if source && let Source::Vector(register) = &mut from {
        *register = moved(*register, index, 0, shared)?;
    }
    if destination {
        to = moved(to, index, 0, shared)?;
    }
    let (values, known) = read_lanes(wave, from);
    wave.vectors.write(to, exec, &values, known);
    Ok(())
}
