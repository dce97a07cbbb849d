//! Bytes that loads return in a cycle: rows of `returns.csv`.

use std::collections::HashMap;

use gcn_model::isa::{self, Operand};
use gcn_model::quantity::Cycles;
use gcn_model::record::{ExperimentKind, ExperimentRecord, RETURNS};

use crate::many_waves::ThroughputRow;
use crate::one_wave::OneWave;
use crate::suites::rule::of_rule;
use crate::tables::{Measured, table, words};

words! {
    /// Whose way back it is.
    pub enum WayBack {
        /// That of a single wave.
        Wave = "wave",
        /// That of all waves of a compute unit.
        ComputeUnit = "compute unit",
    }
}

table! { "returns.csv":
    /// A row of `returns.csv`.
    pub struct ReturnRow {
        pub instruction: String,
        pub way: WayBack,
        /// Waves on each SIMD; a single wave is 1, too.
        pub waves_per_simd: u32,
        /// Bytes in a shader cycle by which more loads take longer; absent if their cycles did not settle.
        pub bytes: Option<Measured> = "bytes_per_cycle" "low" "high",
        /// Why it is absent.
        pub detail: String,
    }
}

/// The rows of all loads with such experiments, those of a wave first.
pub(super) fn rows(waves: &OneWave<'_>, cases: &[ThroughputRow]) -> Vec<ReturnRow> {
    let by_experiment: HashMap<&str, &ThroughputRow> = cases.iter().map(|row| (row.experiment.as_str(), row)).collect();
    // Cycles of a block: those of the wave, or those of the compute unit divided by the blocks of all its waves.
    let cycles = |(position, record): (usize, &ExperimentRecord)| -> Result<Measured<Cycles>, String> {
        if record.kind == ExperimentKind::Block {
            return waves.slope(position).map(|slope| Measured::from(&slope.estimate)).map_err(|(_, why)| why);
        }
        let row = by_experiment.get(record.experiment.as_str()).ok_or("it was not launched")?;
        let cost = row.cost().ok_or_else(|| row.detail.clone())?;
        Ok(cost.scaled(f64::from(record.targets_per_block)))
    };
    let row = |(way, kind): (WayBack, ExperimentKind)| {
        let all: Vec<(usize, &ExperimentRecord)> =
            of_rule(waves, RETURNS).filter(|(_, record)| record.kind == kind).collect();
        let (few, many) = (all.first().copied()?, all.last().copied()?);
        let record = many.1;
        let found = cycles(few).and_then(|few| Ok((few, cycles(many)?)));
        let more_loads = f64::from(record.amount.unwrap_or(0).saturating_sub(few.1.amount.unwrap_or(0)));
        let bytes = found.and_then(|(few, many)| {
            let bytes = more_loads * bytes_of(waves, record).ok_or("its size is not known")?;
            many.minus(few).dividing(bytes, |bytes| bytes).ok_or_else(|| "more loads take no longer".to_owned())
        });
        Some(ReturnRow {
            instruction: record.instruction.clone(),
            way,
            waves_per_simd: record.waves_per_simd,
            detail: bytes.as_ref().err().cloned().unwrap_or_default(),
            bytes: bytes.ok(),
        })
    };
    [(WayBack::Wave, ExperimentKind::Block), (WayBack::ComputeUnit, ExperimentKind::Throughput)]
        .into_iter()
        .filter_map(row)
        .collect()
}

/// Bytes that all lanes of a wave load.
fn bytes_of(waves: &OneWave<'_>, record: &ExperimentRecord) -> Option<f64> {
    let run = waves.run;
    let load = isa::find(&record.instruction, run.generation)?;
    let registers = load.operands.iter().find(|operand| operand.is_written()).map(Operand::registers)?;
    Some(f64::from(4 * u32::from(registers) * run.record.device.lanes()))
}
