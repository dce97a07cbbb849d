//! The CLRX table's statement under its DS table: bank conflicts.

use crate::document::{Document, Topic};
use crate::results::Results;
use crate::rules::{LDS_STRIDE, PenaltyRow};
use crate::tables::{cell, decimal, two};

/// The stride sweep and the bank count, if the run has one.
pub(super) fn bank_conflicts(page: &mut Document, analysis: &Results) {
    let Some(banks) = analysis.lds_banks.as_ref() else { return };
    let rows = analysis.penalties.iter().filter(|row| row.experiment == LDS_STRIDE);
    let rows = rows.filter(|row| row.waves_per_simd == banks.waves_per_simd);
    let (level, title) = if analysis.is_in_clrx() { (3, "Bank conflicts") } else { (2, "LDS bank conflicts") };
    page.section(Topic::LdsBanks, level, title);
    page.paragraph(format!(
        "Lanes whose addresses are a stride apart meet in the same bank if stride and number of banks have a common divisor. The sweep \
         shows: {banks}. With the most conflicts, {} per cycle and compute unit pass.",
        decimal(1.0 / banks.worst.value.0),
    ));
    let columns = if analysis.is_in_clrx() { 5 } else { 3 };
    let head = [
        "Stride in dwords",
        "Cycles of the compute unit",
        "Penalty",
        "Expected by the CLRX table",
        "Compared with the CLRX table",
    ];
    let device = &analysis.record.device;
    let cells = |row: &PenaltyRow| {
        let stride = row.offset_dwords.map(|stride| stride.to_string()).unwrap_or_default();
        let total = row.penalty.map(|penalty| two(penalty.value.0 + banks.free.value.0)).unwrap_or_default();
        let verdict = row.verdict.word_on(device).to_owned();
        [stride, total, cell(row.penalty), row.expected.clone(), verdict][..columns].to_vec()
    };
    page.table(&head[..columns], rows.map(cells));
}
