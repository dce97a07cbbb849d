//! One instruction of a prediction.

use std::collections::BTreeMap;

use gcn_model::decode::Decoded;
use gcn_model::quantity::{Bytes, Cycles};
use serde::Serialize;

use crate::awaited::wait_counts;
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
    /// Its jump target, or the counters that it waits for, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
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

/// The jump target of an instruction at an address, or the counters that it waits for.
pub(crate) fn note(address: u64, decoded: &Decoded) -> Option<String> {
    if let Some(target) = decoded.branch_target(address) {
        return Some(format!("to {target:#08x}"));
    }
    let fields = decoded.generation.waits.get(&decoded.instruction.name)?;
    let counts = wait_counts(decoded)?;
    // The largest count waits for nothing.
    let none = fields.counts(u32::MAX);
    let told = |what: &str, count: Option<u32>, none: Option<u32>| {
        count.filter(|_| count != none).map(|count| format!("until {what} {count}"))
    };
    let waits = [
        told("vmcnt is", counts.vector_memory, none.vector_memory),
        told("lgkmcnt is", counts.scalar_and_local_memory, none.scalar_and_local_memory),
    ];
    Some(waits.into_iter().flatten().collect::<Vec<_>>().join(", ")).filter(|note| !note.is_empty())
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
