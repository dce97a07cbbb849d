//! A document as Markdown.

use super::block::Block;
use super::document::{Document, Section};

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
