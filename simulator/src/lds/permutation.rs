//! LDS instructions that move values between lanes and leave the LDS alone.
//!
//! Source: AMD "GCN3 ISA" and "Vega ISA", DS_PERMUTE_B32, DS_BPERMUTE_B32 and DS_SWIZZLE_B32.

use crate::memory::reach::active;
use crate::state::loaded::Loaded;
use crate::state::vector_number::VectorNumber;
use crate::state::vector_registers::LANES;
use crate::state::wave::Wave;

/// How values go between lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Permutation {
    /// Each lane says where its value goes (DS_PERMUTE_B32).
    Push,
    /// Each lane says where its value comes from (DS_BPERMUTE_B32).
    Pull,
    /// The same, from lanes that are not active, too (DS_BPERMUTE_FI_B32).
    PullFromAll,
    /// The offset says it for all lanes (DS_SWIZZLE_B32).
    Swizzle,
}

/// Values and the lanes in which they are known.
type Values<'a> = (&'a [u32; LANES], u64);

/// The registers of a permutation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PermutedRegisters {
    /// Addresses; of a swizzle the values.
    pub address: VectorNumber,
    /// Values.
    pub data: VectorNumber,
    pub result: VectorNumber,
}

impl Permutation {
    /// Moves values between lanes and says what is known of them; without known addresses, nothing.
    pub(crate) fn execute(
        self,
        wave: &mut Wave,
        registers: PermutedRegisters,
        (offset, most_lanes): (u32, u32),
        exec: u64,
    ) -> Loaded {
        let (addresses, addresses_known) = wave.vectors.read(registers.address);
        let is_swizzle = self == Self::Swizzle;
        if !is_swizzle && exec & !addresses_known != 0 {
            return Loaded::default();
        }
        let source = if is_swizzle { registers.address } else { registers.data };
        let moved = |values| self.apply(addresses, offset, values, (exec, wave.lanes.min(most_lanes) as usize));
        let (result, known) = moved(wave.vectors.read(source));
        let mut loaded = Loaded::default();
        loaded.lanes[0] = known;
        if wave.vectors.is_partly_known(source) {
            let (bits, _) = moved((&wave.vectors.all_known_bits(source), u64::MAX));
            active(exec & !known).for_each(|lane| loaded.set(0, lane, bits[lane]));
        }
        let target = wave.vectors.lanes_mut(registers.result);
        active(exec).for_each(|lane| target[lane] = result[lane]);
        loaded
    }

    /// The values after the permutation and the lanes of `exec` in which they are known. What comes from a lane that is not
    /// active is zero. So many lanes at a time are counted in a circle. `addresses` are in bytes, known in the lanes of `exec`; a swizzle has none.
    pub(crate) fn apply(
        self,
        addresses: &[u32; LANES],
        offset: u32,
        (values, known): Values<'_>,
        (exec, lanes): (u64, usize),
    ) -> ([u32; LANES], u64) {
        let mut moved = [0; LANES];
        let mut moved_known = exec;
        let mut put = |to: usize, from: usize| {
            if exec >> from & 1 == 1 || self == Self::PullFromAll {
                moved[to] = values[from];
                moved_known = moved_known & !(1 << to) | (known >> from & 1) << to;
            }
        };
        for lane in active(exec) {
            let other = lane / lanes * lanes + (addresses[lane].wrapping_add(offset) / 4) as usize % lanes;
            match self {
                Self::Push => put(other, lane),
                Self::Pull | Self::PullFromAll => put(lane, other),
                Self::Swizzle => match swizzled(lane, offset) {
                    Some(from) => put(lane, from),
                    None => return (moved, 0),
                },
            }
        }
        (moved, moved_known & exec)
    }
}

/// The lane that a lane's value comes from; `None` for the modes that GCN 1.4 added (FFT, rotation).
fn swizzled(lane: usize, offset: u32) -> Option<usize> {
    match offset {
        0xc000.. => None,
        0x8000.. => Some(lane & !3 | (offset >> (2 * (lane & 3)) & 3) as usize),
        _ => {
            let [and, or, xor] = [0, 5, 10].map(|shift| (offset >> shift & 31) as usize);
            Some(lane & !31 | (lane & 31 & and | or) ^ xor)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_within_their_lanes() {
        let values: [u32; LANES] = std::array::from_fn(|lane| lane as u32);
        let next: [u32; LANES] = std::array::from_fn(|lane| 4 * (lane as u32 + 1));
        let all = u64::MAX;
        let (pulled, _) = Permutation::Pull.apply(&next, 0, (&values, all), (all, 32));
        assert_eq!((pulled[0], pulled[31], pulled[32], pulled[63]), (1, 0, 33, 32));
    }

    #[test]
    fn values_go_where_they_should() {
        let values: [u32; LANES] = std::array::from_fn(|lane| 100 + lane as u32);
        let next: [u32; LANES] = std::array::from_fn(|lane| 4 * (lane as u32 + 1));
        let all = u64::MAX;
        let (pulled, known) = Permutation::Pull.apply(&next, 0, (&values, all), (all, 64));
        assert_eq!((pulled[0], pulled[62], pulled[63], known), (101, 163, 100, all));
        let (pushed, _) = Permutation::Push.apply(&next, 0, (&values, all), (all, 64));
        assert_eq!((pushed[1], pushed[0]), (100, 163));
        // Lane 1 is not active: lane 0 gets zero, and that is known.
        let (pulled, known) = Permutation::Pull.apply(&next, 0, (&values, 0), (all & !2, 64));
        assert_eq!((pulled[0], known), (0, 1));
        let (swapped, _) = Permutation::Swizzle.apply(&next, 31 | 1 << 10, (&values, all), (all, 64));
        assert_eq!((swapped[0], swapped[33]), (101, 132));
        let (reversed, _) = Permutation::Swizzle.apply(&next, 0x801b, (&values, all), (all, 64));
        assert_eq!((reversed[0], reversed[7]), (103, 104));
        assert_eq!(Permutation::Swizzle.apply(&next, 0xe000, (&values, all), (all, 64)).1, 0);
    }
}
