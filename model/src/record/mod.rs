//! The record schema: what a measurement stores, one type per file of a run's folder.

mod columns;
mod experiment;
mod journal;
mod reading;
mod run;

pub use columns::columns;
pub use experiment::{
    DEPENDENT, DISTANCE, ExperimentKind, ExperimentRecord, ExperimentStatus, LINE_START, NOT_TAKEN, TAKEN, TWO_DWORDS,
};
pub use journal::JournalRecord;
pub use reading::Reading;
pub use run::{
    CardRecord, CodeObjectRecord, DeviceRecord, MergedShardRecord, OpenClRecord, OptionsRecord, RunRecord, ShardRecord,
};
