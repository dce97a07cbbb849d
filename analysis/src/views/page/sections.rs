//! The page's sections, and what lies beyond them.

use std::collections::BTreeMap;

use gcn_model::isa::Generation;

use super::listing::{Listed, Listing, cycles, throughput};
use crate::document::{Document, Topic};
use crate::one_wave::{GLC, TimingRow, VariantRow};
use crate::results::{Guesses, Results};
use crate::tables::{Measured, Quantity, cell, marked, plural, two};

/// Least difference of another form that is worth a line, shader cycles: a quarter is the resolution of all cycles.
const WORTH_A_LINE: f64 = 0.25;

/// A section of the page: the usual cycles of its instructions, its table, and the remarks on single forms.
pub(super) fn section(page: &mut Document, analysis: &Results, listing: &Listing<'_>, section: &str) {
    let rows = listing.section(section);
    if rows.is_empty() {
        return;
    }
    page.section(Topic::Instructions, 2, format!("{section} instruction timings"));
    let measured: Vec<&TimingRow> = rows.iter().filter_map(|row| row.timing).collect();
    if let Some(sentence) = most(&measured, section) {
        page.paragraph(sentence);
    }
    if section == "MUBUF" && !analysis.glc.is_empty() {
        let found: Vec<String> = analysis.glc.iter().map(ToString::to_string).collect();
        page.paragraph(format!("With the GLC modifier: {} cycles more.", found.join(", ")));
    }
    let guesses = Guesses::of(&analysis.record.device);
    if section == "SOPP" {
        jumps(page, analysis, rows, &guesses);
    } else {
        page.table(
            ["Instruction", "Cycles", "Latency", "Throughput", "Published"],
            rows.iter().map(|row| {
                let cells = row.timing.map(|timing| timing_cells(timing, analysis, &guesses));
                let [cycles, latency, throughput] = cells.unwrap_or_default();
                [row.instruction.to_owned(), cycles, latency, throughput, row.published.clone()]
            }),
        );
    }
    let names: Vec<&str> = rows.iter().map(|row| row.instruction).collect();
    single_values(page, analysis, &names);
    other_forms(page, analysis, &names);
}

/// Every instruction that is in no section of the page, by encoding.
pub(super) fn beyond(page: &mut Document, analysis: &Results, listing: &Listing<'_>) {
    if listing.beyond.is_empty() {
        return;
    }
    if listing.is_in_clrx {
        let total: usize = listing.beyond.iter().map(|(_, rows)| rows.len()).sum();
        page.section(Topic::Instructions, 2, "Not in the CLRX table");
        page.paragraph(format!("{} that the CLRX table does not list.", plural(total, "instruction")));
    }
    let guesses = Guesses::of(&analysis.record.device);
    for (encoding, rows) in &listing.beyond {
        if listing.is_in_clrx {
            page.part(encoding.as_str());
        } else {
            page.section(Topic::Instructions, 2, format!("{encoding} instructions"));
        }
        page.table(
            ["Instruction", "Cycles", "Latency", "Throughput"],
            rows.iter().map(|row| {
                let [cycles, latency, throughput] = timing_cells(row, analysis, &guesses);
                [row.instruction.clone(), cycles, latency, throughput]
            }),
        );
        let names: Vec<&str> = rows.iter().map(|row| row.instruction.as_str()).collect();
        single_values(page, analysis, &names);
        other_forms(page, analysis, &names);
    }
}

/// The row of an instruction in another form than its plain one.
fn form<'a>(analysis: &'a Results, instruction: &str, case: &str, quantity: Quantity) -> Option<&'a VariantRow> {
    let is_it = |row: &&VariantRow| row.instruction == instruction && row.case == case && row.quantity.0 == quantity;
    analysis.variants.iter().find(is_it)
}

/// What the assembler of the run's target calls GLC; scalar memory has the word everywhere.
fn glc_word(row: &TimingRow, analysis: &Results) -> String {
    let generation = analysis.record.device.known_generation().filter(|_| row.encoding != "SMEM");
    let word = |of: Generation| of.assembly.cache_policy.glc.trim_start_matches("th:").to_uppercase();
    generation.map_or_else(|| "GLC".to_owned(), word)
}

