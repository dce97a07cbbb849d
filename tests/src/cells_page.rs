//! `docs/cells.md`: what of the product is tried by tests, cell by cell.

use std::env;
use std::fs;
use std::path::Path;

use crate::published_results::UPDATE;

/// Compares a part of the page with what ran, or writes it.
///
/// # Panics
/// It differs: the message has the first line that does.
pub fn compare_cells(part: &str, ran: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/cells.md");
    let page = fs::read_to_string(&path).expect("docs/cells.md");
    let (begin, end) = (format!("<!-- {part} -->\n\n"), format!("\n<!-- end of {part} -->"));
    let from = page.find(&begin).expect("the part's begin") + begin.len();
    let to = page[from..].find(&end).expect("the part's end") + from;
    if env::var_os(UPDATE).is_some() {
        fs::write(&path, format!("{}{ran}{}", &page[..from], &page[to..])).expect("docs/cells.md");
        return;
    }
    let mut lines = page[from..to].lines().chain(std::iter::repeat("")).zip(ran.lines().chain([""]));
    let differs = lines.find(|(before, now)| before != now);
    if let Some((before, now)) = differs.filter(|_| page[from..to] != *ran) {
        panic!(
            "docs/cells.md, {part}, is not what ran:\n- {before}\n+ {now}\nIf that is meant, run the test with {UPDATE}=1 and commit."
        );
    }
}
