//! `TIMINGS.md`: the published page, regenerated from this run.

mod cells;
mod closing;
mod disputed;
mod header;
mod lds;
mod listing;
mod occupancy;
mod rules;
mod sections;

use std::fmt::Write;

use gcn_model::isa::{self, Generation};
use gcn_model::published::{Published, sources};

use crate::analysis::Analysis;
use crate::one_wave::TimingRow;
use listing::Listing;

/// Sections of the page, in its order.
const SECTIONS: [&str; 13] =
    ["SOP2", "SOPK", "SOP1", "SOPC", "SOPP", "SMRD", "VOP2", "VOP1", "VOPC", "VOP3", "VOP3P", "DS", "MUBUF"];

/// `TIMINGS.md`: the page's sections in its order with what was measured, what is published where that differs, then what the
/// page does not have.
pub fn page(analysis: &Analysis) -> String {
    let listing = Listing::of(analysis);
    let mut page = Page { text: String::new() };
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
    sections::beyond(&mut page, analysis, &listing);
    closing::answered(&mut page, analysis);
    disputed::disputed(&mut page, analysis);
    closing::other_sources(&mut page, analysis);
    closing::unsettled(&mut page, analysis);
    closing::skipped(&mut page, analysis);
    page.text
}

/// The source that is regenerated.
fn page_source() -> Option<&'static Published> {
    sources().first()
}

/// The generation of the run's device.
fn generation_of(analysis: &Analysis) -> Option<Generation> {
    Generation::find(&analysis.record().device.generation)
}

/// The native encoding of an instruction, or the one that was measured.
fn encoding_of(row: &TimingRow, generation: Option<Generation>) -> String {
    let native = generation.and_then(|generation| isa::find(&row.instruction, generation));
    native.map_or_else(|| row.encoding.clone(), |native| native.encoding.name().to_owned())
}

/// The text so far.
struct Page {
    text: String,
}

impl Page {
    fn line(&mut self, line: &str) {
        // Writing to a String does not fail.
        let _ = writeln!(self.text, "{}", line.trim_end_matches(' '));
    }

    /// A head line of a table with its rule.
    fn head(&mut self, columns: &[&str]) {
        self.line(&format!("\n{}\n{}", columns.join(" | "), vec!["---"; columns.len()].join("|")));
    }

    fn row(&mut self, cells: &[String]) {
        self.line(&cells.join(" | "));
    }
}
