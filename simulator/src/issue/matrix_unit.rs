//! The matrix unit of a SIMD, next to its vector ALU.
//!
//! A matrix instruction goes through the port of the vector ALU and holds that for its gap; the matrix unit it holds for all its passes.
//! What has to wait for the matrix unit (the next matrix instruction, a vector instruction that does not overlap with it) wants both.

use crate::cost::unit::{Availability, Reservation};

/// When the matrix unit of a SIMD is free.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct MatrixUnit(Availability);

impl MatrixUnit {
    /// Occupies it from `cycle` on; a hold of no time, of an instruction that only waits for it, leaves it as it is.
    pub(super) fn occupy(&mut self, cycle: u64, hold: Reservation) {
        if hold != Reservation::NONE {
            self.0.occupy(cycle, hold);
        }
    }

    /// First cycle at which it takes an instruction, if the vector ALU does from `vector` on.
    pub(super) fn port(self, vector: u64) -> u64 {
        vector.max(self.0.free)
    }
}
