//! Loads from memory to the LDS.
//!
//! Source: AMD "Vega ISA", section 8.1 (LDS of a buffer load), and "MI300 ISA", section 9.1.9: the dword of a lane goes to M0 + the offset of the
//! instruction + 4 times the lane's number; bytes and shorts are extended to a dword.

use crate::error::Problem;
use crate::lds::memory::LdsMemory;
use crate::memory::element::{Element, Transfer, extended};
use crate::memory::global::Memory;
use crate::memory::reach::{Addresses, Words, active};
use crate::memory::word::Word;
use crate::state::scalar_registers::M0;
use crate::state::wave::Wave;

/// The bits of M0 that are an offset ("MI300 ISA", section 9.1.9: 15 to 0), of groups that have no more than that.
const LAST_OFFSET: u32 = 0xffff;

/// Moves the loads of `exec`'s lanes to the LDS. Data outside of the limits is 0; a lane beyond the LDS writes nothing.
///
/// # Errors
/// M0 is not known; an address that is not aligned, or where there is no memory.
pub(super) fn load(
    transfer: Transfer,
    wave: &Wave,
    (addresses, offset): (&Addresses, u64),
    (exec, instruction): (u64, u32),
    (memory, local): (&mut Memory, &mut LdsMemory),
) -> Result<(), Problem> {
    let Transfer::Load(element, _) = transfer else {
        return Err(Problem::Unmodelled(": it loads no element to LDS".into()));
    };
    let m0 = wave.scalars.read(M0).ok_or_else(|| Problem::UnknownControl("M0".into()))?;
    if m0 > LAST_OFFSET && local.bytes() > u64::from(LAST_OFFSET) + 1 {
        return Err(Problem::Unmodelled(
            ": no source says what M0 above 0xffff means where a group has more LDS".into(),
        ));
    }
    let base = u64::from(m0 & LAST_OFFSET) + offset;
    let (dwords, bytes) = match element {
        Element::Part { bits, .. } => (1, bits / 8),
        Element::Dwords(dwords) => (u64::from(dwords), 4),
    };
    for lane in active(exec) {
        let from = addresses.lanes[lane];
        if !from.is_multiple_of(bytes.into()) {
            return Err(Problem::Misaligned { address: from, bytes });
        }
        for dword in 0..dwords {
            let is_inside = addresses.inside[dword as usize] >> lane & 1 == 1;
            let value = match (is_inside, element) {
                (false, _) => Some(0),
                (true, Element::Dwords(_)) => memory.word(from + addresses.distance * dword)?.value(),
                (true, Element::Part { bits, signed }) => {
                    let part = memory.word(from)?.part((from & 3) as u32 * 8, bits);
                    part.map(|part| extended(part, bits, signed))
                }
            };
            let to = base + 4 * (dwords * lane as u64 + dword);
            if to + 4 <= local.bytes() {
                *local.word(to)? = Word::written(value, instruction);
            }
        }
    }
    Ok(())
}
