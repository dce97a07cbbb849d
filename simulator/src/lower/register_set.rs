//! A set of registers of a wave.

use crate::state::vector_number::{VECTOR_REGISTERS, VectorNumber};

/// Scalar and vector registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct RegisterSet {
    /// Scalar registers, one bit each.
    pub(super) scalars: u128,
    vectors: [u128; VECTOR_REGISTERS / 128],
}

impl RegisterSet {
    /// Adds those of another set.
    pub(super) fn join(&mut self, other: Self) {
        self.scalars |= other.scalars;
        self.vectors.iter_mut().zip(other.vectors).for_each(|(of_self, of_other)| *of_self |= of_other);
    }

    /// Adds vector registers.
    pub(super) fn add_vectors(&mut self, registers: impl IntoIterator<Item = VectorNumber>) {
        registers.into_iter().for_each(|register| self.vectors[word(register)] |= 1 << (register % 128));
    }

    /// Whether one of these vector registers is in it.
    pub(super) fn has_any_vector(&self, registers: impl IntoIterator<Item = VectorNumber>) -> bool {
        registers.into_iter().any(|register| self.vectors[word(register)] >> (register % 128) & 1 == 1)
    }
}

/// Where the bit of a vector register is.
fn word(register: VectorNumber) -> usize {
    usize::from(register) / 128 % (VECTOR_REGISTERS / 128)
}
