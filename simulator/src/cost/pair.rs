//! What two instructions in one (VOPD) cost.
//!
//! Both issue at once, so a pair takes the longer cycles of the two. A pair whose sources share a bank of registers, which the manuals
//! forbid, takes the GPU file's further cycles.

use gcn_model::decode::{Decoded, PairBreach};
use gcn_model::gpu::Pipelines;

use crate::cost::unit::Reservation;

/// How long half of a pair, or all of it, holds the vector unit, and from its issue to that of an instruction that reads its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PairCost {
    pub(super) hold: Reservation,
    pub(super) latency_cycles: u32,
}

impl PairCost {
    /// The cost of a pair from those of its halves.
    pub(super) fn of([first, second]: [Self; 2], decoded: &Decoded, pipelines: Option<&Pipelines>) -> Self {
        let of_ports = pipelines.map(Pipelines::pair_bank_cycles).unwrap_or_default();
        let cycles = |breach: PairBreach| match breach {
            PairBreach::Bank { port, .. } => of_ports[port],
            PairBreach::Scalars | PairBreach::Overwritten => 0,
        };
        let more: u32 = decoded.pair_breaches().into_iter().map(cycles).sum();
        Self {
            hold: first.hold.max(second.hold).and(more),
            latency_cycles: first.latency_cycles.max(second.latency_cycles) + more,
        }
    }
}
