//! Transfers along a row of addresses: the same as lane by lane, without a look at each lane's address.

use crate::lower::operation::Width;
use crate::memory::atomic::Atomic;
use crate::memory::element::{Element, Half, Transfer, TransferRegisters};
use crate::memory::reach::Words;
use crate::memory::row_words::RowWords;
use crate::state::loaded::Loaded;
use crate::state::row::Row;
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::{LANES, VectorRegisters};

/// How a transfer goes along a row.
#[derive(Clone, Copy)]
pub(crate) struct Along {
    /// The addresses.
    pub row: Row,
    /// Distance of a lane's dwords in bytes.
    pub distance: u64,
    /// Address of the instruction.
    pub instruction: u32,
}

impl Transfer {
    /// Moves what all `N` lanes of a wave move and says which lanes of each register are known. `None`, and memory is as before, if
    /// an address is not aligned or a part alone of a dword is known, which is done lane by lane, or the row is not inside one allocation.
    pub(crate) fn execute_along<const N: usize>(
        self,
        vectors: &mut VectorRegisters,
        registers: TransferRegisters,
        along: Along,
        memory: &mut impl Words,
    ) -> Option<Loaded> {
        let bytes = u64::from(self.bytes());
        let is_partly_known = |dword: u8| vectors.is_partly_known(registers.data + u16::from(dword));
        let has_parts = match self {
            Self::Store(Element::Dwords(dwords), _) => (0..dwords).any(is_partly_known),
            _ => false,
        };
        if has_parts || !along.row.is_aligned(bytes.min(4)) {
            return None;
        }
        let length = bytes.min(4) + along.distance * (bytes.div_ceil(4) - 1);
        let mut place = RowWords::<N>::of(along.row, length, memory)?;
        let mut loaded = Loaded::default();
        match (self, registers.result) {
            (Self::Load(Element::Dwords(dwords), _), Some(result)) => {
                for (dword, known) in (0..dwords).zip(&mut loaded.lanes) {
                    let target = vectors.lanes_mut(result + u16::from(dword)).first_chunk_mut()?;
                    *known = place.load(target, along.distance * u64::from(dword))?;
                }
            }
            (Self::Load(Element::Part { bits, signed }, half), Some(result)) => {
                loaded.lanes[0] =
                    place.load_part(vectors.lanes_mut(result).first_chunk_mut()?, (bits, signed, half))?;
            }
            (Self::Load(..), None) => {}
            (Self::Store(Element::Dwords(dwords), _), _) => {
                for dword in 0..dwords {
                    let (values, known) = vectors.read(registers.data + u16::from(dword));
                    place.store((values.first_chunk()?, known), along.distance * u64::from(dword), along.instruction);
                }
            }
            (Self::Store(Element::Part { bits, .. }, half), _) => {
                let from = if half == Half::High { 16 } else { 0 };
                let is_known = vectors.known_where(registers.data, ((1 << bits) - 1) << from);
                place.store_part((vectors.read(registers.data).0.first_chunk()?, is_known), bits, half);
            }
            (Self::Atomic(atomic, width), _) => {
                return apply_along((atomic, width), vectors, registers, along, &mut place);
            }
        }
        Some(loaded)
    }
}

/// Applies an atomic in all lanes at once; `None` where lanes may meet.
fn apply_along<const N: usize>(
    (atomic, width): (Atomic, Width),
    vectors: &mut VectorRegisters,
    registers: TransferRegisters,
    along: Along,
    place: &mut RowWords<'_, N>,
) -> Option<Loaded> {
    let (result, mut loaded) = (registers.result, Loaded::default());
    let dwords = width.dwords();
    if place.step.unsigned_abs() < u64::from(4 * width.dwords()) || along.distance != 4 {
        // Lanes may meet in a dword: they take their turns.
        return None;
    }
    let offsets = (0..).map(|dword| along.distance * dword).take(dwords as usize);
    let mut old = [[0; LANES]; 2];
    let mut old_known = u64::MAX;
    for (further, old) in offsets.clone().zip(&mut old) {
        old_known &= place.load(old.first_chunk_mut()?, further)?;
    }
    let old_values = join([&old[0], &old[1]]);
    let (data, data_known) = operand(vectors, registers.data, width);
    let (second, second_known) = match atomic.has_second() {
        true => operand(vectors, registers.second, width),
        false => ([0; LANES], u64::MAX),
    };
    // The swapped-in value does not depend on the old one.
    let memory_known = if atomic == Atomic::Swap { u64::MAX } else { old_known };
    // It may be unknown in some lanes only, such as those with a NaN.
    let new = atomic.apply_to_all(width, &old_values, &data, &second)?;
    let new_known = memory_known & data_known & second_known;
    for (dword, further) in offsets.enumerate() {
        let values = std::array::from_fn(|lane| (new[lane] >> (32 * dword)) as u32);
        place.store((&values, new_known), further, along.instruction);
    }
    if let Some(result) = result {
        for dword in 0..dwords {
            vectors.lanes_mut(result + u16::from(dword))[..N].copy_from_slice(&old[dword as usize][..N]);
            loaded.lanes[dword as usize] = old_known;
        }
    }
    Some(loaded)
}

