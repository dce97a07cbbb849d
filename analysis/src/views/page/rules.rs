//! The CLRX table's sections on instruction alignment and instruction scheduling, and its statement on bank conflicts under its DS table: what
//! each case costs, and how the rule fared.

use std::collections::BTreeMap;

use gcn_model::record::{DeviceRecord, INSTRUCTION_CACHE, NeighbourCase};

use super::header::without_suite;
use crate::document::{Document, Topic};
use crate::results::Results;
use crate::rules::{LDS_STRIDE, PenaltyRow};
use crate::tables::{Verdict, cell, decimal, two, unique};

/// Rules about places, with what their table is called.
const PLACES: [(&str, &str); 4] = [
    ("alignment", "A 2-dword instruction at each dword of a line"),
    ("jump-forward", "A jump ahead to each dword of a line"),
    ("jump-backward", "A jump back to each dword of a line"),
    ("jump-not-taken", "A jump that is not taken at each dword of a line"),
];

/// The cases of alignment.
pub(super) fn alignment(page: &mut Document, analysis: &Results) {
    let front_end = analysis.front_end.as_ref();
    let is_placed = |row: &PenaltyRow| {
        row.experiment == INSTRUCTION_CACHE || PLACES.iter().any(|(rule, _)| row.experiment == *rule)
    };
    let title = "Instruction alignment";
    if front_end.is_none() && !analysis.penalties.iter().any(is_placed) {
        return without_suite(page, analysis, Topic::Alignment, title, "alignment");
    }
    let device = &analysis.record.device;
    let (is_simulated, is_in_clrx) = (device.is_simulated(), analysis.is_in_clrx());
    page.section(Topic::Alignment, 2, title);
    // Kept tables do not have what the readings of all sweeps say together.
    let shown = front_end.map_or_else(String::new, |found| format!(" The sweeps show: {found}."));
    page.paragraph(format!(
        "Extra cycles of a block over the same instructions at dword 0, or, where a case says \"in two dwords\", over the same operation in one.{shown}"
    ));
    for (rule, title) in PLACES {
        let rows: Vec<&PenaltyRow> = analysis.penalties.iter().filter(|row| row.experiment == rule).collect();
        if rows.is_empty() {
            continue;
        }
        page.part(title);
        let last = rows.iter().filter_map(|row| row.offset_dwords).max().unwrap_or_default();
        let dwords: Vec<u32> = (0..=last).collect();
        let mut head = vec!["Case".to_owned(), "Waves on a SIMD".to_owned()];
        head.extend(dwords.iter().map(u32::to_string));
        if is_in_clrx {
            head.push(if is_simulated { "The CLRX table's values" } else { "Compared with the CLRX table" }.to_owned());
        }
        // In the order of the run.
        let lines = unique(rows.iter().map(|row| (row.case.as_str(), row.waves_per_simd)));
        let lines = lines.into_iter().map(|(case, waves)| {
            let of_line = || rows.iter().filter(move |row| row.case == case && row.waves_per_simd == waves);
            let at = |dword: &u32| of_line().find(|row| row.offset_dwords == Some(*dword));
            let mut cells = vec![case.to_owned(), waves.to_string()];
            cells.extend(dwords.iter().map(|dword| at(dword).map(|row| penalty(row)).unwrap_or_default()));
            if is_in_clrx {
                cells.push(tally(of_line().copied(), device));
            }
            cells
        });
        page.table(head, lines);
    }
    cache(page, analysis);
}

/// Cost of a line of code by the size of the code.
fn cache(page: &mut Document, analysis: &Results) {
    let rows: Vec<&PenaltyRow> = analysis.penalties.iter().filter(|row| row.experiment == INSTRUCTION_CACHE).collect();
    if rows.is_empty() {
        return;
    }
    page.part("Code that no longer fits the instruction cache");
    let cells = rows.into_iter().map(|row| [row.case.clone(), penalty(row)]);
    page.table(["Code", "Cycles more for each 64-byte line"], cells);
}

