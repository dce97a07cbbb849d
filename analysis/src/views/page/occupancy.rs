//! The CLRX table's occupancy table, and how registers and LDS are given out.

use super::header::without_suite;
use crate::document::{Document, Topic};
use crate::many_waves::Slots;
use crate::occupancy::{Allocation, Occupancy, OccupancyRow, Resource};
use crate::results::Results;
use crate::tables::{Number, Quantity, Verdict, decimal};

/// The table with concurrent waves, the CLRX table's numbers where they differ, and the granules.
pub(super) fn occupancy(page: &mut Document, analysis: &Results) {
    let (found, title) = (&analysis.occupancy, "Occupancy");
    if found.table.is_empty() {
        return without_suite(page, analysis, Topic::Occupancy, title, "occupancy");
    }
    page.section(Topic::Occupancy, 2, title);
    let is_in_clrx = analysis.is_in_clrx();
    let compared =
        if is_in_clrx { " If a number differs from the CLRX table's, that one follows in brackets." } else { "" };
    let mut said = format!(
        "The largest allocation of each wave with which that many waves run at once on a SIMD, by HW_ID and S_MEMTIME; and Issue: instructions per cycle and compute unit in the fastest block of unlike instructions (`issue.csv`; more than N - 1 prove cycles in which N issue).{compared}"
    );
    if let Some(most) = found.most_asked(Resource::Sgprs) {
        said += &format!("\nA kernel can have at most {most} SGPRs; whether more would still fit is unknown.");
    }
    page.paragraph(said);
    // Where every wave has the same SGPRs, nothing was swept.
    let has_sgprs = is_in_clrx || found.table.iter().any(|row| row.sgprs.is_some());
    let lds = if is_in_clrx { "LdsW/I" } else { "LDS, dwords of a lane" };
    let head = ["Waves", "SGPRs", "VGPRs", lds, "Issue"];
    let rows = found.table.iter().map(|row| {
        let whole = |count: Option<u32>| count.map(|count| count.to_string()).unwrap_or_default();
        let dwords = row.lds_dwords_per_lane.map(decimal).unwrap_or_default();
        let issue = row.issue.map(|issue| Number::rate(issue).to_string()).unwrap_or_default();
        let mut cells = vec![
            row.waves_per_simd.to_string(),
            with_clrx(analysis, row, Quantity::Sgprs, whole(row.sgprs)),
            with_clrx(analysis, row, Quantity::Vgprs, whole(row.vgprs)),
            with_clrx(analysis, row, Quantity::LdsDwordsPerLane, dwords),
            with_clrx(analysis, row, Quantity::Issue, issue),
        ];
        if !has_sgprs {
            cells.remove(1);
        }
        cells
    });
    page.table(head.into_iter().filter(|name| has_sgprs || *name != "SGPRs"), rows);
    granules(page, found);
}

/// A number, and the CLRX table's where that is another.
fn with_clrx(analysis: &Results, row: &OccupancyRow, quantity: Quantity, number: String) -> String {
    let waves = format!("{} waves", row.waves_per_simd);
    let of_row = |found: &&crate::verdict::ValidationRow| found.quantity == quantity && found.instruction == waves;
    match analysis.validation.iter().find(of_row) {
        Some(found) if found.verdict != Verdict::Match && analysis.is_in_clrx() => {
            format!("{number} (CLRX: {})", found.published)
        }
        _ => number,
    }
}

fn granules(page: &mut Document, found: &Occupancy) {
    if found.allocations.is_empty() {
        return;
    }
    if let Some(slots) = found.slots {
        page.paragraph(format!("A SIMD holds {slots}.", slots = room(slots)));
    }
    page.paragraph(
        "Allocation, from the amounts at which one wave fewer runs. A granule of \"4 or less\" was measured in steps of 4, which cannot show a finer one.",
    );
    let row = |row: &Allocation| [title(row.resource).to_owned(), row.granules_in_words(), row.total_in_words()];
    page.table(["", "Granule", "In all"], found.allocations.iter().map(row));
}

const fn title(resource: Resource) -> &'static str {
    match resource {
        Resource::Vgprs => "VGPRs of a SIMD's lane",
        Resource::Sgprs => "SGPRs of a SIMD",
        Resource::LdsOfWave => "LDS of a compute unit, bytes",
        Resource::LdsOfTwoWaves => "LDS of a compute unit, bytes, groups of two waves",
        Resource::LdsOfFourWaves => "LDS of a compute unit, bytes, groups of four waves",
    }
}

fn room(slots: Slots) -> String {
    match slots {
        Slots::Exactly(waves) => format!("{waves} waves"),
        Slots::AtLeast(waves) => format!("{waves} waves or more: registers allow no more"),
    }
}
