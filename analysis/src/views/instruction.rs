//! Everything that a run knows about an instruction.

use serde_json::{Value, json};

use crate::many_waves::ThroughputRow;
use crate::occupancy::IssueRow;
use crate::one_wave::{Distribution, TimingRow, VariantRow};
use crate::results::Results;
use crate::rules::PenaltyRow;
use crate::verdict::{DisputeRow, ValidationRow};

/// The rows of a run that speak of an instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct InstructionView<'t> {
    /// Its row of `timings.csv`.
    pub timing: &'t TimingRow,
    /// Forms other than the plain one.
    pub variants: Vec<&'t VariantRow>,
    /// Throughput by waves.
    pub throughputs: Vec<&'t ThroughputRow>,
    /// What single executions took.
    pub distributions: Vec<&'t Distribution>,
    /// Places, neighbours and strides.
    pub penalties: Vec<&'t PenaltyRow>,
    /// Blocks that hold it among others.
    pub issue: Vec<&'t IssueRow>,
    /// What sources print.
    pub validation: Vec<&'t ValidationRow>,
    /// Questions on which sources contradict each other.
    pub disputes: Vec<&'t DisputeRow>,
}

/// Whether a text has this name as a word of its own.
fn names(text: &str, name: &str) -> bool {
    text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')).any(|word| word == name)
}

impl<'t> InstructionView<'t> {
    /// The rows of the instruction of this upper-case name; `None` if the run does not list it.
    pub fn of(run: &'t Results, name: &str) -> Option<Self> {
        let timing = run.timings.iter().find(|row| row.instruction == name)?;
        Some(Self {
            timing,
            variants: run.variants.iter().filter(|row| row.instruction == name).collect(),
            throughputs: run.throughputs.iter().filter(|row| row.instruction == name).collect(),
            distributions: run.distributions.iter().filter(|row| row.instruction == name).collect(),
            penalties: run.penalties.iter().filter(|row| names(&row.case, name)).collect(),
            issue: run.occupancy.issue.iter().filter(|row| names(&row.mix, name)).collect(),
            validation: run.validation.iter().filter(|row| row.instruction == name).collect(),
            disputes: run.disputes.iter().filter(|row| row.instruction == name).collect(),
        })
    }
}

/// The same as JSON: cycles are shader cycles, throughput is instructions per cycle per compute unit.
pub fn instruction_json(run: &Results, view: &InstructionView<'_>) -> Value {
    let timing = view.timing;
    json!({
        "device": run.record.device.name,
        "simulated": run.record.device.is_simulated(),
        "instruction": timing.instruction,
        "encoding": timing.encoding,
        "bytes": timing.bytes,
        "status": timing.status,
        "detail": timing.detail,
        "cycles": timing.cycles,
        "taken": timing.taken,
        "latency": timing.latency,
        "throughput": timing.throughput,
        "forms": view.variants.iter().map(|row| json!({
            "form": row.case, "quantity": row.quantity, "cycles": row.cycles, "status": row.status,
        })).collect::<Vec<_>>(),
        "throughputs": view.throughputs.iter().map(|row| json!({
            "form": row.case, "waves_per_simd": row.waves_per_simd, "throughput": row.throughput, "status": row.status,
        })).collect::<Vec<_>>(),
        "distribution": view.distributions.iter().flat_map(|found| found.rows()).map(|row| json!({
            "form": row.case, "cycles": row.value_cycles, "count": row.count,
        })).collect::<Vec<_>>(),
        "penalties": view.penalties.iter().map(|row| json!({
            "experiment": row.experiment, "case": row.case, "offset_dwords": row.offset_dwords,
            "waves_per_simd": row.waves_per_simd, "penalty_cycles": row.penalty,
        })).collect::<Vec<_>>(),
        "issue": view.issue.iter().map(|row| json!({
            "mix": row.mix, "waves_per_simd": row.waves_per_simd, "instructions_per_cycle": row.issue,
        })).collect::<Vec<_>>(),
        "published": view.validation.iter().map(|row| json!({
            "source": row.source, "quantity": row.quantity, "published": row.published, "expected": row.expected,
            "verdict": row.verdict,
        })).collect::<Vec<_>>(),
        "disputes": view.disputes.iter().map(|row| json!({
            "number": row.number, "question": row.question, "source": row.source, "predicted": row.predicted,
            "verdict": row.verdict,
        })).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn a_name_is_a_whole_word() {
        assert!(names("V_ADD_F32 > S_MOV_B32", "S_MOV_B32"));
        assert!(!names("V_ADD_F32_X > S_MOV_B32", "V_ADD_F32"));
        assert!(names("2 V_MOV_B32 + 1 S_NOP", "V_MOV_B32"));
    }
}
