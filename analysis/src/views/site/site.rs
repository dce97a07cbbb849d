//! The files of the site.

use std::collections::BTreeSet;

use handlebars::Handlebars;
use rayon::prelude::*;
use serde_json::{Value, json};

use super::card::{Card, banner};
use super::card_page::card_page;
use super::index::Index;
use super::instruction::instruction_page;
use super::kernel::Kernels;
use crate::results::Results;

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
