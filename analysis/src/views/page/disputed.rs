//! The questions on which the sources contradict each other.

use gcn_model::published::DisputedQuantity;

use super::cells::cell;
use super::text::Page;
use crate::analysis::Analysis;
use crate::tables::decimal;
use crate::verdict::{DisputeRow, DisputeVerdict};

/// The measurement for each question, the sources that agree, and the open ones.
pub(super) fn disputed(page: &mut Page, analysis: &Analysis) {
    let rows = analysis.disputes();
    let settled = |row: &&DisputeRow| row.measured.is_some();
    if !rows.iter().any(|row| settled(&row)) {
        return;
    }
    page.line("\n## Disputed\n");
    if analysis.record().device.is_simulated() {
        page.line("Where published sources contradict each other: what the simulator was given, and who says so. It settles nothing.");
        page.head(&["Question", "Instruction", "Simulated", "Says so", "Says otherwise", "Leaves it open"]);
    } else {
        page.line("Where published sources contradict each other: what was measured, and who had said so.");
        page.head(&["Question", "Instruction", "Measured", "Match", "Differs", "Not contradicted"]);
    }
    let mut last = "";
    for group in rows.chunk_by(|a, b| a.number == b.number && a.instruction == b.instruction) {
        let Some(first) = group.iter().find(settled) else { continue };
        let who = |verdict| {
            let of = group.iter().filter(|row| row.verdict == verdict && !row.source.is_empty());
            of.map(|row| format!("{} {}", row.source, row.predicted)).collect::<Vec<_>>().join(", ")
        };
        let is_new = last != first.number;
        last = &first.number;
        page.row(&[
            if is_new { format!("{}: {}", first.number, first.question) } else { String::new() },
            first.instruction.clone(),
            format!("{} {}", measured(first), unit(first.quantity)),
            who(DisputeVerdict::Match),
            who(DisputeVerdict::Differs),
            who(DisputeVerdict::NotContradicted),
        ]);
    }
    page.line("\nNot settled by this run:\n");
    for group in rows.chunk_by(|a, b| a.number == b.number) {
        let first = &group[0];
        if group.iter().any(|row| settled(&row)) {
            continue;
        }
        let why = if first.detail.is_empty() { "not measured" } else { &first.detail };
        page.line(&format!("* {}: {}: {why}", first.number, first.question));
    }
}

/// The measurement; a throughput with all of its decimals, as the predictions have them.
fn measured(row: &DisputeRow) -> String {
    match (row.quantity, row.measured) {
        (DisputedQuantity::Throughput, Some([value, ..])) => decimal(value),
        _ => cell(row.measured),
    }
}

/// The unit of a disputed quantity.
fn unit(quantity: DisputedQuantity) -> &'static str {
    match quantity {
        DisputedQuantity::Cycles | DisputedQuantity::LdsConflict => "cycles",
        DisputedQuantity::TakenCycles => "cycles if taken",
        DisputedQuantity::Throughput => "per cycle",
        DisputedQuantity::LdsBanks => "banks",
        DisputedQuantity::Waves => "waves",
        DisputedQuantity::Other => "",
    }
}
