//! Text in columns.

use console::{Alignment, measure_text_width, pad_str};

/// What stands between two columns.
const GAP: &str = "  ";

/// The narrowest that a column is made to fit a terminal.
const LEAST: usize = 12;

/// The rows of a table in lines, each column as wide as its longest text; in a terminal of this width the widest columns are narrowed, and their
/// texts wrapped.
pub(super) fn fitted(table: &[Vec<String>], width: Option<usize>) -> Vec<Vec<String>> {
    let mut widths = widths(table);
    let gaps = GAP.len() * widths.len().saturating_sub(1);
    while width.is_some_and(|width| widths.iter().sum::<usize>() + gaps > width) {
        let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > LEAST) else { break };
        *widest -= 1;
    }
    let of_row = |row: &Vec<String>| {
        let cells: Vec<Vec<String>> = row.iter().zip(&widths).map(|(text, width)| wrapped(text, *width)).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0);
        let at = |place: usize| -> Vec<String> {
            cells.iter().map(|lines| lines.get(place).cloned().unwrap_or_default()).collect()
        };
        (0..height).map(|place| line(&at(place), &widths)).collect()
    };
    table.iter().map(of_row).collect()
}

/// A text in lines of this width; a word is never cut.
pub(super) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if measure_text_width(line) + 1 + measure_text_width(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

fn line(cells: &[String], widths: &[usize]) -> String {
    let padded = cells.iter().zip(widths).map(|(text, width)| pad_str(text, *width, Alignment::Left, None));
    padded.collect::<Vec<_>>().join(GAP).trim_end().to_owned()
}

fn widths(table: &[Vec<String>]) -> Vec<usize> {
    let mut widths = vec![0; table.first().map_or(0, Vec::len)];
    for row in table {
        for (width, text) in widths.iter_mut().zip(row) {
            *width = (*width).max(measure_text_width(text));
        }
    }
    widths
}
