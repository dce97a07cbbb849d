//! Bits of a word.

/// Bits `low + width - 1` to `low` of a word.
pub(super) const fn bits(word: u32, low: u32, width: u32) -> u32 {
    (word >> low) & ((1 << width) - 1)
}

/// Bit `n` of a word.
pub(super) const fn bit(word: u32, n: u32) -> bool {
    bits(word, n, 1) == 1
}
