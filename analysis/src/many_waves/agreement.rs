//! Numbers of waves that cannot all be true.
//!
//! More waves never do less together, and none of them does more than where there are fewer (see [`Capacity`](super::Capacity)). Of two
//! rows that break this one is spoiled. The rows that contradict most others are not stated; where two stand against each other, neither is.

use std::collections::BTreeMap;

use super::settled::{Plateau, Settled};
use super::throughput::ThroughputRow;
use crate::settle::{Status, THROUGHPUT_RESOLUTION};

/// Makes rows unstable that others of the same instruction and form contradict.
pub(crate) fn find_contradictions(rows: &mut [ThroughputRow]) {
    let mut forms: BTreeMap<(String, String), Vec<usize>> = BTreeMap::new();
    for (index, row) in rows.iter().enumerate() {
        if !row.is_rule && row.status == Status::Ok && row.throughput.is_some() {
            forms.entry((row.instruction.clone(), row.case.clone())).or_default().push(index);
        }
    }
    for mut stated in forms.into_values() {
        leave_out_above_plateau(rows, &mut stated);
        loop {
            let against = |index: usize| -> Vec<u32> {
                let others = stated.iter().filter(|other| **other != index);
                let contradicting = others.filter(|other| contradict(&rows[index], &rows[**other]));
                contradicting.map(|other| rows[*other].waves_per_simd).collect()
            };
            let votes: Vec<Vec<u32>> = stated.iter().map(|index| against(*index)).collect();
            let most = votes.iter().map(Vec::len).max().unwrap_or(0);
            if most == 0 {
                break;
            }
            let (mut kept, mut spoiled) = (Vec::new(), Vec::new());
            for (index, votes) in stated.iter().zip(votes) {
                if votes.len() == most { spoiled.push((*index, votes)) } else { kept.push(*index) }
            }
            for (index, votes) in spoiled {
                let why = "more waves never do less, and none more than alone";
                contradicted(&mut rows[index], &votes, why);
            }
            stated = kept;
        }
    }
}

/// Makes rows unstable that are above what two rows of fewer waves agree on, however many they are.
fn leave_out_above_plateau(rows: &mut [ThroughputRow], stated: &mut Vec<usize>) {
    let settled = |row: &ThroughputRow| Settled::of(row, f64::INFINITY);
    let all: Vec<Settled> = stated.iter().filter_map(|index| settled(&rows[*index])).collect();
    let Some(plateau) = Plateau::of(&all) else { return };
    let is_above = |index: &usize| settled(&rows[*index]).is_some_and(|row| plateau.is_exceeded_by(&row));
    let (above, kept): (Vec<usize>, Vec<usize>) = stated.iter().partition(|index| is_above(index));
    for index in above {
        contradicted(&mut rows[index], &plateau.waves(), "they agree, and more waves do no more then");
    }
    *stated = kept;
}

fn contradicted(row: &mut ThroughputRow, waves: &[u32], why: &str) {
    let waves: Vec<_> = waves.iter().map(u32::to_string).collect();
    row.status = Status::Unstable;
    row.detail = format!("contradicted by {} waves: {why}", waves.join(", "));
}

/// Whether two rows of an instruction contradict each other, for all values in their intervals.
fn contradict(one: &ThroughputRow, other: &ThroughputRow) -> bool {
    let (few, many) = if one.waves_per_simd < other.waves_per_simd { (one, other) } else { (other, one) };
    let (Some(of_few), Some(of_many)) = (few.throughput, many.throughput) else { return false };
    let times = f64::from(many.waves_per_simd) / f64::from(few.waves_per_simd);
    let does_less = of_many.high.0 * (1.0 + THROUGHPUT_RESOLUTION) < of_few.low.0;
    let does_more = of_many.low.0 * (1.0 - THROUGHPUT_RESOLUTION) > of_few.high.0 * times;
    does_less || does_more
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stated(rows: &[(u32, f64)]) -> Vec<u32> {
        let found = rows.iter().map(|&(waves, value)| ThroughputRow::example(waves, Some((value, value * 0.01))));
        let mut rows: Vec<_> = found.collect();
        find_contradictions(&mut rows);
        rows.iter().filter(|row| row.status == Status::Ok).map(|row| row.waves_per_simd).collect()
    }

    #[test]
    fn rows_that_can_be_true_together_stay() {
        assert_eq!(stated(&[(1, 1.0), (2, 2.0), (4, 4.0), (8, 4.0)]), [1, 2, 4, 8]);
        assert_eq!(stated(&[(1, 0.4), (2, 0.7), (4, 1.0), (8, 1.0)]), [1, 2, 4, 8]);
    }

    #[test]
    fn a_row_is_outvoted() {
        assert_eq!(stated(&[(1, 4.0), (2, 4.0), (4, 2.0), (8, 4.0)]), [1, 2, 8]);
        assert_eq!(
            stated(&[(1, 1.0), (2, 2.0), (4, 9.0), (8, 4.0)]),
            [1, 2, 8],
            "a wave does not do more beside others"
        );
    }

    #[test]
    fn two_rows_that_agree_contradict_all_that_are_above_them() {
        assert_eq!(stated(&[(1, 1.0), (2, 1.0), (4, 1.29), (8, 1.39), (10, 1.39)]), [1, 2]);
        assert_eq!(stated(&[(1, 0.5), (2, 1.0), (4, 1.001), (8, 1.06)]), [1, 2, 4]);
    }

    #[test]
    fn two_contradicting_rows_are_both_unstable() {
        assert!(stated(&[(1, 4.0), (2, 2.0)]).is_empty());
        assert!(stated(&[(1, 1.0), (2, 3.0)]).is_empty());
    }
}
