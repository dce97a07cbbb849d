//! Citations "facts §…" and "facts-cdna-rdna §…" of the repository's files lead to sections of the pages in `docs/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// How a page is cited, and the page; the longer name first.
const PAGES: [(&str, &str); 2] = [("facts-cdna-rdna", "facts-cdna-rdna.md"), ("facts", "facts.md")];
/// Where files cite them.
const FOLDERS: [&str; 8] = ["analysis", "docs", "harness", "model", "predict", "simulator", "templates", "tests"];
const TEXTS: [&str; 5] = ["csv", "hbs", "md", "rs", "toml"];
const SIGN: char = '§';
/// What may stand between a page's name and the sign.
const BETWEEN: [&str; 12] = ["`", ")", "]", "(facts.md", ".md", "[", ",", " and", " to", "//", "/", "!"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files below a folder that cite something.
fn texts(folder: &Path, found: &mut Vec<(PathBuf, String)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_text = path.extension().is_some_and(|extension| TEXTS.iter().any(|known| extension == *known));
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            texts(&path, found);
        } else if is_text
            && let Ok(text) = fs::read_to_string(&path)
            && text.contains(SIGN)
        {
            found.push((path, text));
        }
    }
}

/// The numbers of a page's sections.
fn sections(page: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("docs").join(page)).unwrap();
    let heads = text.lines().filter(|line| line.starts_with("##"));
    heads.filter_map(|head| head.split_whitespace().nth(1)).map(str::to_owned).collect()
}

/// The page that a sign cites, by the word before it.
fn page(before: &str) -> Option<&'static str> {
    let mut before = before.trim_end();
    while let Some(shorter) = without_link(before) {
        before = shorter.trim_end();
    }
    let cited = PAGES.into_iter().find(|(name, _)| {
        let start = before.len().checked_sub(name.len());
        start.and_then(|start| before.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(name))
    });
    cited.map(|(_, page)| page)
}

/// The same without its last word that only links a sign to a name, or to the sign of another section of the page.
fn without_link(before: &str) -> Option<&str> {
    let section = before.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    section.strip_suffix(SIGN).or_else(|| BETWEEN.iter().find_map(|link| before.strip_suffix(link)))
}

#[test]
fn every_citation_leads_to_a_section() {
    let mut files = Vec::new();
    FOLDERS.iter().for_each(|folder| texts(&root().join(folder), &mut files));
    let known: BTreeMap<&str, BTreeSet<String>> = PAGES.map(|(_, page)| (page, sections(page))).into();
    let (mut wrong, mut cited) = (Vec::new(), BTreeSet::new());
    for (path, text) in files {
        // The pages speak of their own sections, and a test looks for a sign in quotes.
        let own = PAGES.iter().any(|(_, page)| path.ends_with(Path::new("docs").join(page)));
        for (at, _) in text.match_indices(SIGN).filter(|_| !own && !path.ends_with(file!())) {
            let number: String =
                text[at + SIGN.len_utf8()..].chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
            let number = number.trim_end_matches('.').to_owned();
            if number.is_empty() || text[..at].ends_with('"') {
                continue;
            }
            match page(&text[..at]) {
                Some(page) if known[page].contains(&number) => drop(cited.insert((page, number))),
                _ => {
                    let line = text[..at].lines().count();
                    wrong.push(format!("{}:{line}: {SIGN}{number}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "these lead nowhere:\n{}", wrong.join("\n"));
    assert!(PAGES.iter().all(|(_, page)| cited.iter().any(|(cited, _)| cited == page)), "{cited:?}");
}

#[test]
fn a_sign_cites_the_page_before_it() {
    for (text, cited) in [
        ("(facts ", Some("facts.md")),
        ("`docs/facts.md` ", Some("facts.md")),
        ("([facts.md](facts.md) ", Some("facts.md")),
        ("facts §3.3 and ", Some("facts.md")),
        ("(facts-cdna-rdna §3.2, §4.1 and ", Some("facts-cdna-rdna.md")),
        ("/// and (facts\n/// ", Some("facts.md")),
        ("design ", None),
        ("facts on CDNA and RDNA ", None),
    ] {
        assert_eq!(page(text), cited, "{text}");
    }
}
