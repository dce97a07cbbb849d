//! A part of a section.

use serde::Serialize;

use super::inline::literal;

/// A part of a section. Texts have Markdown's emphasis and code ([`super::spans`]); text of others in them is escaped. They are of one line,
/// but for paragraphs: a line feed there begins a sentence on a line of its own, which Markdown and HTML join to the one before.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Block {
    Paragraph(String),
    /// What a reader has to know before anything else.
    Warning(String),
    List(Vec<String>),
    Facts(Vec<Fact>),
    Table {
        columns: Vec<String>,
        rows: Vec<Line>,
    },
}

/// A line of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Line {
    pub cells: Vec<String>,
    #[serde(skip)]
    pub tone: Tone,
}

impl From<Vec<String>> for Line {
    fn from(cells: Vec<String>) -> Self {
        Self { cells, tone: Tone::Plain }
    }
}

impl<const N: usize> From<[String; N]> for Line {
    fn from(cells: [String; N]) -> Self {
        Vec::from(cells).into()
    }
}

/// A name, and what is said of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fact {
    pub name: String,
    pub text: String,
    pub tone: Tone,
}

/// Whether a fact or a line is good news.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    #[default]
    Plain,
    Good,
    Doubtful,
    Bad,
}

impl Fact {
    /// A fact whose text has no marks: it appears as it is, backticks included.
    pub fn plain(name: &str, text: &str) -> Self {
        Self { name: name.to_owned(), text: literal(text), tone: Tone::Plain }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Span, spans};

    #[test]
    fn a_plain_fact_keeps_its_backticks_and_what_is_between_them() {
        let text = "not measured: `gcn-timings measure --only 'V_*_F64'` does, a ` alone and \\` do not";
        assert_eq!(spans(&Fact::plain("DPFACTOR", text).text), [Span::Plain(text.to_owned())]);
    }
}
