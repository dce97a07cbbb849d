//! What alignment and jump targets cost, by the dword of the line: a table for each number of waves.

use std::collections::{BTreeMap, BTreeSet};

use super::axis::number;
use super::heat_map::{HeatMap, on_waves, stacked};
use super::judgement::{Judgement, listed, rounded};
use super::plan::Plan;
use crate::results::Results;
use crate::rules::PenaltyRow;
use crate::tables::{Measured, ascending, unique};

/// Dwords of a line of the instruction cache.
const LINE: u32 = 16;

const DWORD: u32 = 4;

/// Width of a column if there is room, pixels.
const COLUMN: f64 = 40.0;

/// The difference between the two pictures.
pub(super) struct Words {
    /// The start of the experiments' names.
    suite: &'static str,
    /// The label of a dword, and the word before it.
    subject: &'static str,
    /// The meaning of a number.
    legend: &'static str,
}

pub(super) const ALIGNMENT: Words = Words {
    suite: "alignment",
    subject: "A 2-dword instruction at",
    legend: "Extra cycles over a place without a charge, by the dword at which the instruction starts.",
};

pub(super) const JUMPS: Words = Words {
    suite: "jump",
    subject: "A jump to or at",
    legend: "Extra cycles over a place without a charge, by the dword of the jump's target; not taken: of the jump itself.",
};

/// One number: waves, case, dwords from the start of a line, cycles.
struct Cell {
    waves: u32,
    case: String,
    offset: u32,
    span: Measured,
}

/// The experiment without the suite's name, and the case.
fn name_of(row: &PenaltyRow, suite: &str) -> String {
    let kind = row.experiment.strip_prefix(suite).unwrap_or(&row.experiment).trim_start_matches('-');
    match (kind, row.case.as_str()) {
        ("", case) => case.to_owned(),
        (kind, "") => kind.to_owned(),
        (kind, case) => format!("{kind}: {case}"),
    }
}

pub(super) fn plan(run: &Results, words: &Words) -> Result<Plan<'static>, String> {
    let Words { suite, subject, legend } = words;
    let of_suite = || run.penalties.iter().filter(|row| row.experiment.starts_with(suite));
    if of_suite().next().is_none() {
        return Err(format!("penalties.csv has no experiment {suite}…: measure the alignment suite"));
    }
    let cells: Vec<Cell> = of_suite()
        .filter_map(|row| {
            let (offset, span) = (row.offset_dwords?, row.penalty?.plain());
            Some(Cell { waves: row.waves_per_simd, case: name_of(row, suite), offset, span })
        })
        .collect();
    if cells.is_empty() {
        return Err(format!("no row of an experiment {suite}… has an offset and a number"));
    }
    let block = run.front_end.as_ref().and_then(|found| found.block).map(|block| block.0 / DWORD);
    let borders = block.map(|dwords| format!(" Orange lines: blocks of {} bytes.", dwords * DWORD)).unwrap_or_default();
    let conclusion = conclusion(&cells, block, subject);
    Ok(stacked(conclusion, format!("{legend}{borders}"), "cycles", maps(&cells, block)))
}

/// A map for each number of waves, and one for cases that go through more lines than others.
fn maps(cells: &[Cell], block: Option<u32>) -> Vec<HeatMap> {
    let mut lines: BTreeMap<(u32, &str), u32> = BTreeMap::new();
    for cell in cells {
        let most = lines.entry((cell.waves, cell.case.as_str())).or_default();
        *most = (*most).max(cell.offset / LINE);
    }
    let keys: BTreeSet<(u32, u32)> = lines.iter().map(|((waves, _), lines)| (*waves, *lines)).collect();
    let lines = &lines;
    let map = |(waves, last): (u32, u32)| {
        let here =
            || cells.iter().filter(move |cell| cell.waves == waves && lines[&(waves, cell.case.as_str())] == last);
        let offsets = ascending(here().map(|cell| cell.offset));
        let rows = unique(here().map(|cell| cell.case.clone()));
        let at = |case: &str, offset: u32| here().find(|cell| cell.offset == offset && cell.case == case);
        let columns = |case: &String| offsets.iter().map(|&offset| at(case, offset).map(|cell| cell.span)).collect();
        let through = if last > 0 { format!(", through {} lines", last + 1) } else { String::new() };
        HeatMap {
            title: format!("{}{through}", on_waves(waves)),
            row_name: "case",
            column_name: "dword of the 64-byte line",
            cells: rows.iter().map(columns).collect(),
            rows,
            columns: offsets.iter().map(|offset| (offset % LINE).to_string()).collect(),
            borders: block.map(|block| borders(&offsets, block)).unwrap_or_default(),
            column: COLUMN,
        }
    };
    keys.into_iter().map(map).collect()
}

