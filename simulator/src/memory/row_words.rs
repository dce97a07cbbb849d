//! The words that a row of addresses reaches.

use crate::memory::element::{Half, extended};
use crate::memory::reach::Words;
use crate::memory::word::Word;
use crate::state::row::Row;
use crate::state::vector_registers::LANES;

/// A row of `N` addresses in the words that hold all of it.
pub(super) struct RowWords<'a, const N: usize> {
    words: &'a mut [Word],
    /// Bytes from the first word to lane 0.
    offset: u64,
    /// Bytes from one lane to the next.
    pub(super) step: i64,
}

impl<'a, const N: usize> RowWords<'a, N> {
    /// The mask of all lanes.
    const ALL: u64 = u64::MAX >> (LANES - N);

    /// Where a row lies at each of whose addresses `length` bytes are reached; `None` if it is not all in one allocation.
    pub(super) fn of(row: Row, length: u64, memory: &'a mut impl Words) -> Option<Self> {
        let (lowest, end) = row.extent(N, length)?;
        let (base, words) = memory.neighbours(lowest)?;
        // The words of an allocation begin at its base, which is a multiple of four.
        let words = words.get_mut(((lowest - base) / 4) as usize..(end - base).div_ceil(4) as usize)?;
        Some(Self { words, offset: row.first - (lowest & !3), step: row.step })
    }

    /// The index of the word of a lane, and the bit of it at which its address begins.
    #[inline]
    fn word_and_bit(&self, lane: usize) -> (usize, u32) {
        let byte = self.offset.wrapping_add_signed(self.step * lane as i64);
        ((byte / 4) as usize, (byte & 3) as u32 * 8)
    }

    /// The index of the word `further` bytes after lane 0's, and the words from each lane to the next.
    fn stride(&self, further: u64) -> (usize, isize) {
        (((self.offset + further) / 4) as usize, (self.step / 4) as isize)
    }

    /// The dword `further` bytes after the address of each lane, and the mask of the known ones; `None` where a part of one is known.
    pub(super) fn load(&self, target: &mut [u32; N], further: u64) -> Option<u64> {
        let (first, stride) = self.stride(further);
        let words = &self.words[..];
        // Element sizes as constants let the compiler leave out the look at each index, and take several words at once.
        match stride {
            1 => gather(target, strided::<N, 1>(words, first)),
            2 => gather(target, strided::<N, 2>(words, first)),
            4 => gather(target, strided::<N, 4>(words, first)),
            _ => gather(target, |lane| words[first.wrapping_add_signed(stride * lane as isize)]),
        }
    }

    /// Stores a register `further` bytes after the address of each lane.
    pub(super) fn store(&mut self, (values, known): (&[u32; N], u64), further: u64, writer: u32) {
        let (first, stride) = self.stride(further);
        let known = if known & Self::ALL == Self::ALL { u64::MAX } else { known & Self::ALL };
        let value = |lane: usize| match known {
            u64::MAX => Word::known(values[lane]),
            0 => Word::unknown(writer),
            _ => Word::written((known >> lane & 1 == 1).then_some(values[lane]), writer),
        };
        match stride {
            1 => {
                let words = &mut self.words[first..first + N];
                match known {
                    u64::MAX => words.iter_mut().zip(values).for_each(|(word, value)| *word = Word::known(*value)),
                    0 => words.fill(Word::unknown(writer)),
                    _ => words.iter_mut().enumerate().for_each(|(lane, word)| *word = value(lane)),
                }
            }
            _ => {
                for lane in 0..N {
                    self.words[first.wrapping_add_signed(stride * lane as isize)] = value(lane);
                }
            }
        }
    }

    /// Loads bytes or shorts, and gives the mask of the known ones; `None` where some bits of one are known.
    pub(super) fn load_part(&self, target: &mut [u32; N], (bits, signed, half): (u32, bool, Half)) -> Option<u64> {
        let (mut lanes, all) = (0, (1 << bits) - 1);
        for (lane, target) in target.iter_mut().enumerate() {
            let (word, bit) = self.word_and_bit(lane);
            let (value, known) = self.words[word].bits();
            match known >> bit & all {
                0 => {}
                known if known == all => {
                    *target = half.filled(*target, extended(value >> bit & all, bits, signed));
                    lanes |= 1 << lane;
                }
                _ => return None,
            }
        }
        Some(lanes)
    }

    /// Stores bytes or shorts.
    pub(super) fn store_part(&mut self, (values, known): (&[u32; N], u64), bits: u32, half: Half) {
        let from = if half == Half::High { 16 } else { 0 };
        for (lane, value) in values.iter().enumerate() {
            let (word, bit) = self.word_and_bit(lane);
            let value = (known >> lane & 1 == 1).then_some(value >> from);
            self.words[word].set_part(bit, bits, value);
        }
    }
}

/// The word of each lane, `STRIDE` words apart.
#[inline]
fn strided<const N: usize, const STRIDE: usize>(words: &[Word], first: usize) -> impl Fn(usize) -> Word {
    let words = &words[first..first + STRIDE * (N - 1) + 1];
    move |lane| words[lane * STRIDE]
}

/// The values of all lanes' words, and the mask of the known ones; `None` where a part of one is known.
#[inline]
pub(crate) fn gather<const N: usize>(target: &mut [u32; N], word: impl Fn(usize) -> Word) -> Option<u64> {
    let (mut in_all, mut in_any) = (u32::MAX, 0);
    for (lane, target) in target.iter_mut().enumerate() {
        let (value, known) = word(lane).bits();
        *target = value;
        in_all &= known;
        in_any |= known;
    }
    match (in_all, in_any) {
        (u32::MAX, _) => Some(u64::MAX >> (LANES - N)),
        (_, 0) => Some(0),
        _ => (0..N).try_fold(0, |lanes, lane| match word(lane).bits().1 {
            0 => Some(lanes),
            u32::MAX => Some(lanes | 1 << lane),
            _ => None,
        }),
    }
}
