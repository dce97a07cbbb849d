//! The pairs of a run, in a line of the summary.

use gcn_model::quantity::Cycles;

use super::grouped::Grouped;
use super::row::PairRow;
use crate::tables::{Measured, plural};

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
    use crate::settle::Status;

    fn row(cycles: Option<f64>, shared: Option<SharedSource>) -> PairRow {
        let measured = |value| Measured { value: Cycles(value), low: Cycles(value), high: Cycles(value) };
        PairRow {
            first: "V_DUAL_MUL_F32".into(),
            second: "V_DUAL_ADD_F32".into(),
            shared,
            cycles: cycles.map(measured),
            in_sequence: None,
            more: None,
            status: Status::Ok,
            detail: String::new(),
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
