//! Pages in `docs` with parts that tests write: what ran for each product, what is exported for each target.

use std::env;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use crate::tier::UPDATE;

/// A part of a page as it is.
///
/// # Panics
/// The page has no such part.
pub fn part(page: &str, part: &str) -> String {
    let text = text(page);
    let place = place(&text, part);
    text[place].to_owned()
}

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs").join(page)
}

fn text(page: &str) -> String {
    fs::read_to_string(path(page)).unwrap_or_else(|error| panic!("docs/{page}: {error}"))
}

fn place(text: &str, part: &str) -> Range<usize> {
    let (begin, end) = (format!("<!-- {part} -->\n\n"), format!("\n<!-- end of {part} -->"));
    let from = text.find(&begin).expect("the part's begin") + begin.len();
    from..text[from..].find(&end).expect("the part's end") + from
}

/// Compares a part of a page with what a test found, or writes it.
///
/// # Panics
/// It differs: the message has the first line that does.
pub fn compare_part(page: &str, part: &str, found: &str) {
    let text = text(page);
    let Range { start: from, end: to } = place(&text, part);
    if env::var_os(UPDATE).is_some() {
        fs::write(path(page), format!("{}{found}{}", &text[..from], &text[to..])).expect("a page in docs");
        return;
    }
    let mut lines = text[from..to].lines().chain(std::iter::repeat("")).zip(found.lines().chain([""]));
    let differs = lines.find(|(before, now)| before != now);
    if let Some((before, now)) = differs.filter(|_| text[from..to] != *found) {
        panic!(
            "docs/{page}, {part}, is not what was found:\n- {before}\n+ {now}\nIf that is meant, run the test with {UPDATE}=1 and commit."
        );
    }
}
