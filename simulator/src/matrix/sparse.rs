//! Which two of four elements along k the sparse A of SMFMAC has.
//!
//! Source: AMD "CDNA3 ISA", section 7.4, and "CDNA4 ISA", section 7.5: a further register of A has two bits for each of its elements, which give its place among
//! four. It has as many sets of them as fit into 32 bits; with CBSZ 0 ABID picks one, otherwise it is the first. The index of the first of two
//! has to be below that of the second.

use crate::matrix::shape::Shape;
use gcn_model::decode::MatrixFields;

/// The set of indices that an instruction uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Indices {
    first_bit: usize,
}

impl Indices {
    /// The set that the fields pick.
    pub(crate) fn of(fields: &MatrixFields, shape: &Shape) -> Self {
        // Two bits for each of the lane's elements, of which there are half as many as there would be.
        let bits = shape.lane_depth();
        let sets = (32 / bits).max(1);
        let set = if fields.cbsz == 0 { usize::from(fields.abid) % sets } else { 0 };
        Self { first_bit: set * bits }
    }

    /// The place in the lane's run of what would be dense, of element `item`.
    pub(crate) fn place(self, register: u32, item: usize) -> usize {
        let index = register >> (self.first_bit + 2 * item) & 3;
        item / 2 * 4 + index as usize
    }
}
