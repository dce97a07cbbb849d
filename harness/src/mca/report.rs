//! What llvm-mca prints with `--json -timeline`.

use serde::Deserialize;

/// A report, as far as it is read.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Report {
    pub(super) code_regions: Vec<CodeRegion>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct CodeRegion {
    /// As llvm-mca understood them.
    pub(super) instructions: Vec<String>,
    pub(super) instruction_info_view: InstructionInfoView,
    pub(super) summary_view: SummaryView,
    pub(super) timeline_view: TimelineView,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct InstructionInfoView {
    pub(super) instruction_list: Vec<InstructionInfo>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct InstructionInfo {
    /// Turns until its result can be read.
    pub(super) latency: u64,
    /// Turns that it takes, however soon its result is there.
    #[serde(rename = "NumMicroOpcodes")]
    pub(super) micro_operations: u64,
    /// Turns that it keeps its unit, or a part of one where there are several.
    #[serde(rename = "RThroughput")]
    pub(super) unit_turns: f64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct SummaryView {
    /// Turns of all iterations, until the last result is there.
    pub(super) total_cycles: u64,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct TimelineView {
    /// All instructions of all iterations, as they issue.
    pub(super) timeline_info: Vec<Issued>,
}

/// When an instruction of an iteration issued, in turns of a SIMD.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct Issued {
    pub(super) cycle_issued: u64,
    /// When its result can be read; 0 for some instructions of two results.
    pub(super) cycle_executed: u64,
}
