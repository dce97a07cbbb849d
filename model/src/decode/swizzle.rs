//! The offset of DS_SWIZZLE_B32 as the assembler's macro, as LLVM writes it.

/// Lanes that masks choose among, less one.
const LAST_LANE: u16 = 31;

/// The pattern of an offset (LLVM 22.1 `SIDefines.h`, Swizzle). An offset of another mode, or with masks that the assembler gives no pattern, is
/// the number.
pub(super) fn swizzle(offset: u16) -> String {
    let pattern = match offset {
        0 => return String::new(),
        0x8000..=0x80ff => {
            let lanes = [0, 2, 4, 6].map(|shift| (offset >> shift & 3).to_string());
            Some(format!("QUAD_PERM,{}", lanes.join(",")))
        }
        0x8100.. => None,
        _ => by_masks([0, 5, 10].map(|shift| offset >> shift & LAST_LANE)),
    };
    pattern.map_or_else(|| format!(" offset:{offset}"), |pattern| format!(" offset:swizzle({pattern})"))
}

/// What masks do to a lane's number: the shortest name of it.
fn by_masks([and, or, xor]: [u16; 3]) -> Option<String> {
    let group = LAST_LANE - and + 1;
    match (and, or, xor) {
        (LAST_LANE, 0, xor) if xor.is_power_of_two() => Some(format!("SWAP,{xor}")),
        (LAST_LANE, 0, 1..) if (xor + 1).is_power_of_two() => Some(format!("REVERSE,{}", xor + 1)),
        (_, _, 0) if group > 1 && group.is_power_of_two() && or < group => Some(format!("BROADCAST,{group},{or}")),
        _ => {
            // A bit has one mask at most, but for one that is kept and turned.
            let of_bit = |bit: u16| match [and, or, xor].map(|mask| mask >> bit & 1) {
                [0, 0, 0] => Some('0'),
                [0, 1, 0] => Some('1'),
                [1, 0, 0] => Some('p'),
                [1, 0, 1] => Some('i'),
                _ => None,
            };
            let bits: Option<String> = (0..5).rev().map(of_bit).collect();
            bits.map(|bits| format!("BITMASK_PERM,\"{bits}\""))
        }
    }
}
