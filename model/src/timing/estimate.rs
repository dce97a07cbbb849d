//! Timings without a published source, each with its reason.

use std::{collections::HashMap, sync::LazyLock};

use serde::Deserialize;

use crate::{
    isa::{Encoding, Instruction},
    published::Expression,
};

/// Whether a jump can fall through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Jump {
    /// It is always taken.
    Always,
    /// It is taken or falls through.
    Conditional,
}

/// A row of `estimates.csv`: one instruction, or all of an encoding that have no row of their own.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Estimate {
    pub encoding: Encoding,
    /// The instruction; `None` for all others of the encoding.
    pub instruction: Option<String>,
    /// Shader cycles for one wave; `None` for a jump, whose cycles are the GPU's `[branch]`.
    pub cycles: Option<u32>,
    /// Instructions per cycle and compute unit, a number or a formula of the cycles.
    pub throughput: Expression,
    pub jump: Option<Jump>,
    /// Why this value.
    pub reason: String,
    /// The provenance of the reason.
    pub source: String,
}

/// The file of estimates, by encoding and instruction.
pub(super) struct Estimates {
    rows: Vec<Estimate>,
    by_key: HashMap<(Encoding, Option<String>), usize>,
}

static ESTIMATES: LazyLock<Estimates> = LazyLock::new(|| {
    let rows: Vec<Estimate> = csv::Reader::from_reader(include_str!("../../data/timings/estimates.csv").as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("built-in file: timings/estimates.csv: {error}"));
    let by_key = rows.iter().enumerate().map(|(index, row)| ((row.encoding, row.instruction.clone()), index)).collect();
    Estimates { rows, by_key }
});

/// All rows of the file of estimates.
///
/// # Panics
/// If the file that is built in is wrong, which the tests rule out.
pub fn estimates() -> &'static [Estimate] {
    &ESTIMATES.rows
}

impl Estimates {
    /// The estimate for one instruction by name, if the file has one.
    pub(super) fn of_instruction(instruction: &Instruction) -> Option<&'static Estimate> {
        let key = (instruction.encoding, Some(instruction.name.clone()));
        ESTIMATES.by_key.get(&key).map(|&index| &ESTIMATES.rows[index])
    }

    /// The estimate for everything else of an encoding.
    pub(super) fn of_encoding(encoding: Encoding) -> &'static Estimate {
        let index = ESTIMATES.by_key.get(&(encoding, None));
        &ESTIMATES.rows[*index.unwrap_or_else(|| panic!("timings/estimates.csv has no row for all of {encoding:?}"))]
    }
}
