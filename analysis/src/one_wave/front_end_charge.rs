//! The front end's charge of a run, as it is in the cycles of blocks of code.

use gcn_model::quantity::Cycles;

/// Cycles that the front end of a run charges 2-dword instructions for their places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrontEndCharge {
    /// Each of those back to back from the start of a line on, in the mean.
    pub of_copies: Cycles,
    /// The most that one of those is charged.
    pub most_of_copies: Cycles,
    /// The most at the first dword of a line.
    pub most_at_start: Cycles,
    /// The most at any dword.
    pub most: Cycles,
}

/// For a row whose cycles contain some of it.
pub(crate) fn charge_note(up_to: Cycles) -> String {
    format!("the interval allows for up to {} cycles of the front end's charge", crate::tables::decimal(up_to))
}

/// For a row of a run that does not tell the charge.
pub(crate) const UNKNOWN_CHARGE: &str = "with the front end's charge, which the run does not tell";
