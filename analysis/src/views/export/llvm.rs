//! LLVM's SchedWrites compared with the measurement.

use gcn_model::isa::{Instruction, MatrixEngine, Processor};
use serde::{Deserialize, Serialize};

use super::classes::{Candidate, ClassMeasurement, ExportError, MeasuredBy, members, rows, schedulers, without_class};
use crate::results::Results;

const WRITES: &str = include_str!("../../../data/export/llvm-writes.csv");
const INSTRUCTIONS: &str = include_str!("../../../data/export/llvm-instructions.csv");

/// The resource that each instruction of RDNA takes for a slot.
const DESTINATIONS: &str = "HWRC";

/// A row of `llvm-writes.csv`: one of LLVM's SchedWrites, with its numbers in LLVM.
#[derive(Debug, Clone, Deserialize, Serialize)]
pub(super) struct WriteRow {
    /// Start of its models' names.
    #[serde(skip_serializing)]
    models: String,
    pub(super) write: String,
    pub(super) resource: String,
    #[serde(rename(deserialize = "latency_slots"))]
    pub(super) llvm_latency_slots: u32,
    #[serde(rename(deserialize = "release_at_cycles"))]
    pub(super) llvm_release_at_cycles: u32,
    #[serde(skip_serializing)]
    measured_by: MeasuredBy,
    source: String,
}

/// One of LLVM's SchedWrites, with its numbers in LLVM and those of a run, in the model's slots.
#[derive(Debug, Clone, Serialize)]
pub(super) struct LlvmWrite {
    #[serde(flatten)]
    pub(super) of: WriteRow,
    /// Those of the run, if all instructions of the class have the same.
    pub(super) latency_slots: Option<u32>,
    pub(super) release_at_cycles: Option<u32>,
    /// Whether one of the two is no whole number of slots in cycles: it was rounded up.
    pub(super) is_rounded: bool,
    #[serde(flatten)]
    pub(super) found: ClassMeasurement,
}

impl LlvmWrite {
    /// ReleaseAtCycles of each of its resources; the cache of destinations is held for one slot.
    pub(super) fn releases(&self) -> Vec<u32> {
        let release = |resource: &str| if resource == DESTINATIONS { 1 } else { self.release() };
        self.of.resource.split(", ").map(release).collect()
    }

    /// The latency, LLVM's where there is no other.
    pub(super) fn latency(&self) -> u32 {
        self.latency_slots.unwrap_or(self.of.llvm_latency_slots)
    }

    /// The cycle at which the resource is free, LLVM's where there is no other.
    pub(super) fn release(&self) -> u32 {
        self.release_at_cycles.unwrap_or(self.of.llvm_release_at_cycles)
    }

    /// What has to be said of the numbers: why they are LLVM's, or not one.
    pub(super) fn remarks(&self) -> Vec<String> {
        let ClassMeasurement { latency_cycles, independent_cycles, is_independent, .. } = &self.found;
        let mut remarks = Vec::new();
        match (latency_cycles.0.len(), independent_cycles.0.len()) {
            (0, 0) => remarks.push("not measured".to_owned()),
            (latencies, releases) => {
                if latencies > 1 {
                    remarks.push(format!("latency is not one number, in cycles: {}", latency_cycles.words()));
                } else if latencies == 0 {
                    remarks.push("latency not measured".to_owned());
                }
                if releases > 1 && !(*is_independent && latencies > 1) {
                    remarks.push(format!("release is not one number, in cycles: {}", independent_cycles.words()));
                }
            }
        }
        if *is_independent && self.latency_slots.is_some() {
            remarks.push("latency is that of independent instructions: no dependent ones were measured".to_owned());
        }
        if self.is_rounded {
            let ones = [latency_cycles, independent_cycles].map(|found| found.one().map(|one| one.cycles.clone()));
            let [latency, release] = ones.map(Option::unwrap_or_default);
            remarks.push(format!("rounded up to slots from latency {latency} and release {release} cycles"));
        }
        remarks
    }
}

/// Slots for a number of cycles, and whether that was rounded.
fn slots(cycles: f64, slot_cycles: f64) -> (u32, bool) {
    let slots = cycles / slot_cycles;
    (slots.ceil() as u32, slots.fract() != 0.0)
}

/// The SchedWrites of a run's target.
#[derive(Debug, Clone)]
pub(super) struct LlvmWrites {
    pub(super) writes: Vec<LlvmWrite>,
    /// Those of other models.
    pub(super) unsupported: Vec<String>,
    /// Instructions that are of none.
    pub(super) others: Option<String>,
}

/// The SchedWrite of a matrix instruction of CDNA, by its passes; those of waves are like others of their encoding.
///
/// Source: `SISchedule.td` of LLVM 22, the InstRW of the SI models.
fn of_matrix(processor: Processor, instruction: &Instruction) -> Option<String> {
    let operation = processor.generation.matrix_operation(instruction)?;
    let unit = if operation.engine == MatrixEngine::Dgemm { "DGEMM" } else { "MAI" };
    Some(format!("Write{}Pass{unit}", operation.written_passes().0))
}

/// Every SchedWrite of LLVM's model of the run's target.
///
/// # Errors
/// No model of the target is known.
pub(super) fn llvm_writes(run: &Results) -> Result<LlvmWrites, ExportError> {
    let schedulers = schedulers(run)?;
    let mut members = members(INSTRUCTIONS, run, &schedulers.llvm_model, true, of_matrix);
    let write = |of: WriteRow| {
        let found = ClassMeasurement::of(run, &members.remove(&of.write).unwrap_or_default(), of.measured_by);
        let in_slots = |one: &Candidate| slots(one.value, schedulers.slot_cycles);
        let [latency, release] =
            [&found.latency_cycles, &found.independent_cycles].map(|found| found.one().map(in_slots));
        LlvmWrite {
            of,
            latency_slots: latency.map(|(slots, _)| slots),
            release_at_cycles: release.map(|(slots, _)| slots.max(1)),
            is_rounded: [latency, release].into_iter().flatten().any(|(_, is_rounded)| is_rounded),
            found,
        }
    };
    let is_of_model =
        |row: &WriteRow| row.models.split(' ').any(|beginning| schedulers.llvm_model.starts_with(beginning));
    let (of_model, of_others): (Vec<_>, Vec<_>) = rows::<WriteRow>(WRITES).into_iter().partition(is_of_model);
    let writes: Vec<LlvmWrite> = of_model.into_iter().map(write).collect();
    let is_missing = |name: &String| writes.iter().all(|write| write.of.write != *name);
    let mut unsupported: Vec<String> = of_others.into_iter().map(|row| row.write).filter(is_missing).collect();
    unsupported.dedup();
    Ok(LlvmWrites { writes, unsupported, others: without_class(members.into_values().flatten()) })
}

#[cfg(test)]
mod tests {
    use super::slots;

    #[test]
    fn a_part_of_a_slot_is_a_slot() {
        let of_four = [4.0, 16.0, 18.0, 0.0].map(|cycles| slots(cycles, 4.0));
        assert_eq!(of_four, [(1, false), (4, false), (5, true), (0, false)]);
        assert_eq!([4.0, 18.5].map(|cycles| slots(cycles, 1.0)), [(4, false), (19, true)]);
    }
}
