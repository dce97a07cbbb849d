//! Which halves of its sources an instruction works on.

/// The halves that a packed instruction works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Packed {
    /// For each source, whether its high half is taken, for the low and the high result.
    pub high: [[bool; 3]; 2],
    /// As above, for its negation.
    pub negated: [[bool; 3]; 2],
}
