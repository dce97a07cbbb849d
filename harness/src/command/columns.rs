//! Text in columns.

use console::{Alignment, measure_text_width, pad_str};

/// Lines whose columns are as wide as their longest text.
pub(super) fn columns<R: AsRef<[String]>>(table: &[R]) -> Vec<String> {
    let mut widths = vec![0; table.first().map_or(0, |row| row.as_ref().len())];
    for row in table {
        for (width, text) in widths.iter_mut().zip(row.as_ref()) {
            *width = (*width).max(measure_text_width(text));
        }
    }
    let line = |row: &R| {
        let padded = row.as_ref().iter().zip(&widths).map(|(text, width)| pad_str(text, *width, Alignment::Left, None));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    table.iter().map(line).collect()
}
