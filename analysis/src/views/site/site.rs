//! The files of the site, and its first page: every instruction on every card.

use std::collections::BTreeSet;

use gcn_model::isa::Encoding;
use handlebars::Handlebars;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

use super::card::{Card, banner};
use super::card_page::card_page;
use super::evidence::contradiction;
use super::instruction::{aliases, instruction_page};
use super::kernel::Kernels;
use crate::results::Results;
use crate::tables::{Number, unique};

/// The templates; text in two braces is escaped.
const TEMPLATES: [(&str, &str); 5] = [
    ("head", include_str!("../../../data/site/head.html.hbs")),
    ("number", include_str!("../../../data/site/number.html.hbs")),
    ("index", include_str!("../../../data/site/index.html.hbs")),
    ("instruction", include_str!("../../../data/site/instruction.html.hbs")),
    ("card", include_str!("../../../data/site/card.html.hbs")),
];
/// What all pages share.
const STYLE: &str = include_str!("../../../data/site/style.css");
/// What searches and sorts the first page.
const TABLE: &str = include_str!("../../../data/site/table.js");

/// A run names an instruction in a way that cannot be the name of a page.
#[derive(Debug, thiserror::Error)]
#[error(
    "{folder}: {name:?} is no name of an instruction (capital letters, digits and _), and no page can have it; `gcn-timings analyze` \
     writes the tables again"
)]
pub struct SiteError {
    folder: String,
    name: String,
}

/// A file of the site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteFile {
    /// Its path in the site, with `/` between folders.
    pub path: String,
    pub text: String,
}

/// A static site of some runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Site {
    pub files: Vec<SiteFile>,
    pub cards: usize,
    pub instructions: usize,
}

impl Site {
    /// The file that a site has and nothing else: it says that a folder may be written anew.
    pub const MARK: &'static str = "gcn-timings-site.txt";

    /// The site of some runs.
    ///
    /// # Errors
    /// A run names an instruction in a way that no page can have.
    pub fn of(runs: &[Results], kernels: &dyn Kernels) -> Result<Self, SiteError> {
        check_names(runs)?;
        let handlebars = templates();
        let cards = Card::of(runs);
        let names: BTreeSet<&str> = cards.iter().flat_map(Card::instructions).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let index = Index::of(&cards, &names);
        let front = json!({
            "root": "",
            "banner": banner(cards.iter()),
            "count": names.len(),
            "card_count": cards.len(),
            "cards": index.cards,
            "names": names,
            "tool": concat!("gcn-timings ", env!("CARGO_PKG_VERSION")),
        });
        let file = |path: &str, text: String| SiteFile { path: path.to_owned(), text };
        let mut files = vec![
            file(Self::MARK, "A site that gcn-timings wrote. Its folder may be written anew.\n".to_owned()),
            file("index.html", rendered(&handlebars, "index", &front)),
            file("style.css", STYLE.to_owned()),
            file("table.js", TABLE.to_owned()),
            file("data.js", index.script()),
        ];
        for card in &cards {
            files.push(file(&format!("cards/{}.html", card.slug), rendered(&handlebars, "card", &card_page(card))));
        }
        let page = |name: &&str| {
            let page = instruction_page(&cards, name, kernels);
            file(&format!("instructions/{name}.html"), rendered(&handlebars, "instruction", &page))
        };
        files.par_extend(names.par_iter().map(page));
        Ok(Self { files, cards: cards.len(), instructions: names.len() })
    }

    pub fn bytes(&self) -> usize {
        self.files.iter().map(|file| file.text.len()).sum()
    }
}

fn templates() -> Handlebars<'static> {
    let mut handlebars = Handlebars::new();
    handlebars.set_strict_mode(true);
    for (name, text) in TEMPLATES {
        handlebars.register_template_string(name, text).expect("the template is part of the program");
    }
    handlebars
}

fn rendered(handlebars: &Handlebars<'_>, template: &str, contents: &Value) -> String {
    handlebars.render(template, contents).expect("the template fits its contents")
}

/// Names become paths, so nothing else may be in them.
fn check_names(runs: &[Results]) -> Result<(), SiteError> {
    let is_letter = |letter: char| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_';
    for run in runs {
        let wrong =
            run.timings.iter().find(|row| row.instruction.is_empty() || !row.instruction.chars().all(is_letter));
        if let Some(row) = wrong {
            return Err(SiteError { folder: run.folder.display().to_string(), name: row.instruction.clone() });
        }
    }
    Ok(())
}

/// The table of the first page, as a script that sets a variable: a page that was opened from a file can read nothing else.
#[derive(Debug, Serialize)]
pub(super) struct Index {
    pub(super) cards: Vec<CardHead>,
    /// Name, encoding, bytes, contradiction, the cells of each card, further names, and the unit.
    rows: Vec<Value>,
}

/// A card in the head of the table, and where it is named without one.
#[derive(Debug, Serialize)]
pub(super) struct CardHead {
    slug: String,
    name: String,
    target: String,
    generation: String,
    simulated: bool,
}

/// A number, with its interval where that has a width.
fn cell(number: Number) -> Value {
    let text = number.to_string();
    number.exact.map_or_else(|| json!(text), |exact| json!([text, exact]))
}

/// The unit that executes instructions of an encoding.
fn unit(encoding: &str) -> &'static str {
    Encoding::ALL.into_iter().find(|found| found.name() == encoding).map_or("", Encoding::unit)
}

impl Index {
    pub(super) fn of(cards: &[Card<'_>], instructions: &[&str]) -> Self {
        let head = |card: &Card<'_>| CardHead {
            slug: card.slug.clone(),
            name: card.name.clone(),
            target: card.run.record.device.target.clone(),
            generation: card.run.record.device.generation_title(),
            simulated: card.is_simulated,
        };
        let row = |&name: &&str| {
            let timings = || cards.iter().filter_map(|card| card.timing(name));
            // Cycles, latency and throughput; nothing at all where the card does not have the instruction.
            let cells = |card: &Card<'_>| {
                let timing = card.timing(name)?;
                // A jump has a number for each way it can go.
                let cycles = timing.cycles.or(timing.taken).map(Number::cycles);
                let guess = card.guesses.on(&timing.instruction);
                let numbers = [
                    (cycles, if timing.cycles.is_some() { guess.cycles } else { guess.taken }),
                    (timing.latency.map(Number::cycles), guess.latency),
                    (timing.throughput.map(Number::rate), guess.throughput),
                ];
                Some(numbers.map(|(number, is_guess)| number.map(|number| cell(number.marked(is_guess)))))
            };
            json!([
                name,
                unique(timings().map(|row| row.encoding.as_str())).join(", "),
                unique(timings().map(|row| row.bytes.to_string())).join(", "),
                contradiction(cards, name),
                cards.iter().map(cells).collect::<Vec<_>>(),
                aliases(cards, name).join(" "),
                timings().next().map_or("", |row| unit(&row.encoding)),
            ])
        };
        Self { cards: cards.iter().map(head).collect(), rows: instructions.iter().map(row).collect() }
    }

    /// The script.
    pub(super) fn script(&self) -> String {
        format!("const SITE = {};\n", serde_json::to_string(self).expect("all keys are texts"))
    }
}
