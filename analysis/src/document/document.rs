//! The document with its sections, and how they are written.

use serde::Serialize;

use super::block::{Block, Fact, Line};

/// The subject of a section, by which a view takes it or leaves it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Topic {
    Introduction,
    Summary,
    Dpfactor,
    Occupancy,
    Alignment,
    Scheduling,
    Instructions,
    LdsBanks,
    Matrix,
    /// What a suite found that no picture shows.
    Suite,
    /// What sources leave open or dispute.
    Questions,
    Semantics,
    Sources,
    /// Instructions without a number.
    Missing,
    Device,
    /// What differs between runs.
    Comparison,
}

/// A heading with what is below it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    pub topic: Topic,
    /// 1 for the document's own title, 2 for a section, 3 for a part of the section before it.
    pub level: usize,
    pub title: String,
    pub blocks: Vec<Block>,
}

/// Sections in the order of a reader.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Document {
    pub sections: Vec<Section>,
}

impl Document {
    /// Begins a section of this level.
    pub(crate) fn section(&mut self, topic: Topic, level: usize, title: impl Into<String>) {
        self.sections.push(Section { topic, level, title: title.into(), blocks: Vec::new() });
    }

    /// Begins a part of the last section.
    pub(crate) fn part(&mut self, title: impl Into<String>) {
        let topic = self.sections.last().map_or(Topic::Introduction, |section| section.topic);
        self.section(topic, 3, title);
    }

    pub(crate) fn paragraph(&mut self, text: impl Into<String>) {
        self.push(Block::Paragraph(text.into()));
    }

    pub(crate) fn warning(&mut self, text: impl Into<String>) {
        self.push(Block::Warning(text.into()));
    }

    /// Adds an item to the list at the end of the last section, or begins one.
    pub(crate) fn item(&mut self, text: impl Into<String>) {
        match self.last() {
            Some(Block::List(items)) => items.push(text.into()),
            _ => self.push(Block::List(vec![text.into()])),
        }
    }

    /// The same of facts.
    pub(crate) fn fact(&mut self, fact: Fact) {
        match self.last() {
            Some(Block::Facts(facts)) => facts.push(fact),
            _ => self.push(Block::Facts(vec![fact])),
        }
    }

    /// Adds a table with these columns.
    pub(crate) fn table<C: AsRef<str>, L: Into<Line>>(
        &mut self,
        columns: impl IntoIterator<Item = C>,
        rows: impl IntoIterator<Item = L>,
    ) {
        let columns = columns.into_iter().map(|name| name.as_ref().to_owned()).collect();
        self.push(Block::Table { columns, rows: rows.into_iter().map(Into::into).collect() });
    }

    /// Adds a table with a line for each name and a column for each other one.
    pub(crate) fn grid<R: AsRef<str>, C: AsRef<str>>(
        &mut self,
        corner: &str,
        rows: &[R],
        columns: &[C],
        cell: impl Fn(&str, &str) -> String,
    ) {
        let row = |row: &R| -> Vec<String> {
            let cells = columns.iter().map(|column| cell(row.as_ref(), column.as_ref()));
            std::iter::once(row.as_ref().to_owned()).chain(cells).collect()
        };
        self.table(std::iter::once(corner).chain(columns.iter().map(AsRef::as_ref)), rows.iter().map(row));
    }

    fn last(&mut self) -> Option<&mut Block> {
        self.sections.last_mut()?.blocks.last_mut()
    }

    fn push(&mut self, block: Block) {
        if let Some(section) = self.sections.last_mut() {
            section.blocks.push(block);
        }
    }
}

impl Document {
    /// The document as Markdown.
    pub fn markdown(&self) -> String {
        let sections: Vec<String> = self.sections.iter().map(markdown).collect();
        sections.join("\n")
    }
}

/// A section: an empty line is before each of its blocks.
fn markdown(section: &Section) -> String {
    let mut text = format!("{} {}\n", "#".repeat(section.level), section.title);
    for line in section.blocks.iter().flat_map(|block| std::iter::once(String::new()).chain(lines(block))) {
        text.push_str(line.trim_end_matches(' '));
        text.push('\n');
    }
    text
}

fn lines(block: &Block) -> Vec<String> {
    match block {
        Block::Paragraph(text) | Block::Warning(text) => vec![text.clone()],
        Block::List(items) => items.iter().map(|item| format!("* {item}")).collect(),
        Block::Facts(facts) => facts.iter().map(|fact| format!("* {}: {}", fact.name, fact.text)).collect(),
        Block::Table { columns, rows } => {
            let head = [columns.join(" | "), vec!["---"; columns.len()].join("|")];
            head.into_iter().chain(rows.iter().map(|line| line.cells.join(" | "))).collect()
        }
    }
}
