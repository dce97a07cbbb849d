//! Repeatable random words.

/// A xorshift64* generator (Vigna 2016).
pub(crate) struct Noise(u64);

impl Noise {
    pub(crate) fn new(seed: u32) -> Self {
        Self(u64::from(seed) << 8 | 1)
    }

    pub(crate) fn word(&mut self) -> u32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32) as u32
    }

    /// A word with one bit in eight set.
    pub(crate) fn few_bits(&mut self) -> u32 {
        self.word() & self.word() & self.word()
    }
}