/// Cycles, latency and throughput; the cycles with what GLC adds.
fn timing_cells(row: &TimingRow, analysis: &Results, guesses: &Guesses) -> [String; 3] {
    let glc = form(analysis, &row.instruction, GLC, Quantity::Cycles);
    let guess = guesses.on(&row.instruction);
    let mut cycles = marked(cycles(row), guess.cycles);
    if let Some(difference) = glc.and_then(|glc| glc.difference) {
        let [value, low, high] = difference.numbers();
        let more = if value < 0.0 { [-value, -high, -low] } else { [value, low, high] };
        let more = cell(Some(Measured::from(more)));
        let glc = glc_word(row, analysis);
        cycles = format!("{cycles} {} {more} with {glc}", if value < 0.0 { "−" } else { "+" });
    }
    [cycles, marked(cell(row.latency), guess.latency), marked(throughput(row), guess.throughput)]
}

/// How many of the instructions take how many cycles.
fn most(rows: &[&TimingRow], section: &str) -> Option<String> {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    let of = rows.iter().filter(|row| row.cycles.is_some()).count();
    for snapped in rows.iter().filter_map(|row| row.cycles_snapped) {
        *counts.entry(snapped.0 as u32).or_default() += 1;
    }
    let others = of - counts.values().sum::<usize>();
    if of < 2 || counts.is_empty() {
        return None;
    }
    if let (Some((cycles, _)), 1, 0) = (counts.first_key_value(), counts.len(), others) {
        return Some(format!("All {of} measured {section} instructions take {cycles} cycles."));
    }
    let take = |count: &usize| if *count == 1 { "takes" } else { "take" };
    let parts = counts.iter().map(|(cycles, count)| format!("{count} {} {cycles} cycles", take(count)));
    let mut parts: Vec<String> = parts.collect();
    if others > 0 {
        parts.push(format!("{others} {} no multiple of 4", take(&others)));
    }
    Some(format!("Of {of} measured {section} instructions, {}.", parts.join(", ")))
}

/// Jumps: not taken, taken, taken backwards.
fn jumps(page: &mut Document, analysis: &Results, rows: &[Listed<'_>], guesses: &Guesses) {
    let line = |row: &Listed<'_>| {
        let backward = form(analysis, row.instruction, "backward", Quantity::TakenCycles);
        let guess = guesses.on(row.instruction);
        let [untaken, taken] = [row.timing.and_then(|it| it.cycles), row.timing.and_then(|it| it.taken)].map(cell);
        let backward = cell(backward.and_then(|variant| variant.cycles));
        let [taken, backward] = [taken, backward].map(|number| marked(number, guess.taken));
        [row.instruction.to_owned(), marked(untaken, guess.cycles), taken, backward, row.published.clone()]
    };
    page.table(["Instruction", "Not taken", "Taken", "Taken backwards", "Published"], rows.iter().map(line));
}

/// What single instances took, where that was counted.
fn single_values(page: &mut Document, analysis: &Results, names: &[&str]) {
    let found: Vec<_> =
        analysis.distributions.iter().filter(|found| names.contains(&found.instruction.as_str())).collect();
    if found.is_empty() {
        return;
    }
    page.paragraph("Single executions, cycles and counts:");
    for found in found {
        let case = if found.case.is_empty() { String::new() } else { format!(" ({})", found.case) };
        page.item(format!("{}{case}: {found}", found.instruction));
    }
}

/// Other forms: those that take more or less than the plain one by name, the others by number.
fn other_forms(page: &mut Document, analysis: &Results, names: &[&str]) {
    let is_shown_elsewhere = |row: &VariantRow| {
        row.case == GLC && row.quantity.0 == Quantity::Cycles
            || row.case == "backward" && row.quantity.0 == Quantity::TakenCycles
    };
    let rows = analysis.variants.iter();
    let rows: Vec<&VariantRow> =
        rows.filter(|row| names.contains(&row.instruction.as_str()) && !is_shown_elsewhere(row)).collect();
    let differs = |row: &VariantRow| {
        row.difference.is_some_and(|difference| {
            let [value, low, high] = difference.numbers();
            value.abs() > WORTH_A_LINE && (low > 0.0 || high < 0.0)
        })
    };
    let same = rows.iter().filter(|row| row.difference.is_some() && !differs(row)).count();
    if rows.iter().any(|row| differs(row)) {
        page.paragraph("Other forms with different cycles:");
    }
    for row in rows.iter().filter(|row| differs(row)) {
        let cycles = cell(row.cycles);
        let more = row.difference.map_or(0.0, |difference| difference.value.0);
        let sign = if more < 0.0 { "−" } else { "+" };
        let (instruction, case, quantity) = (&row.instruction, &row.case, row.quantity);
        page.item(format!("{instruction}, {case}: {quantity} {cycles} ({sign}{})", two(more.abs())));
    }
    if same > 0 {
        page.paragraph(format!("Equal to the plain form: {} (variants.csv).", plural(same, "other form")));
    }
}
