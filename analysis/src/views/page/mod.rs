//! `TIMINGS.md`: the published page, regenerated from this run; of a generation that the page does not speak of, a page of its own.

mod closing;
mod header;
mod listing;
mod matrix;
mod occupancy;
mod rules;
mod sections;

use crate::document::Document;
use crate::results::Results;
pub(super) use header::{dpfactor_sentence, dpfactor_table};
use listing::Listing;

/// Sections of the page, in its order.
const SECTIONS: [&str; 13] =
    ["SOP2", "SOPK", "SOP1", "SOPC", "SOPP", "SMRD", "VOP2", "VOP1", "VOPC", "VOP3", "VOP3P", "DS", "MUBUF"];

/// `TIMINGS.md`.
pub fn page(analysis: &Results) -> String {
    document(analysis).markdown()
}

/// The published page's sections in its order with the measurements, published values where they differ, then what that page does not have.
pub fn document(analysis: &Results) -> Document {
    let mut page = Document::default();
    header::introduction(&mut page, analysis);
    body(&mut page, analysis, Some(&Listing::of(analysis)));
    page
}

/// Adds the same sections without the introduction and those of instructions, which the report and the pages of cards show otherwise.
pub(super) fn findings(page: &mut Document, analysis: &Results) {
    body(page, analysis, None);
}

/// The page below its introduction; instructions where there is a listing.
fn body(page: &mut Document, analysis: &Results, listing: Option<&Listing<'_>>) {
    header::dpfactor(page, analysis);
    occupancy::occupancy(page, analysis);
    rules::alignment(page, analysis);
    rules::scheduling(page, analysis);
    for section in SECTIONS {
        if let Some(listing) = listing {
            sections::section(page, analysis, listing, section);
        }
        if section == "DS" {
            rules::bank_conflicts(page, analysis);
        }
    }
    matrix::matrix(page, analysis);
    analysis.suites.sections(page, &analysis.record);
    if let Some(listing) = listing {
        sections::beyond(page, analysis, listing);
    }
    closing::answered(page, analysis);
    closing::disputed(page, analysis);
    closing::semantics(page, analysis);
    closing::other_sources(page, analysis);
    closing::unsettled(page, analysis);
    closing::skipped(page, analysis);
}
