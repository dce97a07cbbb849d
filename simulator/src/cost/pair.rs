//! What two instructions in one (VOPD) cost.
//!
//! Both issue at once, so a pair takes what the longer of the two takes. A pair whose sources share a bank of registers, which the manuals
//! forbid, takes longer by what the GPU file says.

use gcn_model::decode::{Decoded, PairBreach};
use gcn_model::gpu::Pipelines;

use crate::cost::configuration::Cost;

/// The cost of a pair from those of its halves.
pub(super) fn pair_cost([first, second]: [Cost; 2], decoded: &Decoded, pipelines: Option<&Pipelines>) -> Cost {
    let of_ports = pipelines.map(Pipelines::pair_bank_cycles).unwrap_or_default();
    let cycles = |breach: PairBreach| match breach {
        PairBreach::Bank { port, .. } => of_ports[port],
        PairBreach::Scalars | PairBreach::Overwritten => 0,
    };
    let more: u32 = decoded.pair_breaches().into_iter().map(cycles).sum();
    let longer = if second.hold > first.hold { second } else { first };
    Cost {
        hold: longer.hold.and(more),
        latency_cycles: first.latency_cycles.max(second.latency_cycles) + more,
        ..longer
    }
}
