//! A wave's scalar registers. Each bit is known or unknown.

use crate::state::bits::Bits;

/// Scalar code of the low half of VCC.
pub(crate) const VCC: u8 = 106;
/// Scalar code of M0.
pub(crate) const M0: u8 = 124;
/// Scalar code of the low half of EXEC.
pub(crate) const EXEC: u8 = 126;

/// The place of results for a register that discards them (NULL). Two registers, after the codes of all others.
pub(crate) const NOWHERE: u8 = 128;
/// FLAT_SCRATCH, where it is no SGPR.
pub(crate) const FLAT_SCRATCH: u8 = 144;
/// Registers in all: a tuple that goes nowhere has up to 16 of them.
const SCALARS: usize = 146;

/// The scalar registers by their operand code 0..=127: SGPRs, VCC (106), M0 (124), EXEC (126); then those without a code.
///
/// Each bit is known or unknown: compilers combine masks of which only the lanes of EXEC ever got a value.
#[derive(Debug, Clone)]
pub(crate) struct ScalarRegisters {
    values: [u32; SCALARS],
    known: [u32; SCALARS],
    /// A load for the register is under way, and nothing was written there since.
    expected: [bool; SCALARS],
    /// A register became unknown since the wave's last look.
    has_lost: bool,
}

impl Default for ScalarRegisters {
    fn default() -> Self {
        Self { values: [0; SCALARS], known: [0; SCALARS], expected: [false; SCALARS], has_lost: false }
    }
}

impl ScalarRegisters {
    /// The value, or `None` unless all of it is known.
    pub(crate) fn read(&self, code: u8) -> Option<u32> {
        (self.known[code as usize] == u32::MAX).then(|| self.values[code as usize])
    }

    /// The pair starting at `code`.
    pub(crate) fn read64(&self, code: u8) -> Option<u64> {
        Some(u64::from(self.read(code)?) | u64::from(self.read(code + 1)?) << 32)
    }

    /// The known bits of a register; the high half counts as known.
    pub(crate) fn bits(&self, code: u8) -> Bits {
        let (value, known) = (self.values[code as usize], self.known[code as usize]);
        Bits { value: u64::from(value & known), known: u64::from(known) | u64::MAX << 32 }
    }

    /// The known bits of the pair starting at `code`.
    pub(crate) fn bits64(&self, code: u8) -> Bits {
        let (low, high) = (self.bits(code), self.bits(code + 1));
        Bits { value: low.value | high.value << 32, known: low.known & 0xffff_ffff | high.known << 32 }
    }

    /// Sets the value; `None` makes it unknown.
    pub(crate) fn write(&mut self, code: u8, value: Option<u32>) {
        self.expected[code as usize] = false;
        match value {
            Some(value) => {
                self.values[code as usize] = value;
                self.known[code as usize] = u32::MAX;
            }
            None => {
                self.known[code as usize] = 0;
                self.has_lost = true;
            }
        }
    }

    /// Sets the pair starting at `code`.
    pub(crate) fn write64(&mut self, code: u8, value: Option<u64>) {
        self.write(code, value.map(|value| value as u32));
        self.write(code + 1, value.map(|value| (value >> 32) as u32));
    }

    /// Sets the known bits of a register.
    pub(crate) fn write_bits(&mut self, code: u8, bits: Bits) {
        self.expected[code as usize] = false;
        self.values[code as usize] = bits.value as u32;
        self.known[code as usize] = bits.known as u32;
        self.has_lost |= bits.known as u32 != u32::MAX;
    }

    /// Sets the known bits of the pair starting at `code`.
    pub(crate) fn write_bits64(&mut self, code: u8, bits: Bits) {
        self.write_bits(code, bits);
        self.write_bits(code + 1, Bits { value: bits.value >> 32, known: bits.known >> 32 });
    }

    /// Whether a register became unknown since the last look.
    pub(crate) fn take_lost(&mut self) -> bool {
        std::mem::take(&mut self.has_lost)
    }

    /// Makes all registers of the mask unknown.
    pub(crate) fn clobber(&mut self, mut mask: u128) {
        while mask != 0 {
            self.write(mask.trailing_zeros() as u8, None);
            mask &= mask - 1;
        }
    }

    /// Makes a register unknown until [`ScalarRegisters::arrive`].
    pub(crate) fn expect(&mut self, code: u8) {
        self.write(code, None);
        self.expected[code as usize] = true;
    }

    /// A load's data have arrived. Where something was written since, the two have raced and the value is unknown.
    pub(crate) fn arrive(&mut self, code: u8, value: Option<u32>) {
        let is_expected = self.expected[code as usize];
        self.write(code, value.filter(|_| is_expected));
        // Another load for the same register may arrive at the same time, and counts.
        self.expected[code as usize] = is_expected;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scalar_that_was_written_while_its_load_was_under_way_is_unknown() {
        for (written, between) in [(None, true), (Some(9), true), (None, false)] {
            let mut scalars = ScalarRegisters::default();
            scalars.expect(4);
            if between {
                scalars.write(4, written);
            }
            scalars.arrive(4, Some(7));
            assert_eq!(scalars.read(4), (!between).then_some(7));
        }
    }
}
