//! Instructions that cost nothing beside others.

use gcn_model::quantity::Cycles;

use crate::settle::CYCLES_RESOLUTION;
use crate::tables::Measured;

/// Whether these additional cycles are zero; `None` where the interval does not tell.
pub(super) fn is_nothing(more: Measured<Cycles>) -> Option<bool> {
    if more.high.0 <= CYCLES_RESOLUTION {
        Some(true)
    } else if more.low.0 > CYCLES_RESOLUTION {
        Some(false)
    } else {
        None
    }
}

/// The largest of the amounts that cost nothing, with all smaller ones, and whether the next one costs something; `None` if some amount did not
/// settle before that is known. The amounts ascend, each with whether it is free.
pub(super) fn most_free(amounts: impl Iterator<Item = (u32, Option<bool>)>) -> Option<(u32, bool)> {
    let mut most = 0;
    for (amount, is_free) in amounts {
        if !is_free? {
            return Some((most, true));
        }
        most = amount;
    }
    Some((most, false))
}
