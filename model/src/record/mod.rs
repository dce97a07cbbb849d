//! The record schema: the stored data of a measurement, one type per file of a run's folder.

mod case;
mod columns;
mod experiment;
mod journal;
mod reading;
mod run;
mod units;

pub use case::{LineStartCase, NeighbourCase, PairCase, PlaceCase, SharedSource, StrideCase};
pub use columns::columns;
pub use experiment::{
    ACCUMULATORS, ALIGNMENT, DISTANCE, ExperimentKind, ExperimentRecord, ExperimentStatus, INDEPENDENT,
    INSTRUCTION_CACHE, LINE_START, MATRIX_CHAIN, MATRIX_OVERLAP, OPERANDS, PAIR, PAIR_BANK, PAIR_IN_SEQUENCE, READER,
};
pub use journal::JournalRecord;
pub use reading::Reading;
pub use run::{
    CardRecord, CodeObjectRecord, DeviceRecord, MergedShardRecord, OpenClRecord, OptionsRecord, RunRecord, ShardRecord,
};
pub use units::{DELAYS, TRANSCENDENTAL_OVERLAP, UNITS, UnitCase, UnitDelay};
