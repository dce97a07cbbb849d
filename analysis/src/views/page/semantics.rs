//! What instructions compute where no source settles it.

use crate::document::{Document, Topic, escaped};
use crate::results::Results;
use crate::verdict::{SemanticRow, SemanticVerdict};

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
    page.table(["Question", "Result", "Verdict", "Reading"]);
    for row in rows {
        let reading = match row.verdict {
            SemanticVerdict::Holds => of_reading(row),
            SemanticVerdict::Neither => "none of the known ones".to_owned(),
            SemanticVerdict::Unmeasured => row.detail.clone(),
        };
        let result = row.result.map(|result| format!("{:#x}", result.0)).unwrap_or_default();
        page.row([row.question.clone(), result, row.verdict.to_string(), escaped(&reading).to_string()]);
    }
}

fn of_reading(row: &SemanticRow) -> String {
    if row.source == "none" { row.reading.clone() } else { format!("{} ({})", row.reading, row.source) }
}
