//! Bits of which some are known. Unknown ones are never read as a number.

/// Some bits, of which some are known; the others are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Bits {
    /// The bits.
    pub value: u64,
    /// Those that are known.
    pub known: u64,
}

impl Bits {
    /// All of them known, or none.
    pub(crate) fn of(value: Option<u64>) -> Self {
        value.map_or(Self::default(), |value| Self { value, known: u64::MAX })
    }

    /// Whether all of them are known.
    pub(crate) fn is_whole(self) -> bool {
        self.known == u64::MAX
    }

    /// Whether all of them are 0: one that is known not to be decides it.
    pub(crate) fn is_zero(self) -> Option<bool> {
        match self.value & self.known {
            0 => (self.known == u64::MAX).then_some(true),
            _ => Some(false),
        }
    }
}
