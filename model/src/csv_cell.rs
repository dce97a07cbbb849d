//! Cells of CSV files that people open with a spreadsheet.

/// The cell as text to a spreadsheet, too: what begins as a formula does gets an apostrophe, which spreadsheets take for "this is text".
pub fn no_formula(cell: &str) -> String {
    let begins_one = cell.len() > 1 && cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if begins_one && cell.parse::<f64>().is_err() { format!("'{cell}") } else { cell.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        let cells = ["=1+1", "@x", "-1.5", "-", "+inf", "+x", "plain", ""];
        assert_eq!(cells.map(no_formula), ["'=1+1", "'@x", "-1.5", "-", "+inf", "'+x", "plain", ""]);
    }
}
