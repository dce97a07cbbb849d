//! A dword of memory, of which each bit is known or unknown.

/// A dword of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Word {
    /// The value; where bits are unknown they mean nothing, except in [`Word::unknown`].
    value: u32,
    /// The bits that are known.
    known: u32,
}

impl Word {
    /// A dword that is known.
    pub(crate) const fn known(value: u32) -> Self {
        Self { value, known: u32::MAX }
    }

    /// A dword of which nothing is known; `writer` is the address of the instruction that wrote it, 0 for none.
    pub(crate) const fn unknown(writer: u32) -> Self {
        Self { value: writer, known: 0 }
    }

    /// A value of which some bits are known, or the unknown one that `writer` wrote.
    pub(crate) fn of_bits(value: u32, known: u32, writer: u32) -> Self {
        if known == 0 { Self::unknown(writer) } else { Self { value, known } }
    }

    /// A known value, or the unknown one that `writer` wrote.
    pub(crate) fn written(value: Option<u32>, writer: u32) -> Self {
        value.map_or(Self::unknown(writer), Self::known)
    }

    /// The value, if all of it is known.
    pub(crate) fn value(self) -> Option<u32> {
        (self.known == u32::MAX).then_some(self.value)
    }

    /// The value, and the bits of it that are known: the others mean nothing.
    pub(crate) fn bits(self) -> (u32, u32) {
        (self.value, self.known)
    }

    /// The instruction that wrote it, if nothing of it is known.
    pub(crate) fn writer(self) -> Option<u32> {
        (self.known == 0 && self.value != 0).then_some(self.value)
    }

    /// `bits` bits from bit `shift` on, if they are known.
    pub(crate) fn part(self, shift: u32, bits: u32) -> Option<u32> {
        let mask = (1 << bits) - 1;
        (self.known >> shift & mask == mask).then_some(self.value >> shift & mask)
    }

    /// Replaces `bits` bits from bit `shift` on.
    pub(crate) fn set_part(&mut self, shift: u32, bits: u32, value: Option<u32>) {
        let mask = ((1 << bits) - 1) << shift;
        match value {
            Some(value) => {
                self.value = self.value & !mask | value << shift & mask;
                self.known |= mask;
            }
            None => self.known &= !mask,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_known_by_themselves() {
        let mut word = Word::unknown(0x40);
        assert_eq!((word.value(), word.writer()), (None, Some(0x40)));
        word.set_part(8, 8, Some(0xab));
        assert_eq!((word.value(), word.writer(), word.part(8, 8), word.part(0, 16)), (None, None, Some(0xab), None));
        word.set_part(0, 8, Some(0x1cd));
        word.set_part(16, 16, Some(0x1234));
        assert_eq!(word.value(), Some(0x1234_abcd));
        word.set_part(24, 8, None);
        assert_eq!((word.value(), word.part(0, 16)), (None, Some(0xabcd)));
    }
}
