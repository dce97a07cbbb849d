//! Questions on which the sources contradict each other, and what instructions compute where no source settles it.

use crate::document::{Document, Topic, escaped};
use crate::results::Results;
use crate::verdict::{DisputeRow, DisputeVerdict, SemanticRow, SemanticVerdict};
use crate::views::question::{measured_words, predicted_words};

/// The measurement for each question, the sources that agree, and the open ones; not where all that speak of this card agree with it.
pub(super) fn disputed(page: &mut Document, analysis: &Results) {
    let questions = analysis.disputes.chunk_by(|a, b| a.number == b.number);
    let differs = |rows: &&[DisputeRow]| rows.iter().any(|row| row.verdict != DisputeVerdict::Match);
    let rows: Vec<DisputeRow> = questions.filter(differs).flatten().cloned().collect();
    let settled = |row: &&DisputeRow| row.measured.is_some();
    if !rows.iter().any(|row| settled(&row)) {
        return;
    }
    page.section(Topic::Questions, 2, "Disputed");
    let (said, words) = if analysis.record.device.is_simulated() {
        let said = "Where published sources contradict each other: the simulator's input, and the sources that agree. It settles nothing.";
        (said, ["Simulated", "Says so", "Says otherwise", "Leaves it open"])
    } else {
        let said = "Where published sources contradict each other: the measurement, and the sources that agree.";
        (said, ["Measured", "Match", "Differs", "Not contradicted"])
    };
    page.paragraph(said);
    let mut last = "";
    let groups = rows.chunk_by(|a, b| a.number == b.number && a.instruction == b.instruction);
    let lines = groups.filter_map(|group| {
        let first = group.iter().find(settled)?;
        let who = |verdict| {
            let of = group.iter().filter(|row| row.verdict == verdict && !row.source.is_empty());
            of.map(|row| format!("{} {}", row.source, predicted_words(row))).collect::<Vec<_>>().join(", ")
        };
        let is_new = last != first.number;
        last = &first.number;
        Some([
            if is_new { format!("{}: {}", first.number, first.question) } else { String::new() },
            first.instruction.clone(),
            measured_words(first),
            who(DisputeVerdict::Match),
            who(DisputeVerdict::Differs),
            who(DisputeVerdict::NotContradicted),
        ])
    });
    page.table(["Question", "Instruction"].into_iter().chain(words), lines);
    page.paragraph("Not settled by this run:");
    for group in rows.chunk_by(|a, b| a.number == b.number) {
        let first = &group[0];
        if group.iter().any(|row| settled(&row)) {
            continue;
        }
        let why = if first.detail.is_empty() { "not measured" } else { &first.detail };
        page.item(format!("{}: {}: {why}", first.number, first.question));
    }
}

/// Each case with its result and the reading that holds, or none.
pub(super) fn semantics(page: &mut Document, analysis: &Results) {
    let rows = &analysis.semantics;
    let Some(first) = rows.first() else { return };
    page.section(Topic::Semantics, 2, "Open semantics");
    page.paragraph(if first.device == "simulated" {
        "Cases that no source settles. This result is simulated: it shows the simulator's reading, not a card's."
    } else {
        "Cases that no source settles, run on this card."
    });
    let cells = |row: &SemanticRow| {
        let reading = match row.verdict {
            SemanticVerdict::Holds => of_reading(row),
            SemanticVerdict::Neither => "none of the known ones".to_owned(),
            SemanticVerdict::Unmeasured => row.detail.clone(),
        };
        let result = row.result.map(|result| format!("{:#x}", result.0)).unwrap_or_default();
        [row.question.clone(), result, row.verdict.to_string(), escaped(&reading)]
    };
    page.table(["Question", "Result", "Verdict", "Reading"], rows.iter().map(cells));
}

fn of_reading(row: &SemanticRow) -> String {
    if row.source == "none" { row.reading.clone() } else { format!("{} ({})", row.reading, row.source) }
}
