//! Instructions that wait for others, as the hazard table names them.

use super::class::Class;
use crate::decode::Decoded;

/// The fields of S_WAITCNT_DEPCTR, which RDNA 4 calls S_WAIT_ALU, each with its lowest bit, its width, and what 0 of it waits for
/// (facts-cdna-rdna §3.3).
const FIELDS: [(u32, u32, Class); 5] = [
    (12, 4, Class::WaitForValuVgprs),
    (9, 3, Class::WaitForValuSgprs),
    (2, 3, Class::WaitForMemorySources),
    (1, 1, Class::WaitForValuVcc),
    (0, 1, Class::WaitForSaluSgprs),
];

/// The counters that an instruction waits for.
pub(super) fn waits(decoded: &Decoded) -> Vec<Class> {
    let name = decoded.instruction.name.as_str();
    let immediate = u32::from(decoded.simm16().unwrap_or_default() as u16);
    match name {
        "S_WAITCNT_DEPCTR" | "S_WAIT_ALU" => {
            let is_zero = |&(low, width, _): &(u32, u32, Class)| immediate >> low & ((1 << width) - 1) == 0;
            FIELDS.iter().filter(|field| is_zero(field)).map(|(.., class)| *class).collect()
        }
        "S_WAITCNT_VSCNT" if immediate == 0 => vec![Class::Wait, Class::WaitForStores],
        _ if name == "S_WAIT_IDLE" || name.starts_with("S_WAITCNT") => {
            let scalar = decoded.wait_counts().and_then(|counts| counts.scalar_and_local_memory);
            let for_all = name == "S_WAITCNT" && immediate == 0;
            let found =
                [(Class::Wait, true), (Class::WaitForAll, for_all), (Class::WaitForScalarMemory, scalar == Some(0))];
            found.into_iter().filter_map(|(class, is)| is.then_some(class)).collect()
        }
        _ => Vec::new(),
    }
}
