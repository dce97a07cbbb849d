//! `docs/cells.md`: the tested parts of the product, cell by cell.

use std::env;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::published_results::UPDATE;

/// A part of the page as it is.
///
/// # Panics
/// The page has no such part.
pub fn cells(part: &str) -> String {
    let page = fs::read_to_string(path()).expect("docs/cells.md");
    let place = place(&page, part);
    page[place].to_owned()
}

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/cells.md")
}

fn place(page: &str, part: &str) -> Range<usize> {
    let (begin, end) = (format!("<!-- {part} -->\n\n"), format!("\n<!-- end of {part} -->"));
    let from = page.find(&begin).expect("the part's begin") + begin.len();
    from..page[from..].find(&end).expect("the part's end") + from
}

/// Compares a part of the page with what ran, or writes it.
///
/// # Panics
/// It differs: the message has the first line that does.
pub fn compare_cells(part: &str, ran: &str) {
    let page = fs::read_to_string(path()).expect("docs/cells.md");
    let Range { start: from, end: to } = place(&page, part);
    if env::var_os(UPDATE).is_some() {
        fs::write(path(), format!("{}{ran}{}", &page[..from], &page[to..])).expect("docs/cells.md");
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
