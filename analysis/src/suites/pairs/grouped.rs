//! Pairs that take the same, and those that differ from most.

use gcn_model::quantity::Cycles;

use super::row::PairRow;
use crate::settle::CYCLES_RESOLUTION;
use crate::tables::{Measured, by_key};

/// Numbers of pairs: what most of them say, and those that say something else.
pub(super) struct Grouped<'r> {
    /// The whole number of cycles that most stand for.
    pub(super) most: f64,
    /// How many do.
    pub(super) alike: usize,
    /// The others that have a number.
    pub(super) others: Vec<(&'r PairRow, Measured<Cycles>)>,
}

impl<'r> Grouped<'r> {
    /// Groups the rows that have a number; `None` if none stands for a whole one.
    pub(super) fn of(numbers: &[(&'r PairRow, Measured<Cycles>)]) -> Option<Self> {
        let counts = by_key(numbers.iter().filter_map(|(_, number)| Some((whole(*number)?, ()))));
        // Of two that are as many the first.
        let (most, alike) =
            counts.into_iter().map(|(whole, of)| (whole, of.len())).rev().max_by_key(|(_, count)| *count)?;
        let others = numbers.iter().copied().filter(|(_, number)| whole(*number) != Some(most)).collect();
        Some(Self { most, alike, others })
    }
}

/// The whole number that a number of cycles stands for, with the interval of one of hundreds that are read side by side.
pub(super) fn whole(number: Measured<Cycles>) -> Option<f64> {
    let number = number.of_many();
    let least = (number.low.0 - CYCLES_RESOLUTION).ceil();
    let most = (number.high.0 + CYCLES_RESOLUTION).floor();
    // No −0.
    (least == most).then_some(least + 0.0)
}
