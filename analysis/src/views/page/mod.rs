//! `TIMINGS.md`: the published page, regenerated from this run; of a generation that the page does not speak of, a page of its own.

mod cells;
mod closing;
mod disputed;
mod header;
mod lds;
mod listing;
mod matrix;
mod matrix_suite;
mod occupancy;
mod pairs;
mod rules;
mod sections;
mod semantics;
mod units_suite;

use crate::results::Results;
use crate::views::document::Document;
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
    let listing = Listing::of(analysis);
    let mut page = Document::default();
    header::introduction(&mut page, analysis);
    header::dpfactor(&mut page, analysis);
    occupancy::occupancy(&mut page, analysis);
    header::other_suites(&mut page, analysis);
    rules::alignment(&mut page, analysis);
    rules::scheduling(&mut page, analysis);
    for section in SECTIONS {
        sections::section(&mut page, analysis, &listing, section);
        if section == "DS" {
            lds::bank_conflicts(&mut page, analysis);
        }
    }
    matrix::matrix(&mut page, analysis);
    matrix_suite::matrix_suite(&mut page, analysis);
    units_suite::units_suite(&mut page, analysis);
    pairs::pairs(&mut page, analysis);
    sections::beyond(&mut page, analysis, &listing);
    closing::answered(&mut page, analysis);
    disputed::disputed(&mut page, analysis);
    semantics::semantics(&mut page, analysis);
    closing::other_sources(&mut page, analysis);
    closing::unsettled(&mut page, analysis);
    closing::skipped(&mut page, analysis);
    page
}
