//! Addresses that are the same distance apart from lane to lane: what nearly all kernels have.
//!
//! Such a row is known from its first address and its step, so that limits, alignment and place are looked at once for
//! all lanes, not once for each.

use crate::state::vector_registers::LANES;

/// The addresses of all lanes of a wave: the first one, and what each further lane adds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Row {
    /// Address of lane 0.
    pub first: u64,
    /// Bytes from one lane to the next; may be negative.
    pub step: i64,
}

impl Row {
    /// The same number in all lanes.
    pub(crate) const fn same(first: u64) -> Self {
        Self { first, step: 0 }
    }

    /// The numbers in the first `N` lanes of a register, if they make a row in which none wraps around.
    pub(crate) fn of<const N: usize>(values: &[u32; N]) -> Option<Self> {
        let step = values[1].wrapping_sub(values[0]);
        // An irregular address is mostly found out at the end.
        if values[N - 1] != values[0].wrapping_add(step.wrapping_mul(N as u32 - 1)) {
            return None;
        }
        let wrong = values.windows(2).fold(0, |wrong, pair| wrong | pair[1].wrapping_sub(pair[0]) ^ step);
        let row = Self { first: u64::from(values[0]), step: i64::from(values[1]) - i64::from(values[0]) };
        let last = row.first.checked_add_signed(row.step * (N as i64 - 1))?;
        (wrong == 0 && last <= u64::from(u32::MAX)).then_some(row)
    }

    /// The sum of two rows.
    pub(crate) fn plus(self, other: Self) -> Self {
        Self { first: self.first.wrapping_add(other.first), step: self.step.wrapping_add(other.step) }
    }

    /// Each number repeated.
    pub(crate) fn times(self, factor: u64) -> Self {
        Self { first: self.first.wrapping_mul(factor), step: self.step.wrapping_mul(factor as i64) }
    }

    /// The address of a lane.
    pub(crate) fn lane(self, lane: usize) -> u64 {
        self.first.wrapping_add_signed(self.step.wrapping_mul(lane as i64))
    }

    /// The addresses of 64 lanes.
    pub(crate) fn lanes(self) -> [u64; LANES] {
        std::array::from_fn(|lane| self.lane(lane))
    }

    /// The lowest address of that many lanes and the end after the highest one, where `bytes` are reached at each; `None` if that wraps
    /// around.
    pub(crate) fn extent(self, lanes: usize, bytes: u64) -> Option<(u64, u64)> {
        let last = self.first.checked_add_signed(self.step.checked_mul(lanes as i64 - 1)?)?;
        Some((self.first.min(last), self.first.max(last).checked_add(bytes)?))
    }

    /// Whether each address is a multiple of `bytes`, a power of two.
    pub(crate) fn is_aligned(self, bytes: u64) -> bool {
        (self.first | self.step as u64) & (bytes - 1) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_one_step_and_does_not_wrap_around() {
        let of = |value: &dyn Fn(u32) -> u32| Row::of::<LANES>(&std::array::from_fn(|lane| value(lane as u32)));
        assert_eq!(of(&|lane| 100 + 8 * lane), Some(Row { first: 100, step: 8 }));
        assert_eq!(of(&|lane| 1000 - 4 * lane), Some(Row { first: 1000, step: -4 }));
        assert_eq!(of(&|_| 7), Some(Row::same(7)));
        assert_eq!(of(&|lane| 8 * (lane ^ 1)), None);
        assert_eq!(of(&|lane| if lane == 63 { 0 } else { 8 * lane }), None);
        assert_eq!(of(&|lane| (u32::MAX - 15).wrapping_add(4 * lane)), None);
        assert_eq!(of(&|lane| 15_u32.wrapping_sub(4 * lane)), None);
    }

    #[test]
    fn the_extent_covers_all_lanes() {
        let up = Row { first: 100, step: 8 };
        assert_eq!((up.extent(LANES, 4), up.lane(63)), (Some((100, 608)), 604));
        assert_eq!(up.extent(32, 4), Some((100, 352)));
        let down = Row { first: 604, step: -8 };
        assert_eq!((down.extent(LANES, 4), down.lanes()[63]), (Some((100, 608)), 100));
        assert_eq!(Row { first: 8, step: -8 }.extent(LANES, 4), None);
        assert_eq!(Row::same(u64::MAX).extent(LANES, 4), None);
        assert!(up.is_aligned(4) && !up.is_aligned(8) && down.is_aligned(4));
        assert!(!Row { first: 0, step: 2 }.is_aligned(4));
    }
}
