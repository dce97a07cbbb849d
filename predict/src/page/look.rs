//! The look of a part of a wave's time.

use crate::stall::Stall;

/// Issue, and then the stalls in their order: the page's names.
pub(super) const NAMES: [&str; 7] = [
    "issue",
    Stall::NoInstructionAvailable.name(),
    Stall::AluDependency.name(),
    Stall::ArbiterNotWin.name(),
    Stall::Waitcnt.name(),
    Stall::BarrierWait.name(),
    Stall::SleepWait.name(),
];

/// The place in [`NAMES`], by which style sheet and script know it.
pub(super) fn kind(stall: Option<Stall>) -> usize {
    stall.map_or(0, |stall| 1 + stall as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_stall_has_its_own_name() {
        for stall in Stall::ALL {
            assert_eq!(NAMES[kind(Some(stall))], stall.name());
        }
        assert_eq!(NAMES.len(), 1 + Stall::ALL.len());
        assert_eq!(NAMES[kind(None)], "issue");
    }
}
