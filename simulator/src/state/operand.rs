//! The places of sources and results of instructions, and a wave's values there.

use crate::state::bits::Bits;
use crate::state::vector_number::{VectorNumber, vector_number};
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;
use gcn_model::decode::Location;

/// Where a source value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Source {
    /// Nothing: the operand does not exist.
    #[default]
    None,
    /// A scalar register (or pair) by its code.
    Scalar(u8),
    /// A vector register.
    Vector(VectorNumber),
    /// A constant, literal or immediate, extended to 64 bits as the operand's width asks.
    Constant(u64),
    /// Something that the simulator keeps no value of (VCCZ, EXECZ, SCC as an operand, LDS_DIRECT).
    Unknown,
}

/// Where a result goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Destination {
    /// Nowhere.
    #[default]
    None,
    /// A scalar register by its code.
    Scalar(u8),
    /// A vector register.
    Vector(VectorNumber),
}

/// The simulator's place of a location; `bits` is the width of the operand.
pub(crate) fn source(location: Location, bits: u16) -> Source {
    match location {
        Location::Sgpr(code) => Source::Scalar(code),
        Location::Vgpr(_) | Location::Agpr(_) => vector_number(location).map_or(Source::Unknown, Source::Vector),
        Location::Constant(constant) if bits > 32 => Source::Constant(constant.bits64()),
        Location::Constant(constant) => Source::Constant(u64::from(constant.bits32())),
        Location::Literal(value) | Location::Immediate(value) => Source::Constant(u64::from(value)),
        Location::WideLiteral(value) => Source::Constant(value),
        Location::Vccz | Location::Execz | Location::Scc | Location::LdsDirect | Location::Aperture(_) => {
            Source::Unknown
        }
    }
}

/// Reads a 32-bit source of a scalar instruction.
pub(crate) fn read32(wave: &Wave, source: Source) -> Option<u32> {
    match source {
        Source::Scalar(code) => wave.scalars.read(code),
        Source::Constant(value) => Some(value as u32),
        Source::Vector(_) | Source::Unknown | Source::None => None,
    }
}

/// Reads a 64-bit source of a scalar instruction.
pub(crate) fn read64(wave: &Wave, source: Source) -> Option<u64> {
    match source {
        Source::Scalar(code) => wave.scalars.read64(code),
        Source::Constant(value) => Some(value),
        Source::Vector(_) | Source::Unknown | Source::None => None,
    }
}

/// All lanes of a 32-bit source, and which of them are known.
pub(crate) fn read_lanes(wave: &Wave, source: Source) -> ([u32; LANES], u64) {
    match source {
        Source::Vector(register) => {
            let (values, known) = wave.vectors.read(register);
            (*values, known)
        }
        source => read32(wave, source).map_or(([0; LANES], 0), |value| ([value; LANES], u64::MAX)),
    }
}

/// The known bits of a 32-bit source.
pub(crate) fn read_bits32(wave: &Wave, source: Source) -> Bits {
    match source {
        Source::Scalar(code) => wave.scalars.bits(code),
        source => {
            let value = read32(wave, source);
            Bits { value: value.unwrap_or(0).into(), known: u64::from(value.map_or(0, |_| u32::MAX)) | u64::MAX << 32 }
        }
    }
}

/// The known bits of a 64-bit source.
pub(crate) fn read_bits64(wave: &Wave, source: Source) -> Bits {
    match source {
        Source::Scalar(code) => wave.scalars.bits64(code),
        source => Bits::of(read64(wave, source)),
    }
}
