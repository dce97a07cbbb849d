//! Sections of a document as HTML.

use std::fmt::Write;

use handlebars::html_escape;

use super::block::{Block, Line};
use super::document::Section;
use super::inline::{Span, spans};

/// Bytes of the longest number that is kept on a line.
const WIDEST: usize = 24;

impl Section {
    /// The end of a link to the section: its title in small letters. No table of a file has such a name.
    pub(crate) fn anchor(&self) -> String {
        let words = self.title.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
        format!("about-{}", words.collect::<Vec<_>>().join("-").to_ascii_lowercase())
    }

    /// The heading and the blocks.
    pub(crate) fn html(&self) -> String {
        let level = self.level.max(2);
        let mut html = format!("<h{level} id=\"{}\">{}</h{level}>\n", self.anchor(), text(&self.title));
        for block in &self.blocks {
            // Writing to a String does not fail.
            let _ = writeln!(html, "{}", of_block(block, &self.title));
        }
        html
    }
}

fn of_block(block: &Block, title: &str) -> String {
    match block {
        Block::Paragraph(paragraph) => format!("<p>{}</p>", text(paragraph)),
        Block::Warning(warning) => format!("<p class=\"warning\">{}</p>", text(warning)),
        Block::List(items) => {
            let items: String = items.iter().map(|item| format!("<li>{}</li>\n", text(item))).collect();
            format!("<ul>{items}</ul>")
        }
        Block::Facts(facts) => {
            let fact = |name: &str, said: &str| format!("<dt>{}</dt><dd>{}</dd>\n", text(name), text(said));
            let facts: String = facts.iter().map(|it| fact(&it.name, &it.text)).collect();
            format!("<dl>{facts}</dl>")
        }
        Block::Table { columns, rows } => {
            let head: String = columns.iter().map(|name| format!("<th scope=\"col\">{}</th>", text(name))).collect();
            let is_named = columns.iter().any(|name| !name.is_empty());
            let head = if is_named { format!("<thead><tr>{head}</tr></thead>\n") } else { String::new() };
            let row = |line: &Line| {
                let cells: String = line.cells.iter().map(|cell| of_cell(cell)).collect();
                format!("<tr>{cells}</tr>\n")
            };
            let rows: String = rows.iter().map(row).collect();
            let label = html_escape(title);
            format!(
                "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\"><table>\n{head}<tbody>{rows}</tbody>\n</table></div>"
            )
        }
    }
}

/// A cell; one that begins with a number keeps its digits on a line.
fn of_cell(cell: &str) -> String {
    let is_number =
        cell.trim_start_matches(['−', '-', '≤', '≥', ' ']).starts_with(|first: char| first.is_ascii_digit());
    let class = if is_number && cell.len() <= WIDEST { " class=\"n\"" } else { "" };
    format!("<td{class}>{}</td>", text(cell))
}

/// A text with its emphasis; everything else in it is text.
fn text(text: &str) -> String {
    let tagged = |span: Span| match span {
        Span::Plain(text) => html_escape(&text),
        Span::Code(text) => format!("<code>{}</code>", html_escape(&text)),
        Span::Emphasis(text) => format!("<em>{}</em>", html_escape(&text)),
        Span::Strong(text) => format!("<strong>{}</strong>", html_escape(&text)),
    };
    spans(text).into_iter().map(tagged).collect()
}
