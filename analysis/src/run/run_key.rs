//! What ties the files of a run together.

use gcn_model::record::RunRecord;
use serde_json::json;

use super::checksum::checksum;

/// Checksum of a run's identity: each row of its journal is signed with it, so that the `run.json` of another run is
/// found out. It is equal for the shards of a run and for a run that was done again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunKey(String);

impl RunKey {
    /// The key of a run, whichever part of it and whenever.
    pub fn of(record: &RunRecord) -> Self {
        let device = &record.device;
        // No number with a fraction: its digits may change on the way through a file.
        let identity = json!([
            record.tool,
            record.assembler,
            record.options,
            record.code_objects,
            [device.name, device.driver, device.target, device.generation],
            device.compute_units,
            device.facts_sha256,
        ]);
        Self(checksum(identity.to_string().as_bytes()))
    }

    /// The key as text.
    pub(super) fn text(&self) -> &str {
        &self.0
    }
}
