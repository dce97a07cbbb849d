//! Sets of vector registers.

/// VGPRs and, after them, AGPRs, a bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Vectors([u128; 4]);

/// Where the AGPRs begin.
const AGPRS: u16 = 256;

impl Vectors {
    /// Adds registers, VGPRs or AGPRs.
    pub(super) fn add(&mut self, is_agpr: bool, first: u8, count: u8) {
        let first = u16::from(first) + if is_agpr { AGPRS } else { 0 };
        for register in first..(first + u16::from(count.max(1))).min(2 * AGPRS) {
            self.0[usize::from(register / 128)] |= 1 << (register % 128);
        }
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(own, other)| own & other != 0)
    }

    /// Those that are not among the others.
    pub(super) fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
