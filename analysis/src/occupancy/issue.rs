//! How many instructions of unlike kinds a compute unit issues in a cycle.

use gcn_model::quantity::InstructionsPerCycle;
use gcn_model::record::ExperimentRecord;

use crate::many_waves::{HwIdLayout, throughput_of};
use crate::run::StoredReading;
use crate::settle::{DelayedRate, Status, Tally};
use crate::statistics::Estimate;
use crate::tables::{Measured, table};

table! { "issue.csv":
    /// A row of `issue.csv`: a block of unlike instructions on one number of waves.
    pub struct IssueRow {
        /// The content of the block: `1 S_MOV_B32 + 1 V_MOV_B32`.
        pub mix: String,
        pub waves_per_simd: u32,
        /// Instructions per cycle and compute unit; absent if it did not settle.
        pub issue: Option<Measured<InstructionsPerCycle>> = "instructions_per_cycle" "low" "high",
        pub status: Status,
        pub detail: String,
    } beside {
        pub experiment: String,
        /// By how many shader cycles the makespan grows with a block and repeat, if that settled.
        pub makespan: Option<Estimate>,
        /// What became of the readings.
        pub tally: Tally,
    }
}

impl IssueRow {
    /// The measurement of an experiment of kind `issue`.
    pub(crate) fn of(record: &ExperimentRecord, readings: &[StoredReading], layout: Option<HwIdLayout>) -> Self {
        let row = throughput_of(record, readings, layout, DelayedRate::default());
        Self {
            experiment: row.experiment,
            mix: row.case,
            waves_per_simd: row.waves_per_simd,
            issue: row.throughput,
            makespan: row.makespan,
            tally: row.tally,
            status: row.status,
            detail: row.detail,
        }
    }
}
