//! Text in columns.

use console::{Alignment, measure_text_width, pad_str};

/// Lines whose columns are as wide as their longest text.
pub(super) fn columns<const N: usize>(table: &[[String; N]]) -> Vec<String> {
    let mut widths = [0; N];
    for row in table {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = (*width).max(measure_text_width(text));
        }
    }
    let line = |row: &[String; N]| {
        let padded = row.iter().zip(widths).map(|(text, width)| pad_str(text, width, Alignment::Left, None));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    table.iter().map(line).collect()
}
