//! A range of bits in a word.

use serde::Deserialize;

/// Bits of a word or of an instruction's words, from `low` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BitRange {
    /// The lowest bit.
    pub low: u8,
    /// How many there are, 32 at most.
    pub width: u8,
}

impl BitRange {
    /// The largest value that they hold.
    pub const fn most(self) -> u32 {
        if self.width >= 32 { u32::MAX } else { (1 << self.width) - 1 }
    }

    /// Their value in a word.
    pub const fn of(self, word: u32) -> u32 {
        word >> self.low & self.most()
    }

    /// Their value in three words, where the bits of the second one count from 32 on and those of the third from 64 on. None are in both
    /// the second and the third.
    pub const fn of_words(self, words: [u32; 3]) -> u32 {
        let pair = if self.low < 64 { words[0] as u64 | (words[1] as u64) << 32 } else { words[2] as u64 };
        (pair >> (self.low & 63)) as u32 & self.most()
    }

    /// A value at its place in a word; what does not fit is cut off.
    pub const fn place(self, value: u32) -> u32 {
        (value & self.most()) << self.low
    }

    /// The same in three words.
    pub const fn place_in_words(self, value: u32) -> [u32; 3] {
        let pair = ((value & self.most()) as u64) << (self.low & 63);
        if self.low < 64 { [pair as u32, (pair >> 32) as u32, 0] } else { [0, 0, pair as u32] }
    }

    /// Whether the two have a bit in common.
    pub const fn overlaps(self, other: Self) -> bool {
        self.low < other.low + other.width && other.low < self.low + self.width
    }
}

/// The value of a number whose bits are in several places, lowest first.
pub(super) fn joined(places: &[BitRange], word: u32) -> u32 {
    let mut shift = 0;
    places.iter().fold(0, |value, place| {
        let value = value | place.of(word) << shift;
        shift += u32::from(place.width);
        value
    })
}

/// A number at its places; what does not fit is cut off.
pub(super) fn split(places: &[BitRange], value: u32) -> u32 {
    let mut shift = 0;
    places.iter().fold(0, |word, place| {
        let word = word | place.place(value >> shift);
        shift += u32::from(place.width);
        word
    })
}
