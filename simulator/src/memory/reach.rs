//! Where the lanes of a memory instruction reach.

use crate::error::Problem;
use crate::memory::word::Word;
use crate::state::loaded::MOST_DWORDS;
use crate::state::row::Row;
use crate::state::vector_registers::LANES;

/// Where the lanes reach.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reach<'a> {
    /// All lanes of the wave are active and inside the limits, and their addresses make a row.
    Row {
        /// The addresses.
        row: Row,
        /// Distance of a lane's dwords in bytes.
        distance: u64,
    },
    /// Any lanes.
    Lanes(&'a Addresses),
}

impl Reach<'_> {
    /// The address of a lane.
    pub(crate) fn address(self, lane: usize) -> u64 {
        match self {
            Self::Row { row, .. } => row.lane(lane),
            Self::Lanes(addresses) => addresses.lanes[lane],
        }
    }

    /// The lanes whose dword of this number is inside the limits.
    pub(crate) fn inside(self, dword: usize) -> u64 {
        match self {
            Self::Row { .. } => u64::MAX,
            Self::Lanes(addresses) => addresses.inside[dword],
        }
    }
}

impl From<Row> for Addresses {
    fn from(row: Row) -> Self {
        Self { lanes: row.lanes(), inside: [u64::MAX; MOST_DWORDS], distance: 4 }
    }
}

/// Addresses of all lanes.
#[derive(Debug, Clone)]
pub(crate) struct Addresses {
    /// Address of each lane's first byte.
    pub lanes: [u64; LANES],
    /// Lanes that are inside the limits, by dword; a load from outside gives 0, a store to outside does nothing.
    pub inside: [u64; MOST_DWORDS],
    /// Distance of a lane's dwords in bytes.
    pub distance: u64,
}

/// A memory that lanes reach.
pub(crate) trait Words {
    /// The dword that holds the byte at `address`.
    ///
    /// # Errors
    /// It does not exist.
    fn word(&mut self, address: u64) -> Result<&mut Word, Problem>;

    /// All dwords that lie together with the one at `address`, and the address of the first.
    fn neighbours(&mut self, address: u64) -> Option<(u64, &mut [Word])>;
}

/// The lanes of a mask.
pub(crate) fn active(mut mask: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lane
        })
    })
}
