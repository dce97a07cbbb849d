//! A generator of numbers: the same ones on every machine.

/// A linear congruential generator (D. E. Knuth, MMIX): the tests need no more, and no crate that may change its numbers.
pub(crate) struct Lcg(u64);

impl Lcg {
    pub(crate) fn new(seed: u64) -> Self {
        let mut lcg = Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x2545_F491_4F6C_DD1D);
        lcg.next();
        lcg
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// A whole number below `end`.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        (self.next() * end) >> 31
    }

    /// True at the given rate.
    pub(crate) fn chance(&mut self, rate: f64) -> bool {
        (self.next() as f64) < rate * (1u64 << 31) as f64
    }
}
