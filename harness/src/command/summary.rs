//! The summary of a run, for a person.

use std::io::{Result, Write};
use std::path::Path;

use gcn_analysis::{Fact, Summary};

use super::document_text;
use crate::run::DeviceCost;

/// Writes the summary; with `all`, the other suites and the counts as well. `spent` is the device's cost in this process, if it measured.
pub(super) fn write(
    out: &mut impl Write,
    summary: &Summary<'_>,
    spent: Option<&DeviceCost>,
    folder: &Path,
    all: bool,
) -> Result<()> {
    let cost = spent.map(|DeviceCost { launches, gpu_time }| {
        Fact::plain("GPU time", &format!("{:.3} s in {launches} launches", gpu_time.as_secs_f64()))
    });
    let files = Fact::plain("files", &folder.display().to_string());
    document_text::write(out, &summary.document(cost.into_iter().chain([files]).collect(), all))
}
