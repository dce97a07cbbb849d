//! The record schema: what a measurement stores, one type per file of a run's folder.

mod experiment;
mod reading;
mod run;

pub use experiment::{ExperimentKind, ExperimentRecord, ExperimentStatus};
pub use reading::Reading;
pub use run::{CardRecord, CodeObjectRecord, DeviceRecord, OpenClRecord, OptionsRecord, RunRecord};
