//! What LDS instructions do between values in memory.

use crate::error::Problem;
use crate::lds::memory::LdsMemory;
use crate::lower::operation::Width;
use crate::memory::atomic::Atomic;
use crate::memory::reach::Words;
use crate::memory::word::Word;

/// Where the data of an atomic of memory with memory are, from its address on: B = A + 4 × (offset1[7] ? A[31:17] :
/// offset[14:0]), both with sign ("GCN3 ISA", DS_*_SRC2_*).
pub(super) fn source_distance(address: u64, offset: u64) -> u64 {
    let distance = if offset >> 15 & 1 == 1 { address >> 17 } else { offset };
    ((distance << 49) as i64 >> 47) as u64
}

/// Makes the dwords of values unknown.
pub(super) fn exchange(
    addresses: impl Iterator<Item = u64>,
    dwords: u8,
    local: &mut LdsMemory,
    instruction: u32,
) -> Result<(), Problem> {
    for address in addresses {
        for dword in 0..u64::from(dwords) {
            *local.word(address + 4 * dword)? = Word::unknown(instruction);
        }
    }
    Ok(())
}

/// Whether all that is read there is known to be zero: then it is so in whatever way it is dealt to lanes.
pub(super) fn is_zero(
    mut addresses: impl Iterator<Item = u64>,
    dwords: u8,
    local: &mut LdsMemory,
) -> Result<bool, Problem> {
    addresses.try_fold(true, |is_zero, address| {
        (0..u64::from(dwords))
            .try_fold(is_zero, |is_zero, dword| Ok(is_zero & (local.word(address + 4 * dword)?.value() == Some(0))))
    })
}

/// Memory at the first address becomes the function of it and of memory at the second.
pub(super) fn combine(
    (atomic, width): (Atomic, Width),
    local: &mut LdsMemory,
    addresses: [u64; 2],
    instruction: u32,
) -> Result<(), Problem> {
    let mut read = |address: u64| -> Result<Option<u64>, Problem> {
        let low = local.word(address)?.value().map(u64::from);
        Ok(match width {
            Width::Dword => low,
            Width::Two => low.zip(local.word(address + 4)?.value()).map(|(low, high)| low | u64::from(high) << 32),
        })
    };
    let (memory, data) = (read(addresses[0])?, read(addresses[1])?);
    let memory = if atomic == Atomic::Swap { Some(0) } else { memory };
    let new = memory.zip(data).and_then(|(memory, data)| atomic.apply(width, memory, data, 0));
    for dword in 0..u64::from(width.dwords()) {
        let part = new.map(|new| (new >> (32 * dword)) as u32);
        *local.word(addresses[0] + 4 * dword)? = Word::written(part, instruction);
    }
    Ok(())
}
