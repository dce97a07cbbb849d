//! The device of a run and how it was measured.

use super::mode_words;
use crate::document::{Document, Fact, Topic};
use crate::results::Results;
use crate::tables::decimal;

/// Adds the section of the device.
pub(super) fn device(page: &mut Document, run: &Results) {
    let (record, device) = (&run.record, &run.record.device);
    page.section(Topic::Device, 2, "Device");
    let mut fact = |name: &str, text: &str| page.fact(Fact::plain(name, text));
    fact("Device", &device.name);
    fact("Chosen as", &device.device);
    fact("Driver", &device.driver);
    fact("Target", &format!("{}, {}", device.target, device.generation_title()));
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
