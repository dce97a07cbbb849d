//! Readings of clocks that are kept, so that a launch can be told as if it had been at another time.

use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

/// The numbers that stand for readings: the first for the low half of the first one, the next for its high half. As floats all of them are not a
/// number, with payloads that no instruction makes.
pub(crate) const NUMBERS: RangeInclusive<u32> = 0x7fc1_0c00..=0x7fff_ffff;

/// A part of a cycle counter in a hardware register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CounterPart {
    /// Bits of the counter.
    pub bits: u32,
    /// Dwords of it below the register.
    pub below: u32,
    /// First bit of the register that is read, and the number of bits.
    pub field: (u32, u32),
}

impl CounterPart {
    /// The part of a counter that shows this.
    pub(crate) fn of(self, counter: u64) -> u32 {
        let (offset, size) = self.field;
        (counter >> (u32::BITS * self.below)) as u32 >> offset & u32::MAX >> (u32::BITS - size)
    }
}

/// A reading: of which clock, at which cycle of the launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// S_MEMTIME.
    Cycles(u64),
    /// S_MEMREALTIME, and the message that asks for it.
    RealTime(u64),
    /// S_GETREG_B32.
    Counter(CounterPart, u64),
}

/// Readings in the order in which they were made.
#[derive(Debug, Default)]
pub(crate) struct Readings(Mutex<Vec<Reading>>);

impl Readings {
    /// Keeps a reading and gives the two numbers that stand for its halves.
    pub(crate) fn keep(&self, reading: Reading) -> u64 {
        // A reading is there or not, whatever became of the thread that kept it.
        let mut readings = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        readings.push(reading);
        let low = NUMBERS.start().wrapping_add(2 * (readings.len() as u32 - 1));
        u64::from(low) | u64::from(low.wrapping_add(1)) << u32::BITS
    }

    /// The readings.
    pub(crate) fn into_list(self) -> Vec<Reading> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reading that a number stands for, and whether its high half is meant.
pub(crate) fn numbered(readings: &[Reading], number: u32) -> Option<(Reading, bool)> {
    let place = number.checked_sub(*NUMBERS.start())?;
    Some((*readings.get(place as usize / 2)?, place % 2 == 1))
}
