//! `docs/questions.md` names headings at which a reader finds answers: each is there in the kept results.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use gcn_analysis::{Block, KernelListing, Kernels, Results, Site, document};

const CARDS: [&str; 3] = ["tahiti", "mi300x", "rx7900xtx"];
/// Pages of instructions that are read for their headings.
const PAGE: &str = "instructions/V_FMA_F64.html";

struct NoKernels;

impl Kernels for NoKernels {
    fn of(&self, _: &str, _: &str) -> Option<KernelListing> {
        None
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The headings of a card: of `TIMINGS.md`, of the summary, and of the site.
struct Headings([BTreeSet<String>; 3]);

impl Headings {
    fn of(card: &str) -> Self {
        let results = || Results::of_files(&workspace().join("results/reference").join(card)).unwrap();
        let page = document(&results()).sections.into_iter().map(|section| section.title).collect();
        let summary = results().summary().document(Vec::new(), true);
        let names = |block: &Block| match block {
            Block::Facts(facts) => facts.iter().map(|fact| fact.name.clone()).collect(),
            _ => Vec::new(),
        };
        let titles = summary.sections.iter().map(|section| section.title.clone());
        let facts = summary.sections.iter().flat_map(|section| section.blocks.iter().flat_map(names));
        // What only a run that measures can say stands in the summary that a test of the program keeps.
        let kept = fs::read_to_string(workspace().join("harness/tests/cli/snapshots/cli__summary.snap")).unwrap();
        let of_a_run = kept.lines().filter_map(|line| Some(line.strip_prefix("  ")?.split_once("  ")?.0.to_owned()));
        let site = Site::of(&[results()], &NoKernels).unwrap();
        let pages = site.files.iter().filter(|file| file.path.starts_with("cards/") || file.path == PAGE);
        Self([
            page,
            titles.chain(facts).chain(of_a_run).collect(),
            pages.flat_map(|file| headings(&file.text)).collect(),
        ])
    }
}

/// The headings of a page.
fn headings(html: &str) -> Vec<String> {
    let starts = ["<h2", "<h3"].into_iter().flat_map(|tag| html.split(tag).skip(1));
    let text =
        |part: &str| part.split_once('>').and_then(|(_, text)| text.split_once('<')).map(|(text, _)| text.to_owned());
    starts.filter_map(text).collect()
}

/// The cards in the brackets at the start of a text; all without such.
fn cards(after: &str) -> Vec<&str> {
    let after = after.trim_start_matches(" with `--verbose`");
    let listed = after.strip_prefix(" (").and_then(|rest| rest.split_once(')'));
    let listed: Vec<&str> = listed.map_or_else(Vec::new, |(listed, _)| listed.split(", ").collect());
    if listed.iter().any(|card| CARDS.contains(card)) { listed } else { CARDS.to_vec() }
}

/// The names in a cell, each with its cards.
fn named(cell: &str) -> Vec<(&str, Vec<&str>)> {
    let parts: Vec<&str> = cell.split("**").collect();
    parts.windows(2).skip(1).step_by(2).map(|pair| (pair[0], cards(pair[1]))).collect()
}

/// What is named in a text of the page and is in none of the cards that it is said of.
fn missing(text: &str, of: impl Fn(&str, usize, &str) -> bool) -> Vec<String> {
    let rows = text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| question"));
    let mut missing = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        assert_eq!(cells.len(), 4, "{row}");
        for (view, cell) in cells[1..].iter().enumerate() {
            for (name, cards) in named(cell) {
                let absent = cards.into_iter().filter(|card| !of(card, view, name));
                missing.extend(absent.map(|card| format!("{card}: {name} in column {}", view + 2)));
            }
        }
    }
    missing
}

#[test]
fn every_heading_that_answers_a_question_is_there() {
    let found = CARDS.map(|card| (card, Headings::of(card)));
    let is_there = |card: &str, view: usize, name: &str| {
        let (_, headings) = found.iter().find(|(known, _)| *known == card).unwrap();
        headings.0[view].iter().any(|heading| heading.starts_with(name))
    };
    let text = fs::read_to_string(workspace().join("docs/questions.md")).unwrap();
    let questions = text.lines().filter(|line| line.starts_with("| ") && line.contains('?')).count();
    assert_eq!(questions, 20);
    assert_eq!(missing(&text, is_there), Vec::<String>::new());
    // It finds what is not there.
    let wrong =
        "| Is it? | **Occupancies**; **S_DELAY_ALU** (tahiti) | **DPFACTOR** | card: **Nothing** (mi300x, rx7900xtx) |";
    assert_eq!(missing(wrong, is_there).len(), 3 + 1 + 2);
}
