//! LLVM's SchedWrites compared with the measurement.

use gcn_model::isa::{Instruction, MatrixEngine, Processor};
use serde::{Deserialize, Serialize};

use super::class::{Candidate, Candidates, ClassMeasurement, MeasuredBy};
use super::classes::{members, rows, without_class};
use super::error::ExportError;
use super::target::schedulers;
use crate::results::Results;

const WRITES: (&str, &str) = ("llvm-writes.csv", include_str!("../../../data/export/llvm-writes.csv"));
const INSTRUCTIONS: (&str, &str) =
    ("llvm-instructions.csv", include_str!("../../../data/export/llvm-instructions.csv"));

/// The resource that each instruction of RDNA takes for a slot.
const DESTINATIONS: &str = "HWRC";

/// A row of `llvm-writes.csv`.
#[derive(Debug, Deserialize)]
struct WriteRow {
    /// Start of its models' names.
    models: String,
    write: String,
    resource: String,
    latency_slots: u32,
    release_at_cycles: u32,
    measured_by: MeasuredBy,
    source: String,
}

/// One of LLVM's SchedWrites, with its numbers in LLVM and those of a run, in the model's slots.
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
    /// ReleaseAtCycles of each of its resources; the cache of destinations is held for one slot.
    pub(super) fn releases(&self) -> Vec<u32> {
        let release = |resource: &str| if resource == DESTINATIONS { 1 } else { self.release() };
        self.resource.split(", ").map(release).collect()
    }

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
    let mut members = members(INSTRUCTIONS.0, INSTRUCTIONS.1, run, &schedulers.llvm_model, true, of_matrix)?;
    let write = |row: WriteRow| {
        let found = ClassMeasurement::of(&members.remove(&row.write).unwrap_or_default(), row.measured_by);
        let in_slots = |one: &Candidate| slots(one.value, schedulers.slot_cycles);
        let [latency, release] = [&found.latency, &found.cycles].map(|found| found.one().map(in_slots));
        LlvmWrite {
            write: row.write,
            resource: row.resource,
            llvm_latency_slots: row.latency_slots,
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
    let is_of_model =
        |row: &WriteRow| row.models.split(' ').any(|beginning| schedulers.llvm_model.starts_with(beginning));
    let (of_model, of_others): (Vec<_>, Vec<_>) =
        rows::<WriteRow>(WRITES.0, WRITES.1)?.into_iter().partition(is_of_model);
    let writes: Vec<LlvmWrite> = of_model.into_iter().map(write).collect();
    let is_missing = |name: &String| writes.iter().all(|write| write.write != *name);
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
