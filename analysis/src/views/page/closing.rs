//! The end of the CLRX table: questions answered, disputed and open ones, other sources, unsettled and skipped instructions.

use std::collections::BTreeMap;

use gcn_model::published::Published;

use super::listing::{asks, clrx_source, printed, word};
use crate::document::{Document, Topic, escaped};
use crate::results::Results;
use crate::settle::Status;
use crate::tables::{Number, Quantity, Verdict, by_key, unique};
use crate::verdict::{DisputeRow, DisputeVerdict, SemanticRow, SemanticVerdict, ValidationRow};
use crate::views::question::{measured_words, predicted_words};
use crate::views::validation::{SourceCounts, counts_by_source};

/// Every question of the CLRX table with its answer: `?`, `18?`, `16-24`, `(???)`, `GLC1`.
pub(super) fn answered(page: &mut Document, analysis: &Results) {
    let source = clrx_source().map_or("", Published::name);
    let rows = analysis.validation.iter();
    let rows: Vec<&ValidationRow> =
        rows.filter(|row| row.source == source && row.asked && asks(row.quantity, &row.published)).collect();
    if rows.is_empty() || !analysis.is_in_clrx() {
        return;
    }
    let (answered, left): (Vec<&ValidationRow>, Vec<_>) =
        rows.into_iter().partition(|row| row.measured.is_some() && row.verdict != Verdict::Unmeasured);
    let (title, here, not) = if analysis.record.device.is_simulated() {
        ("Open in the CLRX table", "have a number here: an input of the simulator, which answers nothing.", "have none")
    } else {
        ("Answered here", "are answered,", "are not")
    };
    page.section(Topic::Questions, 2, title);
    let [known, unknown] = [answered.len(), left.len()];
    page.paragraph(format!("Of the CLRX table's open values, {known} {here} {unknown} {not}."));
    let row = |row: &ValidationRow| {
        let single = analysis.distributions.iter().find(|found| {
            found.instruction == row.instruction && found.case.is_empty() && row.quantity == Quantity::Cycles
        });
        let single = single.map(|found| format!("; one alone: {found}")).unwrap_or_default();
        let number = row.measured.map(|measured| Number::of_quantity(row.quantity, measured));
        let measured = format!("{}{single}", number.map(|number| number.to_string()).unwrap_or_default());
        [row.instruction.clone(), word(row.quantity).to_owned(), printed(&row.published), measured]
    };
    if !answered.is_empty() {
        page.table(["Instruction", "Value", "CLRX", "Measured"], answered.into_iter().map(row));
    }
    let mut by_reason: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for row in left {
        let timing = analysis.timings.iter().find(|timing| timing.instruction == row.instruction);
        let why = match timing {
            // The first part is about the instruction, the later ones about its latency and throughput.
            Some(timing) if !timing.detail.is_empty() => {
                timing.detail.split("; ").next().unwrap_or_default().to_owned()
            }
            _ => format!("{} not measured in this run", word(row.quantity)),
        };
        by_reason.entry(why).or_default().push(&row.instruction);
    }
    if !by_reason.is_empty() {
        page.paragraph("Still open:");
    }
    for (why, names) in by_reason {
        page.item(format!("{}: {}", unique(names).join(", "), escaped(&why)));
    }
}

/// How the other sources fared.
pub(super) fn other_sources(page: &mut Document, analysis: &Results) {
    let counts = counts_by_source(analysis.validation.iter().filter(|row| row.asked));
    if counts.is_empty() {
        return;
    }
    page.section(Topic::Sources, 2, "Sources");
    let (said, words) = if analysis.record.device.is_simulated() {
        let said = "How often each published source agrees with the simulator's inputs, some of which come from it. No source is confirmed or refuted. validation.csv has every value.";
        (said, ["As simulated", "Otherwise", "Open"])
    } else {
        ("How each published source compares; validation.csv has every value.", ["Match", "Differ", "Answered"])
    };
    page.paragraph(said);
    let row = |(name, counts): (&str, SourceCounts)| {
        let title = gcn_model::published::source(name).map_or("", Published::title);
        let [same, other, open, missing] = Verdict::ALL.map(|verdict| counts.count(verdict).to_string());
        [name.to_owned(), same, other, open, missing, title.to_owned()]
    };
    let [same, other, open] = words;
    page.table(["Source", same, other, open, "Not measured", "Title"], counts.into_iter().map(row));
}

/// Instructions whose numbers did not all settle.
pub(super) fn unsettled(page: &mut Document, analysis: &Results) {
    let rows: Vec<_> = analysis.timings.iter().filter(|row| row.status.is_open()).collect();
    if rows.is_empty() {
        return;
    }
    page.section(Topic::Missing, 2, "Unsettled");
    for row in rows {
        page.item(format!("{}: {}: {}", row.instruction, row.status, escaped(&row.detail)));
    }
}

/// Instructions that were left out, by reason.
pub(super) fn skipped(page: &mut Document, analysis: &Results) {
    let left_out = analysis.timings.iter().filter(|row| matches!(row.status, Status::Skipped | Status::Unsupported));
    let reasons = by_key(left_out.map(|row| ((row.status, row.detail.as_str()), row.instruction.as_str())));
    if reasons.is_empty() {
        return;
    }
    page.section(Topic::Missing, 2, "Skipped");
    for ((status, reason), names) in reasons {
        page.item(format!("{status}: {}: {}", escaped(reason), names.join(", ")));
    }
}

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
