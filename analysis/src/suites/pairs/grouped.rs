//! Pairs that take the same, and those that differ from most; the line of the summary.

use gcn_model::quantity::Cycles;

use super::row::PairRow;
use crate::settle::CYCLES_RESOLUTION;
use crate::tables::{Measured, by_key, plural};

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

/// How many pairs take what, and how many have no number; `None` of a run without pairs.
pub(in crate::suites) fn words(rows: &[PairRow]) -> Option<String> {
    let legal: Vec<&PairRow> = rows.iter().filter(|row| row.shared.is_none()).collect();
    let known: Vec<(&PairRow, Measured<Cycles>)> = legal.iter().filter_map(|row| Some((*row, row.cycles?))).collect();
    let all = legal.len();
    if all == 0 {
        return None;
    }
    let Some(found) = Grouped::of(&known) else {
        return Some(format!("of {all}, none is known in whole cycles; see pairs.csv"));
    };
    let cycles = plural(found.most, "cycle");
    let others = match (found.others.len(), all - known.len()) {
        (0, 0) => String::new(),
        (others, 0) => format!(", {others} something else"),
        (0, unknown) => format!(", {unknown} not known"),
        (others, unknown) => format!(", {others} something else, {unknown} not known"),
    };
    Some(format!("{} of {all} take {cycles}{others}; see pairs.csv", found.alike))
}

#[cfg(test)]
mod tests {
    use gcn_model::record::SharedSource;

    use super::*;

    fn row(cycles: Option<f64>, shared: Option<SharedSource>) -> PairRow {
        PairRow {
            first: "V_DUAL_MUL_F32".into(),
            second: "V_DUAL_ADD_F32".into(),
            shared,
            cycles: cycles.map(|cycles| Measured::exactly(Cycles(cycles))),
            ..PairRow::default()
        }
    }

    #[test]
    fn most_others_and_unknown_ones_are_counted_apart() {
        let of = |cycles: &[Option<f64>]| {
            words(&cycles.iter().map(|cycles| row(*cycles, None)).collect::<Vec<_>>()).unwrap()
        };
        assert_eq!(of(&[Some(1.0), Some(1.0)]), "2 of 2 take 1 cycle; see pairs.csv");
        let said = of(&[Some(1.0), Some(3.0), Some(3.0), None]);
        assert_eq!(said, "2 of 4 take 3 cycles, 1 something else, 1 not known; see pairs.csv");
        assert_eq!(of(&[None]), "of 1, none is known in whole cycles; see pairs.csv");
        assert_eq!(words(&[row(Some(2.0), SharedSource::read("src0 bank"))]), None);
    }
}
