//! How caches treat the data of a memory instruction of RDNA 4, as LLVM writes it.

use super::Decoded;
use crate::isa::{FieldName, InstructionClass};

/// Temporal hints by their number (LLVM 22.1 `SIDefines.h`, CPol).
const HINTS: [&str; 8] = ["RT", "NT", "HT", "LU", "NT_RT", "RT_NT", "NT_HT", "NT_WB"];
const SCOPES: [&str; 4] = ["SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"];
/// The number of a hint that has another name for stores and in the scope of the system.
const BYPASS: usize = 3;
const DEVICE: usize = 2;
const SYSTEM: usize = 3;
/// Bits of an atomic instruction's hint.
const RETURNS: usize = 1;
const NON_TEMPORAL: usize = 2;
const CASCADES: usize = 4;

impl Decoded {
    /// Temporal hint and scope; empty where they are those of no words, or the generation has others.
    pub(super) fn cache_policy(&self) -> String {
        let [hint, scope] = [FieldName::Th, FieldName::Scope].map(|field| self.value(field) as usize);
        let hint = match hint {
            0 => String::new(),
            hint => format!(" th:{}", self.temporal_hint(hint, scope)),
        };
        if scope == 0 { hint } else { format!("{hint} scope:{}", SCOPES[scope % SCOPES.len()]) }
    }

    fn temporal_hint(&self, hint: usize, scope: usize) -> String {
        if self.instruction.is(InstructionClass::Atomic) {
            let is_non_temporal = hint & NON_TEMPORAL != 0;
            let word = match (hint & CASCADES != 0, is_non_temporal, hint & RETURNS != 0) {
                (true, ..) if scope < DEVICE => return format!("TH_ATOMIC_{hint:#x}"),
                (true, true, _) => "CASCADE_NT",
                (true, false, _) => "CASCADE_RT",
                (false, true, true) => "NT_RETURN",
                (false, true, false) => "NT",
                (false, false, _) => "RETURN",
            };
            return format!("TH_ATOMIC_{word}");
        }
        let is_store = self.instruction.is(InstructionClass::Store);
        let word = match hint {
            BYPASS if scope == SYSTEM => "BYPASS",
            BYPASS if is_store => "WB",
            // The last is reserved for loads.
            hint if !is_store && hint == HINTS.len() - 1 => return format!("{hint:#x}"),
            hint => HINTS[hint % HINTS.len()],
        };
        format!("TH_{}_{word}", if is_store { "STORE" } else { "LOAD" })
    }
}
