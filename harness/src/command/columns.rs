//! Text in columns.

use console::{Alignment, measure_text_width, pad_str};

/// What stands between two columns.
const GAP: &str = "  ";

/// Lines whose columns are as wide as their longest text.
pub(super) fn columns<R: AsRef<[String]>>(table: &[R]) -> Vec<String> {
    let widths = widths(table);
    let line = |row: &R| {
        let padded = row.as_ref().iter().zip(&widths).map(|(text, width)| pad_str(text, *width, Alignment::Left, None));
        padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
    };
    table.iter().map(line).collect()
}

/// Where the last column of these begins.
pub(super) fn place_of_last<R: AsRef<[String]>>(table: &[R]) -> usize {
    let widths = widths(table);
    widths.iter().rev().skip(1).map(|width| width + GAP.len()).sum()
}

fn widths<R: AsRef<[String]>>(table: &[R]) -> Vec<usize> {
    let mut widths = vec![0; table.first().map_or(0, |row| row.as_ref().len())];
    for row in table {
        for (width, text) in widths.iter_mut().zip(row.as_ref()) {
            *width = (*width).max(measure_text_width(text));
        }
    }
    widths
}
