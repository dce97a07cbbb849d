//! A document on a terminal.

use std::io::{Result, Write};

use console::style;
use gcn_analysis::{Block, Document, Fact, Section, Span, Tone, spans};

use super::columns::columns;

/// Least width of a fact's name, so that documents of short names look alike.
const NAME: usize = 13;

/// Writes a document: titles are bold, warnings are yellow. `console` leaves colour out where standard output is no terminal.
pub(super) fn write(out: &mut impl Write, document: &Document) -> Result<()> {
    for (at, section) in document.sections.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        write_section(out, section)?;
    }
    Ok(())
}

fn write_section(out: &mut impl Write, section: &Section) -> Result<()> {
    writeln!(out, "{}", style(plain(&section.title)).bold())?;
    for block in &section.blocks {
        match block {
            Block::Paragraph(text) => writeln!(out, "{}", plain(text))?,
            Block::Warning(text) => writeln!(out, "{}", style(plain(text)).yellow())?,
            Block::List(items) => items.iter().try_for_each(|item| writeln!(out, "  {}", plain(item)))?,
            Block::Facts(facts) => facts.iter().try_for_each(|fact| write_fact(out, fact))?,
            Block::Table { columns: head, rows } => {
                let is_named = head.iter().any(|name| !name.is_empty());
                let cells = is_named.then_some(head).into_iter().chain(rows);
                let cells: Vec<Vec<String>> = cells.map(|row| row.iter().map(|cell| plain(cell)).collect()).collect();
                columns(&cells).iter().try_for_each(|line| writeln!(out, "  {line}"))?;
            }
        }
    }
    Ok(())
}

fn write_fact(out: &mut impl Write, fact: &Fact) -> Result<()> {
    let name = style(format!("{:<NAME$}", fact.name));
    let name = match fact.tone {
        Tone::Plain => name,
        Tone::Good => name.green(),
        Tone::Doubtful => name.yellow(),
        Tone::Bad => name.red(),
    };
    writeln!(out, "  {name} {}", plain(&fact.text))
}

/// A text without marks.
fn plain(text: &str) -> String {
    spans(text).iter().map(Span::text).collect()
}
