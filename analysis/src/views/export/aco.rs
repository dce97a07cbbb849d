//! ACO's classes compared with the measurement.

use gcn_model::isa::Instruction;
use serde::{Deserialize, Serialize};

use super::class::{Candidates, ClassMeasurement, MeasuredBy};
use super::classes::{members, rows, without_class};
use super::error::ExportError;
use super::target::schedulers;
use crate::results::Results;
use crate::views::origin::{SIMULATED, origin};

const CLASSES: (&str, &str) = ("aco-classes.csv", include_str!("../../../data/export/aco-classes.csv"));
const INSTRUCTIONS: (&str, &str) = ("aco-instructions.csv", include_str!("../../../data/export/aco-instructions.csv"));

/// A row of `aco-classes.csv`.
#[derive(Debug, Deserialize)]
struct ClassRow {
    table: String,
    class: String,
    resource: String,
    latency_cycles: String,
    resource_cycles: String,
    measured_by: MeasuredBy,
    source: String,
}

/// One of ACO's classes, with its numbers in ACO and those of a run, in cycles.
#[derive(Debug, Clone, Serialize)]
pub(super) struct AcoClass {
    pub(super) class: String,
    pub(super) resource: String,
    pub(super) aco_latency_cycles: String,
    pub(super) aco_resource_cycles: String,
    /// Instructions of the class in the run.
    pub(super) instructions: usize,
    pub(super) latency_cycles: Candidates,
    pub(super) independent_cycles: Candidates,
    /// Whether the latency is that of independent instructions.
    pub(super) is_independent: bool,
    pub(super) source: String,
}

/// ACO's class of matrix instructions; its table before GFX10 has none of it.
const MATRIX: &str = "wmma";

/// Every class of ACO's table for the run's target, and the instructions that are of none.
///
/// # Errors
/// The run's target has no table.
pub(super) fn aco_classes(run: &Results) -> Result<(Vec<AcoClass>, Option<String>), ExportError> {
    let table = schedulers(run)?.aco_table;
    let of_matrix = |_, instruction: &Instruction| instruction.is_matrix_operation().then(|| MATRIX.to_owned());
    let mut members = members(INSTRUCTIONS.0, INSTRUCTIONS.1, run, &table, false, of_matrix)?;
    let mut class = |row: ClassRow| {
        let found = ClassMeasurement::of(&members.remove(&row.class).unwrap_or_default(), row.measured_by);
        AcoClass {
            class: row.class,
            resource: row.resource,
            aco_latency_cycles: row.latency_cycles,
            aco_resource_cycles: row.resource_cycles,
            instructions: found.instructions,
            latency_cycles: found.latency,
            independent_cycles: found.cycles,
            is_independent: found.is_independent,
            source: row.source,
        }
    };
    let of_table = rows::<ClassRow>(CLASSES.0, CLASSES.1)?.into_iter().filter(|row| row.table == table);
    let classes = of_table.map(&mut class).collect();
    Ok((classes, without_class(members.into_values().flatten())))
}

/// The cases of `get_perf_info` in `aco_statistics.cpp`, with ACO's numbers in comments.
///
/// # Errors
/// The run's target has no table.
pub fn aco_text(run: &Results) -> Result<String, ExportError> {
    let mut lines: Vec<String> = Vec::new();
    if run.record.device.is_simulated() {
        lines.push(format!("/* {SIMULATED} */"));
    }
    lines.push(format!("/* {} */", origin(&run.record)));
    let table = schedulers(run)?.aco_table;
    lines.push(format!(
        "/* For get_perf_info in src/amd/compiler/aco_statistics.cpp of Mesa 25.0: the cases {table}, in cycles. */"
    ));
    let (classes, others) = aco_classes(run)?;
    for class in classes {
        let today = format!("ACO: {{{}}}, {}", class.aco_latency_cycles, class.aco_resource_cycles);
        let (latency, cycles) = (class.latency_cycles.one(), class.independent_cycles.one());
        match (latency, cycles) {
            (Some(latency), Some(cycles)) => {
                let case = format!(
                    "case instr_class::{}: return {{{}, WAIT_USE({}, {})}};",
                    class.class, latency.cycles, class.resource, cycles.cycles
                );
                lines.push(format!("{case:<78} /* {today} */"));
            }
            _ if class.latency_cycles.is_empty() && class.independent_cycles.is_empty() => {
                let why = if class.instructions == 0 { "no instruction of it" } else { "not measured" };
                lines.push(format!("/* {}: {why}; {today} */", class.class));
            }
            _ => lines.push(format!(
                "/* {}: not one number; latency {}; cycles {}; {today} */",
                class.class,
                class.latency_cycles.words(),
                class.independent_cycles.words()
            )),
        }
    }
    lines.extend(others.map(|others| format!("/* of no class of ACO: {others} */")));
    Ok(lines.join("\n") + "\n")
}
