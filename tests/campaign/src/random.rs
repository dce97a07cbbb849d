//! Random numbers that are the same everywhere: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed, which has nothing to do with that of any other.
    pub fn new(seed: u64) -> Self {
        Self(Self(seed).next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A whole number in `low..=high`.
    pub fn whole(&mut self, low: u32, high: u32) -> u32 {
        low + (self.next() % u64::from(high - low + 1)) as u32
    }

    /// A number in `low..high`, with four decimals.
    pub fn share(&mut self, low: f64, high: f64) -> f64 {
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        ((low + share * (high - low)) * 1e4).round() / 1e4
    }

    /// Whether something of this probability happens.
    pub fn happens(&mut self, probability: f64) -> bool {
        self.share(0.0, 1.0) < probability
    }

    /// A random element; there is at least one.
    pub fn one_of<T: Copy>(&mut self, several: &[T]) -> T {
        several[(self.next() % several.len() as u64) as usize]
    }
}
