//! Where the numbers of a run are from: its device, and how it was measured.

use gcn_model::isa::GroupMode;
use gcn_model::record::RunRecord;

use crate::document::{Document, Fact, Topic, literal};
use crate::results::Results;
use crate::tables::decimal;

/// The first statement about simulated numbers.
pub const SIMULATED: &str =
    "Simulated: no number here was measured on a card, and none can confirm or refute a published source.";

/// The device, its target, and what made the numbers.
pub(crate) fn origin(record: &RunRecord) -> String {
    let device = &record.device;
    let start = if record.start.is_empty() { String::new() } else { format!(", run {}", record.start) };
    format!("{} ({}), through {} by {}{start}", device.name, device.target_and_waves(), device.driver, record.tool)
}

/// Where the waves of a work-group could run, in words.
pub(crate) const fn mode_words(mode: GroupMode) -> &'static str {
    match mode {
        GroupMode::ComputeUnit => "each on one compute unit (CU mode)",
        GroupMode::Processor => "each on both compute units of a work-group processor (WGP mode)",
    }
}

/// Begins the document: the device, and what a reader has to know before any number.
pub(super) fn heading(page: &mut Document, topic: Topic, record: &RunRecord) {
    let device = &record.device;
    let title = format!("{}, {}, {}", device.name, device.target_and_waves(), device.generation_title());
    page.section(topic, 1, literal(&title));
    if device.is_simulated() {
        page.warning(SIMULATED);
    }
    if record.end.is_none() {
        page.warning("Incomplete run: what did not run is missing below.");
    }
}

/// Adds the section of the device.
pub(super) fn device(page: &mut Document, run: &Results) {
    let (record, device) = (&run.record, &run.record.device);
    page.section(Topic::Device, 2, "Device");
    let mut fact = |name: &str, text: &str| page.fact(Fact::plain(name, text));
    fact("Device", &device.name);
    fact("Chosen as", &device.device);
    fact("Driver", &device.driver);
    fact("Target", &format!("{}, {}", device.target_and_waves(), device.generation_title()));
    if device.compute_units > 0 {
        fact("Compute units", &device.compute_units.to_string());
    }
    if let Some(mode) = device.mode {
        fact("Work-groups", mode_words(mode));
    }
    if let Some(clock) = device.clock_mhz {
        fact("Shader clock", &format!("{} MHz", decimal(clock)));
    }
    fact("Tool", &format!("{}; {}", record.tool, record.assembler));
    fact("Suites", &record.options.suites.join(", "));
    fact("Kept", if run.estimates.is_empty() { "tables alone, without readings" } else { "readings and tables" });
    if !record.start.is_empty() {
        fact("Run", &format!("{} to {}", record.start, record.end.as_deref().unwrap_or("the run is incomplete")));
    }
}
