//! The cycles of each execution, where they differ.

use std::collections::BTreeMap;
use std::fmt;

use super::slopes::{ALONE, Form, OneWave, has_alone};
use crate::run::StoredRun;
use crate::settle::{Sample, least_block_cycles};
use crate::statistics::HampelSplit;
use crate::tables::table;
use gcn_model::record::ExperimentKind;

/// Rows of `distributions.csv` of an instruction: how often an instance of it alone took each number of cycles.
#[derive(Debug, Clone, PartialEq)]
pub struct Distribution {
    pub instruction: String,
    /// In which other form than the plain one; empty for that.
    pub case: String,
    /// Shader cycles, rounded to whole ones for counting, and how many samples took them; ascending.
    pub values: Vec<(i64, usize)>,
    /// Samples dropped: below the physical bound, or outliers by Hampel's rule.
    pub dropped: usize,
    /// The common shift of all values, at most, shader cycles: half of the 95 % interval of a reading's cost.
    pub shift: f64,
}

impl Distribution {
    /// Samples that were counted.
    pub fn count(&self) -> usize {
        self.values.iter().map(|(_, count)| count).sum()
    }
}

table! { "distributions.csv":
    /// A row of `distributions.csv`: a number of cycles.
    pub struct DistributionRow {
        pub instruction: String,
        /// In which other form than the plain one; empty for that.
        pub case: String,
        /// Shader cycles of single executions.
        pub value_cycles: f64,
        /// Executions with these cycles.
        pub count: usize,
        pub share: f64,
    }
}

impl Distribution {
    pub fn rows(&self) -> impl Iterator<Item = DistributionRow> {
        let of = self.count().max(1) as f64;
        self.values.iter().map(move |&(cycles, count)| DistributionRow {
            instruction: self.instruction.clone(),
            case: self.case.clone(),
            value_cycles: cycles as f64,
            count,
            share: count as f64 / of,
        })
    }

    /// Of rows that were kept.
    pub(crate) fn of_rows(rows: &[DistributionRow]) -> Vec<Self> {
        let is_same = |a: &DistributionRow, b: &DistributionRow| (&a.instruction, &a.case) == (&b.instruction, &b.case);
        let of = |rows: &[DistributionRow]| Self {
            instruction: rows[0].instruction.clone(),
            case: rows[0].case.clone(),
            values: rows.iter().map(|row| (row.value_cycles as i64, row.count)).collect(),
            dropped: 0,
            shift: 0.0,
        };
        rows.chunk_by(is_same).map(of).collect()
    }
}

impl fmt::Display for Distribution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (cycles, count)) in self.values.iter().enumerate() {
            write!(f, "{}{cycles} ×{count}", if index == 0 { "" } else { ", " })?;
        }
        // Less than what rounding to whole cycles does anyway.
        if self.shift >= 0.5 { write!(f, " (all shifted by up to {:.1})", self.shift) } else { Ok(()) }
    }
}

/// The distribution of a form, if it has a section of a single instruction and its slope settled.
///
/// A value is a sample less the cost of the readings ([`OneWave::reading_cost`]) and less the fillers.
pub(crate) fn distribution(run: &StoredRun, waves: &OneWave<'_>, form: &Form<'_>) -> Option<Distribution> {
    let position = waves.find(form, ExperimentKind::Cycles)?;
    let record = &run.experiments[position];
    let samples: Vec<Sample> = run.readings_of(position).iter().map(Sample::from).collect();
    let is_one = record.targets_per_block == 1 && record.repeats == 1;
    if !is_one || !has_alone(&samples, record.kind) {
        return None;
    }
    let cost = waves.reading_cost(position).ok()?;
    let around = cost.value + waves.fillers_of(record).ok()?.value;
    let alone: Vec<f64> = samples.iter().filter(|sample| sample.n == ALONE).map(|sample| sample.cycles.0).collect();
    let possible = alone.iter().filter(|cycles| **cycles >= least_block_cycles(record, run.generation));
    let values: Vec<f64> = possible.map(|cycles| cycles - around).collect();
    let split = HampelSplit::of(&values);
    let mut counts: BTreeMap<i64, usize> = BTreeMap::new();
    for (value, _) in values.iter().zip(&split.keep).filter(|&(_, &keep)| keep) {
        *counts.entry(value.round() as i64).or_default() += 1;
    }
    Some(Distribution {
        instruction: form.instruction.to_owned(),
        case: form.case.to_owned(),
        values: counts.into_iter().collect(),
        dropped: alone.len() - values.len() + split.dropped(),
        shift: cost.half_width(),
    })
}