/// Two registers as values of 64 bits.
fn join([low, high]: [&[u32; LANES]; 2]) -> [u64; LANES] {
    std::array::from_fn(|lane| u64::from(low[lane]) | u64::from(high[lane]) << 32)
}

/// An operand in one register or two, and the lanes in which all of it is known.
fn operand(vectors: &VectorRegisters, register: VectorNumber, width: Width) -> ([u64; LANES], u64) {
    let (low, known) = vectors.read(register);
    match width {
        Width::Dword => (low.map(u64::from), known),
        Width::Two => {
            let (high, high_known) = vectors.read(register + 1);
            (join([low, high]), known & high_known)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::memory::global::Memory;
    use crate::memory::reach::{Addresses, Reach};
    use crate::memory::word::Word;
    use crate::state::bits::Bits;

    /// The instructions that have names of their own in global memory; LDS has the same and three more functions.
    const TRANSFERS: [&str; 18] = [
        "LOAD_UBYTE",
        "LOAD_SBYTE_D16_HI",
        "LOAD_SSHORT",
        "LOAD_SHORT_D16",
        "LOAD_DWORD",
        "LOAD_DWORDX2",
        "LOAD_DWORDX3",
        "LOAD_DWORDX4",
        "STORE_BYTE",
        "STORE_SHORT_D16_HI",
        "STORE_DWORD",
        "STORE_DWORDX2",
        "STORE_DWORDX3",
        "STORE_DWORDX4",
        "ATOMIC_ADD",
        "ATOMIC_SWAP_X2",
        "ATOMIC_CMPSWAP",
        "ATOMIC_FMIN_X2",
    ];
    const FUNCTIONS: [Atomic; 24] = [
        Atomic::Add,
        Atomic::Subtract,
        Atomic::SubtractToZero,
        Atomic::SubtractIfLarger,
        Atomic::ReverseSubtract,
        Atomic::Increment,
        Atomic::Decrement,
        Atomic::MinimumSigned,
        Atomic::MaximumSigned,
        Atomic::MinimumUnsigned,
        Atomic::MaximumUnsigned,
        Atomic::And,
        Atomic::Or,
        Atomic::Xor,
        Atomic::MaskOr,
        Atomic::Swap,
        Atomic::CompareSwap,
        Atomic::Wrap,
        Atomic::MinimumFloat,
        Atomic::MaximumFloat,
        Atomic::CompareSwapFloat,
        Atomic::AddFloat,
        Atomic::AddHalves,
        Atomic::AddBrainFloats,
    ];
    const WORDS: u64 = 2048;

    fn transfers() -> impl Strategy<Value = Transfer> {
        prop_oneof![
            prop::sample::select(&TRANSFERS[..]).prop_map(|name| Transfer::of_global(name).unwrap()),
            (prop::sample::select(&FUNCTIONS[..]), prop::sample::select(&[Width::Dword, Width::Two][..]))
                .prop_map(|(atomic, width)| Transfer::Atomic(atomic, width)),
        ]
    }

    /// Masks that are full, empty or neither.
    fn masks() -> impl Strategy<Value = u64> {
        prop_oneof![3 => Just(u64::MAX), 1 => Just(0), 1 => any::<u64>()]
    }

    /// Small numbers, so that comparisons have both results, large ones, and NaNs of each type.
    fn values() -> impl Strategy<Value = u32> {
        prop_oneof![16 => 0..4_u32, 16 => any::<u32>(), 1 => Just(0x7ff8_7ff8)]
    }

    /// Memory of known, unknown and partly known words, and registers.
    fn states() -> impl Strategy<Value = (Memory, u64, VectorRegisters)> {
        let words = prop::collection::vec((values(), 0..4_u8), WORDS as usize);
        let words = (words, masks()).prop_map(|(words, known)| {
            let word = |(lane, (value, kind)): (usize, &(u32, u8))| match kind {
                _ if known >> (lane % LANES) & 1 == 1 => Word::known(*value),
                0 => Word::unknown(*value),
                1 => Word::known(*value),
                _ => {
                    let mut word = Word::unknown(0);
                    word.set_part(16 * (*kind as u32 & 1), 16, Some(*value));
                    word
                }
            };
            words.iter().enumerate().map(word).collect::<Vec<_>>()
        });
        // Of some registers the other half is known in other lanes.
        let other_half = prop::option::of((any::<bool>(), masks()));
        let registers = prop::collection::vec((prop::collection::vec(values(), LANES), masks(), other_half), 8);
        (words, registers).prop_map(|(words, registers)| {
            let mut memory = Memory::default();
            let base = memory.allocate(4 * WORDS);
            memory.neighbours(base).unwrap().1.copy_from_slice(&words);
            let mut vectors = VectorRegisters::new(8, 0);
            for (register, (values, known, other_half)) in (0..).zip(registers) {
                let values = values.try_into().unwrap();
                vectors.write(register, u64::MAX, &values, known);
                if let Some((is_high, known)) = other_half {
                    vectors.write_half(register, u64::MAX, (&values, is_high), known);
                }
            }
            (memory, base, vectors)
        })
    }

    fn execute(
        transfer: Transfer,
        registers: TransferRegisters,
        (reach, exec): (Reach<'_>, u64),
        (mut memory, base, mut vectors): (Memory, u64, VectorRegisters),
    ) -> (String, Vec<Word>, Vec<Vec<Bits>>) {
        let mut loaded = Loaded::default();
        let done = transfer.execute(&mut vectors, registers, (reach, exec, 0x40), &mut memory, &mut loaded);
        if done.is_ok() {
            let (first, count) = (registers.result.unwrap_or(0), transfer.filled(registers));
            let filled = vectors.expect((first, count), exec, &loaded);
            vectors.arrive(filled);
        }
        let words = memory.neighbours(base).unwrap().1.to_vec();
        let lanes = |register| (0..LANES).map(|lane| vectors.lane_bits(register, lane)).collect();
        (format!("{done:?}"), words, (0..8).map(lanes).collect())
    }

    proptest! {
        #[test]
        fn along_a_row_is_the_same_as_lane_by_lane(
            transfer in transfers(),
            state in states(),
            first in 0..8 * WORDS,
            step in prop_oneof![
                prop::sample::select(&[0, 1, 2, 4, 8, 12, 16, -1, -4, -8, 68][..]), -130..130_i64
            ],
            (is_low, exec, alignment) in (
                any::<bool>(),
                prop::sample::select(&[u64::MAX, 0xffff_ffff][..]),
                prop::sample::select(&[1_u64, 4, 4, 4, 16][..]),
            ),
            distance in prop::sample::select(&[4, 4, 256_u64][..]),
            (result, data, second) in (prop::option::of(0..5_u16), 0..5_u16, 0..7_u16),
        ) {
            let first = (if is_low { first / 4 } else { first }) / alignment * alignment;
            let row = Row { first: state.1 + first, step };
            let registers = TransferRegisters { result, data, second };
            let by_row = execute(transfer, registers, (Reach::Row { row, distance }, exec), state.clone());
            let addresses = Addresses { distance, ..Addresses::from(row) };
            let by_lane = execute(transfer, registers, (Reach::Lanes(&addresses), exec), state);
            prop_assert_eq!(by_row, by_lane);
        }
    }

    #[test]
    fn rows_of_the_usual_kinds_are_taken() {
        let mut memory = Memory::default();
        let base = memory.allocate(4096);
        let mut vectors = VectorRegisters::new(8, 0);
        let registers = TransferRegisters { result: Some(1), data: 2, second: 4 };
        let mut is_taken = |name: &str, first, step| {
            let along = Along { row: Row { first, step }, distance: 4, instruction: 0x40 };
            let transfer = Transfer::of_global(name).unwrap();
            let of_32 = transfer.execute_along::<32>(&mut vectors, registers, along, &mut memory).is_some();
            let of_64 = transfer.execute_along::<LANES>(&mut vectors, registers, along, &mut memory).is_some();
            assert!(of_32 || !of_64, "{name} from {first:#x}");
            of_64
        };
        for (name, bytes) in [("LOAD_DWORD", 4), ("LOAD_DWORDX4", 16), ("STORE_BYTE", 1), ("ATOMIC_ADD_X2", 8)] {
            assert!(is_taken(name, base, bytes) && is_taken(name, base + 63 * bytes as u64, -bytes), "{name}");
            assert!(is_taken(name, base + 4096 - 64 * bytes as u64, bytes), "{name}");
            assert!(!is_taken(name, base + 4096 - 63 * bytes as u64, bytes), "{name}: one lane is beyond");
        }
        assert!(!is_taken("ATOMIC_ADD", base, 0) && !is_taken("ATOMIC_ADD_X2", base, 4), "lanes meet");
    }
}
