//! Where exported numbers are from, in words.

use gcn_model::isa::GroupMode;
use gcn_model::record::RunRecord;

/// The first statement about simulated numbers.
pub const SIMULATED: &str =
    "Simulated: no number here was measured on a card, and none can confirm or refute a published source.";

/// The device, its target, and what made the numbers.
pub(crate) fn origin(record: &RunRecord) -> String {
    let device = &record.device;
    let start = if record.start.is_empty() { String::new() } else { format!(", run {}", record.start) };
    format!("{} ({}), through {} by {}{start}", device.name, device.target, device.driver, record.tool)
}

/// Where the waves of a work-group could run, in words.
pub(crate) const fn mode_words(mode: GroupMode) -> &'static str {
    match mode {
        GroupMode::ComputeUnit => "each on one compute unit (CU mode)",
        GroupMode::Processor => "each on both compute units of a work-group processor (WGP mode)",
    }
}
