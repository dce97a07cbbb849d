//! One instruction of a prediction.

use std::collections::BTreeMap;

use gcn_model::decode::Decoded;
use gcn_model::quantity::{Bytes, Cycles};
use serde::Serialize;

use crate::awaited::awaited_counters;
use crate::basis::Basis;
use crate::stall::{Stall, main_stall, stalled};

/// The cost of an instruction for each wave in each iteration, on average.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Line {
    /// Its address.
    pub address: u64,
    pub bytes: Bytes,
    /// Its text, as decoded from the machine code.
    pub text: String,
    /// Its jump target, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The counters that it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub waits_for: Vec<&'static str>,
    /// Which unit executes it.
    pub unit: &'static str,
    /// Cycles in which it holds its wave.
    pub issue: Cycles,
    /// Cycles in which its wave stands still for it, by the reason.
    pub stalls: BTreeMap<Stall, Cycles>,
    /// Those of them in which another wave of the same SIMD issues.
    pub hidden: Cycles,
    pub basis: Basis,
    /// Where its cycles come from.
    pub source: String,
}

/// What S_DELAY_ALU waits for, by the number in its fields (AMD RDNA 3 ISA manual, "S_DELAY_ALU").
const DELAYS: [&str; 12] = [
    "NO_DEP",
    "VALU_DEP_1",
    "VALU_DEP_2",
    "VALU_DEP_3",
    "VALU_DEP_4",
    "TRANS32_DEP_1",
    "TRANS32_DEP_2",
    "TRANS32_DEP_3",
    "FMA_ACCUM_CYCLE_1",
    "SALU_CYCLE_1",
    "SALU_CYCLE_2",
    "SALU_CYCLE_3",
];
/// To which instruction the second of its fields applies.
const SKIPS: [&str; 6] = ["SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"];

/// S_DELAY_ALU with names; `None` for numbers that have none.
fn delay(immediate: u32) -> Option<String> {
    let [first, skip, second] = [immediate & 0xf, immediate >> 4 & 7, immediate >> 7 & 0xf].map(|it| it as usize);
    let mut parts = Vec::new();
    if first != 0 || second == 0 {
        parts.push(format!("instid0({})", DELAYS.get(first)?));
    }
    if skip != 0 {
        parts.push(format!("instskip({})", SKIPS.get(skip)?));
    }
    if second != 0 {
        parts.push(format!("instid1({})", DELAYS.get(second)?));
    }
    Some(format!("s_delay_alu {}", parts.join(" | ")))
}

/// An instruction as an author writes it: the counts of S_WAITCNT and the fields of S_DELAY_ALU have names.
pub(crate) fn written(decoded: &Decoded) -> String {
    if decoded.instruction.name == "S_DELAY_ALU" {
        let immediate = u32::from(decoded.simm16().unwrap_or_default() as u16);
        return delay(immediate).unwrap_or_else(|| decoded.to_string());
    }
    let counts = awaited_counters(decoded);
    if decoded.instruction.name != "S_WAITCNT" || counts.is_empty() {
        return decoded.to_string();
    }
    let counts: Vec<String> = counts.into_iter().map(|(name, count)| format!("{name}({count})")).collect();
    format!("s_waitcnt {}", counts.join(" "))
}

/// Where an instruction at an address jumps to.
pub(crate) fn note(address: u64, decoded: &Decoded) -> Option<String> {
    decoded.branch_target(address).map(|target| format!("to {target:#08x}"))
}

/// The counters that an instruction waits for.
pub(crate) fn waits_for(decoded: &Decoded) -> Vec<&'static str> {
    awaited_counters(decoded).into_iter().map(|(name, _)| name).collect()
}

impl Line {
    /// Cycles in which its wave stands still for it.
    pub fn stalled(&self) -> Cycles {
        stalled(&self.stalls)
    }

    /// Why its wave stands still for it most of the time.
    pub fn main_stall(&self) -> Option<Stall> {
        main_stall(&self.stalls)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_have_the_names_of_the_assembler() {
        let of = |immediate| delay(immediate).unwrap();
        assert_eq!(of(0x95), "s_delay_alu instid0(TRANS32_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)");
        assert_eq!([of(1), of(0)], ["s_delay_alu instid0(VALU_DEP_1)", "s_delay_alu instid0(NO_DEP)"]);
        assert_eq!(delay(0xf), None);
    }
}