/// The columns that begin a block, and the end if one ends there.
fn borders(offsets: &[u32], block: u32) -> Vec<usize> {
    let begins =
        offsets.iter().enumerate().filter(|(_, offset)| offset.is_multiple_of(block)).map(|(column, _)| column);
    let ends = offsets.last().filter(|last| (*last + 1).is_multiple_of(block)).map(|_| offsets.len());
    begins.chain(ends).collect()
}

/// The certain conclusions of the numbers on the fewest waves.
fn conclusion(cells: &[Cell], block: Option<u32>, subject: &str) -> Option<String> {
    let waves = cells.iter().map(|cell| cell.waves).min()?;
    let size = block.unwrap_or(LINE);
    // What each dword of the block says.
    let mut seen: BTreeMap<u32, Vec<Judgement>> = BTreeMap::new();
    let mut costs: Vec<f64> = Vec::new();
    for cell in cells.iter().filter(|cell| cell.waves == waves) {
        let judgement = Judgement::of(cell.span);
        seen.entry(cell.offset % size).or_default().push(judgement);
        costs.extend((judgement == Judgement::Costs).then(|| rounded(cell.span)));
    }
    let all = |wanted: Judgement| move |of: &Vec<Judgement>| of.iter().all(|judgement| *judgement == wanted);
    let of = |holds: &dyn Fn(&Vec<Judgement>) -> bool| -> Vec<u32> {
        seen.iter().filter(|(_, of)| holds(of)).map(|(dword, _)| *dword).collect()
    };
    let free = of(&all(Judgement::Free));
    let charged = of(&|of| of.contains(&Judgement::Costs));
    let condition = if waves == 1 { String::new() } else { format!(", on {}", on_waves(waves)) };
    if free.len() == seen.len() {
        return Some(format!("{subject} any dword costs the same{condition}"));
    }
    let least = costs.iter().copied().fold(f64::MAX, f64::min);
    let most = costs.iter().copied().reduce(f64::max)?;
    let how_many = if least == most { number(most) } else { format!("{} to {}", number(least), number(most)) };
    let always = charged.iter().all(|dword| seen[dword].iter().all(|judgement| *judgement == Judgement::Costs));
    let can = if always { "costs" } else { "can cost" };
    let dwords = |of: &[u32]| format!("dword{} {}", if of.len() == 1 { "" } else { "s" }, listed(of));
    let rest = if free.is_empty() { String::new() } else { format!(", at {} none", dwords(&free)) };
    Some(format!("{subject} {} of {size} {can} {how_many} cycles more{rest}{condition}", dwords(&charged)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(of: &[(u32, f64, f64)]) -> Vec<Cell> {
        let cell = |&(offset, value, half): &(u32, f64, f64)| Cell {
            waves: 1,
            case: "A".into(),
            offset,
            span: Measured::around(value, half),
        };
        of.iter().map(cell).collect()
    }

    #[test]
    fn a_title_states_no_more_than_the_intervals() {
        let said = |of: &[(u32, f64, f64)]| conclusion(&cells(of), Some(4), "It at");
        assert_eq!(
            said(&[(0, 0.0, 0.0), (1, 0.1, 0.2), (2, 4.0, 0.1), (3, 4.0, 0.0), (6, 3.9, 0.2)]).as_deref(),
            Some("It at dwords 2 and 3 of 4 costs 4 cycles more, at dwords 0 and 1 none")
        );
        // One of the two at dword 2 costs nothing.
        assert_eq!(
            said(&[(0, 0.0, 0.0), (2, 8.0, 0.1), (6, 0.0, 0.0), (3, 4.0, 0.0)]).as_deref(),
            Some("It at dwords 2 and 3 of 4 can cost 4 to 8 cycles more, at dword 0 none")
        );
        assert_eq!(said(&[(0, 0.0, 0.1), (1, 0.2, 0.2)]).as_deref(), Some("It at any dword costs the same"));
        // Nothing is sure of an interval from -3 to 5.
        assert_eq!(said(&[(0, 0.0, 0.0), (1, 1.0, 4.0)]), None);
        assert_eq!(said(&[(0, 0.0, 3.0), (1, 6.0, 2.0)]).as_deref(), Some("It at dword 1 of 4 costs 6 cycles more"));
    }

    #[test]
    fn blocks_end_where_the_offsets_do() {
        assert_eq!(borders(&[0, 1, 2, 3, 4, 5, 6, 7], 4), [0, 4, 8]);
        assert_eq!(borders(&[1, 2, 3, 4, 5], 4), [3]);
    }
}
