//! The CLRX table's sections on instruction alignment and instruction scheduling: what each case costs, and how the rule fared.

use std::collections::BTreeMap;

use gcn_model::record::{DeviceRecord, NeighbourCase};

use super::cells::cell;
use super::listing::is_in_clrx;
use super::text::Page;
use crate::results::Results;
use crate::rules::PenaltyRow;
use crate::tables::Verdict;

/// Rules about places, with what their table is called.
const PLACES: [(&str, &str); 4] = [
    ("alignment", "A 2-dword instruction at each dword of a line"),
    ("jump-forward", "A jump ahead to each dword of a line"),
    ("jump-backward", "A jump back to each dword of a line"),
    ("jump-not-taken", "A jump that is not taken at each dword of a line"),
];

/// The cases of alignment; nothing if the run has none.
pub(super) fn alignment(page: &mut Page, analysis: &Results) {
    let Some(front_end) = analysis.front_end.as_ref() else { return };
    let device = &analysis.record.device;
    let (is_simulated, is_in_clrx) = (device.is_simulated(), is_in_clrx(analysis));
    page.line("\n## Instruction alignment\n");
    page.line(&format!(
        "Extra cycles of a block over the same instructions at dword 0, or, where a case says \"in two dwords\", over the same operation in one. The sweeps show: {front_end}."
    ));
    for (rule, title) in PLACES {
        let rows: Vec<&PenaltyRow> = analysis.penalties.iter().filter(|row| row.experiment == rule).collect();
        if rows.is_empty() {
            continue;
        }
        page.line(&format!("\n### {title}\n"));
        let last = rows.iter().filter_map(|row| row.offset_dwords).max().unwrap_or_default();
        let dwords: Vec<u32> = (0..=last).collect();
        let mut head = vec!["Case".to_owned(), "Waves on a SIMD".to_owned()];
        head.extend(dwords.iter().map(u32::to_string));
        if is_in_clrx {
            head.push(if is_simulated { "The CLRX table's values" } else { "Compared with the CLRX table" }.to_owned());
        }
        page.head(&head.iter().map(String::as_str).collect::<Vec<_>>());
        // In the order of the run, each case and number of waves once.
        let mut lines: Vec<(&str, u32)> = Vec::new();
        for row in &rows {
            let key = (row.case.as_str(), row.waves_per_simd);
            if !lines.contains(&key) {
                lines.push(key);
            }
        }
        for (case, waves) in lines {
            let of_line = || rows.iter().filter(move |row| row.case == case && row.waves_per_simd == waves);
            let at = |dword: &u32| of_line().find(|row| row.offset_dwords == Some(*dword));
            let mut cells = vec![case.to_owned(), waves.to_string()];
            cells.extend(dwords.iter().map(|dword| at(dword).map(|row| penalty(row)).unwrap_or_default()));
            if is_in_clrx {
                cells.push(tally(of_line().copied(), device));
            }
            page.row(&cells);
        }
    }
    cache(page, analysis);
}

/// Cost of a line of code by the size of the code.
fn cache(page: &mut Page, analysis: &Results) {
    let rows: Vec<&PenaltyRow> =
        analysis.penalties.iter().filter(|row| row.experiment == "instruction-cache").collect();
    if rows.is_empty() {
        return;
    }
    page.line("\n### Code that no longer fits the instruction cache\n");
    page.head(&["Code", "Cycles more for each 64-byte line"]);
    for row in rows {
        page.row(&[row.case.clone(), penalty(row)]);
    }
}

/// The matrix of neighbours; nothing if the run has none.
pub(super) fn scheduling(page: &mut Page, analysis: &Results) {
    let rows: Vec<&PenaltyRow> = analysis.penalties.iter().filter(|row| row.experiment == "scheduling").collect();
    if rows.is_empty() {
        return;
    }
    page.line("\n## Instruction scheduling\n");
    let is_in_clrx = is_in_clrx(analysis);
    let marked = if is_in_clrx { " A `!` marks a difference from the CLRX table." } else { "" };
    page.line(&format!(
        "Extra cycles that the second instruction waits directly after the first, compared with fillers between them, one wave.{marked}\n",
    ));
    let pairs: Vec<(&str, String, &PenaltyRow)> = rows
        .iter()
        .filter(|row| row.waves_per_simd == 1)
        .filter_map(|row| NeighbourCase::read(&row.case).map(|case| (case.producer, case.reader(), *row)))
        .collect();
    let (mut producers, mut consumers): (Vec<&str>, Vec<&str>) = Default::default();
    for (first, second, _) in &pairs {
        for (names, name) in [(&mut producers, first), (&mut consumers, &second.as_str())] {
            if !names.contains(name) {
                names.push(name);
            }
        }
    }
    let head: Vec<&str> = std::iter::once("First \\ second").chain(consumers.iter().copied()).collect();
    page.head(&head);
    for producer in producers {
        let mut cells = vec![producer.to_owned()];
        cells.extend(consumers.iter().map(|consumer| {
            let pair = pairs.iter().find(|(first, second, _)| (*first, second.as_str()) == (producer, *consumer));
            let mark = |row: &PenaltyRow| if is_in_clrx && row.verdict == Verdict::Mismatch { " !" } else { "" };
            pair.map(|(_, _, row)| format!("{}{}", penalty(row), mark(row))).unwrap_or_default()
        }));
        page.row(&cells);
    }
    let masked: Vec<&&PenaltyRow> = rows.iter().filter(|row| row.waves_per_simd > 1).collect();
    if !masked.is_empty() {
        let waves_in_clrx = if is_in_clrx { ", where the CLRX table says that they are masked" } else { "" };
        page.line(&format!("\nThe same on more waves{waves_in_clrx}:\n"));
        let columns = if is_in_clrx { 5 } else { 3 };
        page.head(
            &["Pair", "Waves on a SIMD", "Penalty", "Expected by the CLRX table", "Compared with the CLRX table"]
                [..columns],
        );
        for row in masked {
            let verdict = row.verdict.word_on(&analysis.record.device).to_owned();
            let waves = row.waves_per_simd.to_string();
            page.row(&[row.case.clone(), waves, penalty(row), row.expected.clone(), verdict][..columns]);
        }
    }
}

fn penalty(row: &PenaltyRow) -> String {
    row.penalty.map_or_else(|| "?".to_owned(), |penalty| cell(Some(penalty)))
}

/// `16 match`, `14 match, 2 mismatch`.
fn tally<'a>(rows: impl Iterator<Item = &'a PenaltyRow>, device: &DeviceRecord) -> String {
    let mut counts: BTreeMap<Verdict, usize> = BTreeMap::new();
    for row in rows {
        *counts.entry(row.verdict).or_default() += 1;
    }
    counts.iter().map(|(verdict, count)| format!("{count} {}", verdict.word_on(device))).collect::<Vec<_>>().join(", ")
}
