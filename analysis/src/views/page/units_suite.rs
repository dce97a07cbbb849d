//! The results of the suite `units`: the latencies from unit to unit, S_DELAY_ALU, and free instructions of transcendental ones.

use super::cells::{cell, two};
use super::text::Page;
use crate::results::Results;
use crate::units::{UnitRow, Units};

/// The section, if the run has the suite.
pub(super) fn units_suite(page: &mut Page, analysis: &Results) {
    let found = &analysis.units;
    if !found.cells.is_empty() {
        matrix(page, found);
        details(page, found);
    }
    delays(page, found);
    beside(page, found);
}

/// The producers, each a line, and the consumers, each a column.
fn matrix(page: &mut Page, found: &Units) {
    page.line("\n## Latencies between units\n");
    page.line(
        "Shader cycles from the issue of the producer (line) to that of the consumer (column) that reads its result, one wave. ≤: the consumer does not certainly wait longer than an independent one. \\* where a required instruction between the two is included, such as the wait for memory. Empty where the consumer cannot read the producer's registers, ? where there is no number; \
         `units.csv` says why. The intervals are of 99.9 %.",
    );
    let consumers = names(found.cells.iter().map(|row| row.consumer.as_str()));
    let mut head = vec!["Producer"];
    head.extend(&consumers);
    page.head(&head);
    for producer in names(found.cells.iter().map(|row| row.producer.as_str())) {
        let mut cells = vec![producer.to_owned()];
        cells.extend(consumers.iter().map(|consumer| found.cell(producer, consumer).map(of_cell).unwrap_or_default()));
        page.row(&cells);
    }
}

fn of_cell(row: &UnitRow) -> String {
    match (row.cycles, row.at_most) {
        (Some(cycles), _) => {
            let mark = if row.detail.is_empty() { "" } else { "\\*" };
            format!("{}{mark}", cell(Some(cycles)))
        }
        (None, Some(at_most)) => format!("≤ {}", two(at_most)),
        (None, None) => "?".to_owned(),
    }
}

/// Which instruction stands for each unit, and what stands between two of them.
fn details(page: &mut Page, found: &Units) {
    let mut instructions: Vec<(&str, &str)> = Vec::new();
    for row in &found.cells {
        for unit in [(&row.producer, &row.producer_instruction), (&row.consumer, &row.consumer_instruction)] {
            let unit = (unit.0.as_str(), unit.1.as_str());
            if !instructions.contains(&unit) {
                instructions.push(unit);
            }
        }
    }
    let words: Vec<String> = instructions.iter().map(|(unit, name)| format!("{unit} {name}")).collect();
    page.line(&format!("\nInstructions of the units: {}.", words.join(", ")));
}

fn delays(page: &mut Page, found: &Units) {
    if found.delays.is_empty() {
        return;
    }
    page.line("\n### S_DELAY_ALU\n");
    page.line(
        "Extra shader cycles of a pair with S_DELAY_ALU between the two: as a compiler writes it (right), with another value (wrong), and without a dependency (needless). `delays.csv`.",
    );
    page.head(&["Producer", "Consumer", "S_DELAY_ALU", "Case", "Cycles more"]);
    for row in &found.delays {
        page.row(&[
            row.producer.clone(),
            row.consumer.clone(),
            row.delay.clone(),
            row.case.name().to_owned(),
            if row.more.is_some() { cell(row.more) } else { "?".to_owned() },
        ]);
    }
}

fn beside(page: &mut Page, found: &Units) {
    let pairs = found.neighbours();
    if pairs.is_empty() {
        return;
    }
    page.line("\n### Overlap with transcendental instructions\n");
    page.line(
        "Blocks of a transcendental instruction and that many independent ones after it, shader cycles of one wave. Free ones cost nothing. `transcendental-overlap.csv`.",
    );
    let amounts = names(found.beside.iter().map(|row| row.amount));
    let words: Vec<String> = amounts.iter().map(ToString::to_string).collect();
    let mut head = vec!["Instruction", "Beside"];
    head.extend(words.iter().map(String::as_str));
    head.push("Free");
    page.head(&head);
    for (instruction, neighbour) in pairs {
        let mut cells = vec![instruction.to_owned(), neighbour.to_owned()];
        for amount in &amounts {
            let row = found.beside(instruction, neighbour).find(|row| row.amount == *amount);
            cells.push(cell(row.and_then(|row| row.cycles)));
        }
        cells.push(match found.free(instruction, neighbour) {
            Some((most, true)) => most.to_string(),
            Some((most, false)) => format!("{most} or more"),
            None => "undecided".to_owned(),
        });
        page.row(&cells);
    }
}

/// Each once, in their order.
fn names<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut names = Vec::new();
    for name in all {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}
