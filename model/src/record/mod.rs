//! The record schema: the stored data of a measurement, one type per file of a run's folder.

mod case;
mod columns;
mod experiment;
mod journal;
mod reading;
mod rules;
mod run;
mod units;

pub use case::{LaneGroupsCase, LineStartCase, NeighbourCase, PairCase, PlaceCase, SharedSource, StrideCase};
pub use columns::columns;
pub use experiment::{ExperimentKind, ExperimentRecord, ExperimentStatus};
pub use journal::JournalRecord;
pub use reading::Reading;
pub use rules::*;
pub use run::{
    CardRecord, CodeObjectRecord, DeviceRecord, MergedShardRecord, OpenClRecord, OptionsRecord, RunRecord, ShardRecord,
};
pub use units::{UnitCase, UnitDelay};
