//! LLVM's SchedWrites compared with the measurement.

use serde::{Deserialize, Serialize};

use super::class::{Candidates, ClassMeasurement, MeasuredBy};
use super::classes::{members, rows};
use super::error::ExportError;
use super::target::schedulers;
use crate::results::Results;

const WRITES: (&str, &str) = ("llvm-writes.csv", include_str!("../../../data/export/llvm-writes.csv"));
const INSTRUCTIONS: (&str, &str) =
    ("llvm-instructions.csv", include_str!("../../../data/export/llvm-instructions.csv"));

/// The model that the column `full_slots` is of; `quarter_slots` is of the other one.
const FULL_SPEED: &str = "SIFullSpeedModel";

/// Cycles of a slot, the unit of LLVM's latencies before GFX10: 1 / (operations / cycle) / 4 by the comment in `SISchedule.td`.
const SLOT_CYCLES: f64 = 4.0;

/// A row of `llvm-writes.csv`.
#[derive(Debug, Deserialize)]
struct WriteRow {
    write: String,
    resource: String,
    full_slots: u32,
    quarter_slots: u32,
    release_at_cycles: u32,
    measured_by: MeasuredBy,
    source: String,
}

/// One of LLVM's SchedWrites, with its numbers in LLVM and those of a run. Latencies are slots of four cycles.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LlvmWrite {
    pub(super) write: String,
    pub(super) resource: String,
    /// LLVM's latency and release today.
    pub(super) llvm_latency_slots: u32,
    pub(super) llvm_release_at_cycles: u32,
    /// Those of the run, if all instructions of the class have the same.
    pub(super) latency_slots: Option<u32>,
    pub(super) release_at_cycles: Option<u32>,
    /// Whether one of the two is no whole number of slots in cycles: it was rounded up.
    pub(super) is_rounded: bool,
    /// Whether the latency is that of independent instructions, for want of dependent ones.
    pub(super) is_independent: bool,
    /// Instructions of the class in the run.
    pub(super) instructions: usize,
    /// Their measurements: latency (of a branch that is taken), and cycles of independent instructions.
    pub(super) latency_cycles: Candidates,
    pub(super) independent_cycles: Candidates,
    pub(super) source: String,
}

impl LlvmWrite {
    /// The latency, LLVM's where there is no other.
    pub(super) fn latency(&self) -> u32 {
        self.latency_slots.unwrap_or(self.llvm_latency_slots)
    }

    /// The cycle at which the resource is free, LLVM's where there is no other.
    pub(super) fn release(&self) -> u32 {
        self.release_at_cycles.unwrap_or(self.llvm_release_at_cycles)
    }

    /// What has to be said of the numbers: why they are LLVM's, or not one.
    pub(super) fn remarks(&self) -> Vec<String> {
        let mut remarks = Vec::new();
        match (self.latency_cycles.0.len(), self.independent_cycles.0.len()) {
            (0, 0) => remarks.push("not measured".to_owned()),
            (latencies, releases) => {
                if latencies > 1 {
                    remarks.push(format!("latency is not one number, in cycles: {}", self.latency_cycles.words()));
                } else if latencies == 0 {
                    remarks.push("latency not measured".to_owned());
                }
                if releases > 1 && !(self.is_independent && latencies > 1) {
                    remarks.push(format!("release is not one number, in cycles: {}", self.independent_cycles.words()));
                }
            }
        }
        if self.is_independent && self.latency_slots.is_some() {
            remarks.push("latency is that of independent instructions: no dependent ones were measured".to_owned());
        }
        if self.is_rounded {
            let ones =
                [&self.latency_cycles, &self.independent_cycles].map(|found| found.one().map(|one| one.cycles.clone()));
            let [latency, release] = ones.map(Option::unwrap_or_default);
            remarks.push(format!("rounded up to slots from latency {latency} and release {release} cycles"));
        }
        remarks
    }
}

/// Slots for a number of cycles, and whether that was rounded.
fn slots(cycles: f64) -> (u32, bool) {
    let slots = cycles / SLOT_CYCLES;
    (slots.ceil() as u32, slots.fract() != 0.0)
}

/// Every SchedWrite of LLVM's model of the run's target.
///
/// # Errors
/// No model of the target is known.
pub(super) fn llvm_writes(run: &Results) -> Result<Vec<LlvmWrite>, ExportError> {
    let is_full = schedulers(run)?.llvm_model == FULL_SPEED;
    let members = members(INSTRUCTIONS.0, INSTRUCTIONS.1, run, true)?;
    let write = |row: WriteRow| {
        let found = ClassMeasurement::of(members.get(&row.write).map_or(&[][..], Vec::as_slice), row.measured_by);
        let [latency, release] = [&found.latency, &found.cycles].map(|found| found.one().map(|one| slots(one.value)));
        LlvmWrite {
            write: row.write,
            resource: row.resource,
            llvm_latency_slots: if is_full { row.full_slots } else { row.quarter_slots },
            llvm_release_at_cycles: row.release_at_cycles,
            latency_slots: latency.map(|(slots, _)| slots),
            release_at_cycles: release.map(|(slots, _)| slots.max(1)),
            is_rounded: [latency, release].into_iter().flatten().any(|(_, is_rounded)| is_rounded),
            is_independent: found.is_independent,
            instructions: found.instructions,
            latency_cycles: found.latency,
            independent_cycles: found.cycles,
            source: row.source,
        }
    };
    Ok(rows(WRITES.0, WRITES.1)?.into_iter().map(write).collect())
}

#[cfg(test)]
mod tests {
    use super::slots;

    #[test]
    fn a_part_of_a_slot_is_a_slot() {
        assert_eq!([4.0, 16.0, 18.0, 0.0].map(slots), [(1, false), (4, false), (5, true), (0, false)]);
    }
}