/// The matrix of neighbours.
pub(super) fn scheduling(page: &mut Document, analysis: &Results) {
    let rows: Vec<&PenaltyRow> = analysis.penalties.iter().filter(|row| row.experiment == "scheduling").collect();
    let title = "Instruction scheduling";
    if rows.is_empty() {
        return without_suite(page, analysis, Topic::Scheduling, title, "scheduling");
    }
    page.section(Topic::Scheduling, 2, title);
    let is_in_clrx = analysis.is_in_clrx();
    let marked = if is_in_clrx { " A `!` marks a difference from the CLRX table." } else { "" };
    page.paragraph(format!(
        "Extra cycles that the second instruction waits directly after the first, compared with fillers between them, one wave.{marked}",
    ));
    let pairs: Vec<(&str, String, &PenaltyRow)> = rows
        .iter()
        .filter(|row| row.waves_per_simd == 1)
        .filter_map(|row| NeighbourCase::read(&row.case).map(|case| (case.producer, case.reader(), *row)))
        .collect();
    let producers = unique(pairs.iter().map(|(first, ..)| *first));
    let consumers = unique(pairs.iter().map(|(_, second, _)| second.as_str()));
    page.grid("First \\ second", &producers, &consumers, |producer, consumer| {
        let pair = pairs.iter().find(|(first, second, _)| (*first, second.as_str()) == (producer, consumer));
        let mark = |row: &PenaltyRow| if is_in_clrx && row.verdict == Verdict::Mismatch { " !" } else { "" };
        pair.map(|(_, _, row)| format!("{}{}", penalty(row), mark(row))).unwrap_or_default()
    });
    let masked: Vec<&&PenaltyRow> = rows.iter().filter(|row| row.waves_per_simd > 1).collect();
    if !masked.is_empty() {
        let waves_in_clrx = if is_in_clrx { ", where the CLRX table says that they are masked" } else { "" };
        page.paragraph(format!("The same on more waves{waves_in_clrx}:"));
        let columns = if is_in_clrx { 5 } else { 3 };
        let head = ["Pair", "Waves on a SIMD", "Penalty", "Expected by the CLRX table", "Compared with the CLRX table"];
        let cells = masked.into_iter().map(|row| {
            let verdict = row.verdict.word_on(&analysis.record.device).to_owned();
            let waves = row.waves_per_simd.to_string();
            [row.case.clone(), waves, penalty(row), row.expected.clone(), verdict][..columns].to_vec()
        });
        page.table(&head[..columns], cells);
    }
}

/// The stride sweep and the bank count, if the run has one.
pub(super) fn bank_conflicts(page: &mut Document, analysis: &Results) {
    let Some(banks) = analysis.lds_banks.as_ref() else { return };
    let rows = analysis.penalties.iter().filter(|row| row.experiment == LDS_STRIDE);
    let rows = rows.filter(|row| row.waves_per_simd == banks.waves_per_simd);
    let (level, title) = if analysis.is_in_clrx() { (3, "Bank conflicts") } else { (2, "LDS bank conflicts") };
    page.section(Topic::LdsBanks, level, title);
    page.paragraph(format!(
        "Lanes whose addresses are a stride apart meet in the same bank if stride and number of banks have a common divisor. The sweep \
         shows: {banks}. With the most conflicts, {} per cycle and compute unit pass.",
        decimal(1.0 / banks.worst.value.0),
    ));
    let columns = if analysis.is_in_clrx() { 5 } else { 3 };
    let head = [
        "Stride in dwords",
        "Cycles of the compute unit",
        "Penalty",
        "Expected by the CLRX table",
        "Compared with the CLRX table",
    ];
    let device = &analysis.record.device;
    let cells = |row: &PenaltyRow| {
        let stride = row.offset_dwords.map(|stride| stride.to_string()).unwrap_or_default();
        let total = row.penalty.map(|penalty| two(penalty.value.0 + banks.free.value.0)).unwrap_or_default();
        let verdict = row.verdict.word_on(device).to_owned();
        [stride, total, cell(row.penalty), row.expected.clone(), verdict][..columns].to_vec()
    };
    page.table(&head[..columns], rows.map(cells));
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
