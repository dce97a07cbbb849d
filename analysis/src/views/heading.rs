//! The first section of what a command shows of a run.

use gcn_model::record::RunRecord;

use super::SIMULATED;
use crate::document::{Document, Topic, literal};

/// Begins the document: the device, and what a reader has to know before any number.
pub(super) fn heading(page: &mut Document, topic: Topic, record: &RunRecord) {
    let device = &record.device;
    let title = format!("{}, {}, {}", device.name, device.target, device.generation_title());
    page.section(topic, 1, literal(&title));
    if device.is_simulated() {
        page.warning(SIMULATED);
    }
    if record.end.is_none() {
        page.warning("Incomplete run: what did not run is missing below.");
    }
}
