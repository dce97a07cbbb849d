//! What a memory instruction brings to the registers that it fills.

use crate::state::vector_number::VectorNumber;

/// The most dwords that one lane moves.
pub(crate) const MOST_DWORDS: usize = 4;

/// The known part of what a memory instruction brings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Loaded {
    /// By register that is filled, the lanes in which all of it is known.
    pub lanes: [u64; MOST_DWORDS],
    /// Of other lanes, those of which some bits are known.
    pub parts: Vec<Part>,
}

/// A lane of which some bits are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Part {
    /// The register that is filled, from 0.
    pub register: VectorNumber,
    pub lane: u8,
    /// The bits.
    pub known: u32,
}

impl Loaded {
    /// Says what is known of a lane of a register.
    pub(crate) fn set(&mut self, register: usize, lane: usize, known: u32) {
        match known {
            0 => {}
            u32::MAX => self.lanes[register] |= 1 << lane,
            _ => self.parts.push(Part { register: register as VectorNumber, lane: lane as u8, known }),
        }
    }

    /// Adds what another part of the instruction brings to other lanes.
    pub(crate) fn add(&mut self, other: Self) {
        self.lanes.iter_mut().zip(other.lanes).for_each(|(lanes, others)| *lanes |= others);
        self.parts.extend(other.parts);
    }
}
