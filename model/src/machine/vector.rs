//! Vector instructions: the few whose values the kernels' control flow, addresses and results need.

use super::binary::Binary;
use super::error::Problem;
use super::operation::Operation;
use super::registers::LANES;
use super::scalar;
use super::step::{Destination, Source, Step};
use super::wave::Wave;

/// Executes a vector operation that has semantics.
///
/// # Errors
/// An effect that depends on an unknown value.
pub(super) fn execute(wave: &mut Wave, step: &Step) -> Result<(), Problem> {
    match step.operation {
        Operation::ReadFirstLane => {
            let lane = wave.exec().map(|exec| if exec == 0 { 0 } else { exec.trailing_zeros() as usize });
            let value = lane.and_then(|lane| read_lane(wave, step.sources[0], lane));
            write_scalar(wave, step.destination, value);
            return Ok(());
        }
        Operation::ReadLane => {
            let lane = scalar::read32(wave, step.sources[1]).map(|lane| lane as usize % LANES);
            let value = lane.and_then(|lane| read_lane(wave, step.sources[0], lane));
            write_scalar(wave, step.destination, value);
            return Ok(());
        }
        Operation::WriteLane => return write_lane(wave, step),
        Operation::VectorMoveRelative => scalar::require_zero_m0(wave)?,
        _ => {}
    }
    let Some(exec) = wave.exec() else {
        scalar::forget(wave, step);
        return Ok(());
    };
    let Destination::Vector(register) = step.destination else { return Ok(()) };
    let mut result = [0; LANES];
    let (a, a_known) = operand(wave, step.sources[0]);
    match step.operation {
        Operation::VectorMove | Operation::VectorMoveRelative => {
            result = a;
            wave.vectors.write(register, exec, &result, a_known);
        }
        Operation::Vector32(binary) => {
            let (b, b_known) = operand(wave, step.sources[1]);
            lanes(binary, &a, &b, &mut result);
            wave.vectors.write(register, exec, &result, a_known & b_known);
        }
        Operation::VectorAdd => {
            let (b, b_known) = operand(wave, step.sources[1]);
            let mut carries = 0;
            for lane in 0..LANES {
                let (sum, carry) = a[lane].overflowing_add(b[lane]);
                result[lane] = sum;
                carries |= u64::from(carry) << lane;
            }
            let known = a_known & b_known;
            wave.vectors.write(register, exec, &result, known);
            if let Destination::Scalar(carry) = step.carry {
                let carries = (known & exec == exec).then_some(carries & exec);
                wave.scalars.write64(carry, carries);
            }
        }
        Operation::MaskedBitCount { high } => {
            // The bits of the mask below the lane, in the half of the 64 lanes that the form counts.
            let (b, b_known) = operand(wave, step.sources[1]);
            for lane in 0..LANES {
                let below = (1_u64 << lane) - 1;
                let below = if high { (below >> 32) as u32 } else { below as u32 };
                result[lane] = b[lane].wrapping_add((a[lane] & below).count_ones());
            }
            wave.vectors.write(register, exec, &result, a_known & b_known);
        }
        _ => scalar::forget(wave, step),
    }
    Ok(())
}

fn lanes(binary: Binary, a: &[u32; LANES], b: &[u32; LANES], result: &mut [u32; LANES]) {
    for ((result, a), b) in result.iter_mut().zip(a).zip(b) {
        *result = binary.apply32(*a, *b);
    }
}

/// All lanes of a source and which of them are known.
fn operand(wave: &Wave, source: Source) -> ([u32; LANES], u64) {
    match source {
        Source::Vector(register) => {
            let (values, known) = wave.vectors.read(register);
            (*values, known)
        }
        source => scalar::read32(wave, source).map_or(([0; LANES], 0), |value| ([value; LANES], u64::MAX)),
    }
}

fn read_lane(wave: &Wave, source: Source, lane: usize) -> Option<u32> {
    match source {
        Source::Vector(register) => wave.vectors.lane(register, lane),
        source => scalar::read32(wave, source),
    }
}

fn write_scalar(wave: &mut Wave, destination: Destination, value: Option<u32>) {
    if let Destination::Scalar(code) = destination {
        wave.scalars.write(code, value);
    }
}

/// V_WRITELANE_B32 ignores EXEC.
fn write_lane(wave: &mut Wave, step: &Step) -> Result<(), Problem> {
    let Destination::Vector(register) = step.destination else { return Ok(()) };
    // The destination keeps its other lanes; if the file lists it as read, it comes first.
    let (value, lane) = match step.sources {
        [Source::Vector(_), value, lane] => (value, lane),
        [value, lane, _] => (value, lane),
    };
    let value = scalar::read32(wave, value);
    match scalar::read32(wave, lane) {
        Some(lane) => wave.vectors.write_lane(register, lane as usize % LANES, value),
        None => return Err(Problem::UnknownControl("its lane".into())),
    }
    Ok(())
}
