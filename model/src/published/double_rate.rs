//! What DPFACTOR stands for: the multiples of it that instructions take, and its table.

use std::sync::LazyLock;

use super::{DpFactor, Expression, Published};
use crate::isa::Instruction;

/// The meaning of DPFACTOR on targets without published multiples of it. It is not a source: nothing is compared with it.
///
/// # Panics
/// If the built-in file is wrong, which the tests rule out.
pub fn double_rate() -> &'static Published {
    static RATE: LazyLock<Published> = LazyLock::new(|| {
        let read = Published::parse("double-rate", include_str!("../../data/timings/double-rate.toml"), "");
        read.unwrap_or_else(|error| panic!("built-in file: {error}"))
    });
    &RATE
}

/// Sources, then the meaning of DPFACTOR.
fn with_double_rate(sources: &[Published]) -> impl Iterator<Item = &Published> {
    sources.iter().chain([double_rate()])
}

/// Cycles per unit of DPFACTOR of an instruction on an LLVM target, where its cycles are a multiple of it.
pub fn dp_multiple(sources: &[Published], instruction: &Instruction, target: &str) -> Option<u32> {
    with_double_rate(sources).find_map(|source| match source.basis_on(instruction, target).cycles?.expression {
        Expression::DpFactor { multiple } => Some(multiple),
        _ => None,
    })
}

/// The table of DPFACTOR for an LLVM target: the rows of the first source that has some of the target.
pub fn dp_table(sources: &[Published], target: &str) -> Vec<DpFactor> {
    let tables = with_double_rate(sources).map(|source| source.dp_factors_on(target).cloned().collect::<Vec<_>>());
    tables.into_iter().find(|rows| !rows.is_empty()).unwrap_or_default()
}
