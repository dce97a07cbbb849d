//! Loads that come back from vector memory: how many bytes a SIMD and a compute unit take in a cycle.
//!
//! Thread traces of RDNA 3 and 4 show loads of one wave that come back 16 cycles apart, whichever else the processor does, and sixteen waves
//! that get less than that each (`docs/silicon.md`).

use crate::cost::issue_model::{IssueModel, MOST_SIMDS, MOST_UNITS};
use crate::cost::unit::Reservation;

/// Until when loads come back.
#[derive(Debug)]
pub(super) struct Returns {
    /// Bytes in a cycle of a SIMD and of a compute unit; 0: no limit.
    bytes: [f64; 2],
    simds: [u64; MOST_SIMDS],
    /// In parts of a cycle.
    units: [u64; MOST_UNITS],
}

/// Parts of a cycle that the time of a unit is counted in.
const PARTS: u64 = 64;

impl Returns {
    /// None under way.
    pub(super) fn new(bytes: [f64; 2]) -> Self {
        Self { bytes, simds: [0; MOST_SIMDS], units: [0; MOST_UNITS] }
    }

    /// The cycle of the last byte of a load to a SIMD, which alone would be `done`.
    pub(super) fn take(&mut self, simd: usize, bytes: u32, done: u64, issue: &IssueModel) -> u64 {
        let unit = issue.place(simd as u32).0 as usize;
        let parts = |rate: f64| if rate > 0.0 { (PARTS as f64 * f64::from(bytes) / rate) as u64 } else { 0 };
        let [of_simd, of_unit] = self.bytes.map(parts);
        // Its way through the unit begins when the unit is free, and not before its bytes come.
        let begins = self.units[unit].max((PARTS * done).saturating_sub(of_simd.max(of_unit)));
        self.units[unit] = begins + of_unit;
        let done = done.max(self.simds[simd] + of_simd / PARTS).max(self.units[unit].div_ceil(PARTS));
        self.simds[simd] = done;
        done
    }
}

/// The share of the compute unit's way back that a load of these bytes takes.
pub(crate) fn unit_time(bytes: u32, rate: f64) -> Reservation {
    if rate > 0.0 { Reservation::of_cycles(f64::from(bytes) / rate) } else { Reservation::NONE }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gcn_model::gpu::Gpu;

    #[test]
    fn loads_of_a_simd_come_one_after_the_other_and_those_of_two_share_their_unit() {
        let issue = IssueModel::of(&Gpu::named("rx6800").unwrap());
        let mut returns = Returns::new([32.0, 40.0]);
        let times = [(0, 500), (0, 501), (1, 502), (0, 503), (1, 900)];
        let done = times.map(|(simd, done)| returns.take(simd, 512, done, &issue));
        assert_eq!(done, [500, 516, 523, 536, 900]);
        let mut none = Returns::new([0.0; 2]);
        assert_eq!(times.map(|(simd, done)| none.take(simd, 512, done, &issue)), [500, 501, 502, 503, 900]);
    }
}
