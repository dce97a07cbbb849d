//! ACO's classes compared with the measurement.

use gcn_model::isa::Instruction;
use serde::{Deserialize, Serialize};

use super::classes::{ClassMeasurement, ExportError, MeasuredBy, members, rows, schedulers, without_class};
use crate::results::Results;
use crate::views::origin::{SIMULATED, origin};

const CLASSES: &str = include_str!("../../../data/export/aco-classes.csv");
const INSTRUCTIONS: &str = include_str!("../../../data/export/aco-instructions.csv");

/// A row of `aco-classes.csv`: one of ACO's classes, with its numbers in ACO.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct ClassRow {
    #[serde(skip_serializing)]
    table: String,
    class: String,
    resource: String,
    #[serde(rename(deserialize = "latency_cycles"))]
    aco_latency_cycles: String,
    #[serde(rename(deserialize = "resource_cycles"))]
    aco_resource_cycles: String,
    #[serde(skip_serializing)]
    measured_by: MeasuredBy,
    source: String,
}

/// One of ACO's classes, with its numbers in ACO and those of a run, in cycles.
#[derive(Debug, Serialize)]
pub(super) struct AcoClass {
    #[serde(flatten)]
    of: ClassRow,
    #[serde(flatten)]
    found: ClassMeasurement,
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
    let mut members = members(INSTRUCTIONS, run, &table, false, of_matrix);
    let mut class = |of: ClassRow| {
        let found = ClassMeasurement::of(run, &members.remove(&of.class).unwrap_or_default(), of.measured_by);
        AcoClass { of, found }
    };
    let of_table = rows::<ClassRow>(CLASSES).into_iter().filter(|row| row.table == table);
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
    for AcoClass { of, found } in classes {
        let today = format!("ACO: {{{}}}, {}", of.aco_latency_cycles, of.aco_resource_cycles);
        let (latency, cycles) = (&found.latency_cycles, &found.independent_cycles);
        match (latency.one(), cycles.one()) {
            (Some(latency), Some(cycles)) => {
                let case = format!(
                    "case instr_class::{}: return {{{}, WAIT_USE({}, {})}};",
                    of.class, latency.cycles, of.resource, cycles.cycles
                );
                lines.push(format!("{case:<78} /* {today} */"));
            }
            _ if latency.is_empty() && cycles.is_empty() => {
                let why = if found.instructions == 0 { "no instruction of it" } else { "not measured" };
                lines.push(format!("/* {}: {why}; {today} */", of.class));
            }
            _ if latency.is_empty() => {
                lines.push(format!("/* {}: latency not measured; cycles {}; {today} */", of.class, cycles.words()));
            }
            _ => {
                let (class, latency, cycles) = (of.class, latency.words(), cycles.words());
                lines.push(format!("/* {class}: not one number; latency {latency}; cycles {cycles}; {today} */"));
            }
        }
    }
    lines.extend(others.map(|others| format!("/* of no class of ACO: {others} */")));
    Ok(lines.join("\n") + "\n")
}
