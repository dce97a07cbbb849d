//! The offset of DS_SWIZZLE_B32 as the assembler's macro, as LLVM writes it.

/// Lanes that masks choose among, less one.
const LAST_LANE: u16 = 31;

/// The pattern of an offset (LLVM 22.1 `SIDefines.h`, Swizzle). An offset of another mode is the number.
pub(super) fn swizzle(offset: u16) -> String {
    match offset {
        0 => String::new(),
        0x8000..=0x80ff => {
            let lanes = [0, 2, 4, 6].map(|shift| (offset >> shift & 3).to_string());
            format!(" offset:swizzle(QUAD_PERM,{})", lanes.join(","))
        }
        0x8100.. => format!(" offset:{offset}"),
        _ => format!(" offset:swizzle({})", by_masks([0, 5, 10].map(|shift| offset >> shift & LAST_LANE))),
    }
}

/// What masks do to a lane's number: the shortest name of it.
fn by_masks([and, or, xor]: [u16; 3]) -> String {
    let group = LAST_LANE - and + 1;
    match (and, or, xor) {
        (LAST_LANE, 0, xor) if xor.is_power_of_two() => format!("SWAP,{xor}"),
        (LAST_LANE, 0, 1..) if (xor + 1).is_power_of_two() => format!("REVERSE,{}", xor + 1),
        (_, _, 0) if group > 1 && group.is_power_of_two() && or < group => format!("BROADCAST,{group},{or}"),
        _ => {
            let of_bit = |bit: u16| {
                let [of_0, of_1] = [0, LAST_LANE].map(|lane| ((lane & and | or) ^ xor) >> bit & 1);
                match (of_0, of_1) {
                    (0, 0) => '0',
                    (1, 1) => '1',
                    (0, _) => 'p',
                    _ => 'i',
                }
            };
            format!("BITMASK_PERM,\"{}\"", (0..5).rev().map(of_bit).collect::<String>())
        }
    }
}
