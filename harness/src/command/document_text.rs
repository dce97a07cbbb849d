//! A document on a terminal.

use std::io::{Result, Write};

use console::{StyledObject, Term, measure_text_width, style};
use gcn_analysis::{Block, Document, Fact, Line, Section, Span, Tone, spans};

use super::columns::{self, fitted};

/// Least width of a fact's name, so that documents of short names look alike.
const NAME: usize = 13;

/// What stands before facts, items and lines of tables.
const INDENT: &str = "  ";

/// Least width of a text beside what stands before it.
const LEAST: usize = 30;

/// Writes a document: titles are bold, warnings are yellow. `console` leaves colour out where standard output is no terminal; where it is
/// one, texts are in lines of its width.
pub(super) fn write(out: &mut impl Write, document: &Document) -> Result<()> {
    let width = Term::stdout().size_checked().map(|(_, columns)| usize::from(columns));
    for (at, section) in document.sections.iter().enumerate() {
        if at > 0 {
            writeln!(out)?;
        }
        write_section(out, section, width)?;
    }
    Ok(())
}

fn write_section(out: &mut impl Write, section: &Section, width: Option<usize>) -> Result<()> {
    writeln!(out, "{}", style(plain(&section.title)).bold())?;
    for block in &section.blocks {
        match block {
            Block::Paragraph(text) => {
                plain(text).lines().try_for_each(|line| writeln!(out, "{}", wrapped(line, 0, width)))?;
            }
            Block::Warning(text) => writeln!(out, "{}", style(wrapped(&plain(text), 0, width)).yellow())?,
            Block::List(items) => items
                .iter()
                .try_for_each(|item| writeln!(out, "{INDENT}{}", wrapped(&plain(item), 2 * INDENT.len(), width)))?,
            Block::Facts(facts) => write_facts(out, facts, width)?,
            Block::Table { columns: head, rows } => write_table(out, head, rows, width)?,
        }
    }
    Ok(())
}

/// A table that is wider than the terminal has its long texts in lines of their own.
fn write_table(out: &mut impl Write, head: &[String], rows: &[Line], width: Option<usize>) -> Result<()> {
    let head = head.iter().any(|name| !name.is_empty()).then_some((head, Tone::Plain));
    let lines = head.into_iter().chain(rows.iter().map(|line| (&line.cells[..], line.tone)));
    let (cells, tones): (Vec<Vec<String>>, Vec<Tone>) =
        lines.map(|(cells, tone)| (cells.iter().map(|cell| plain(cell)).collect(), tone)).unzip();
    let room = width.map(|width| width.saturating_sub(INDENT.len()));
    for (lines, tone) in fitted(&cells, room).into_iter().zip(tones) {
        lines.into_iter().try_for_each(|line| writeln!(out, "{INDENT}{}", toned(tone, line)))?;
    }
    Ok(())
}

fn write_facts(out: &mut impl Write, facts: &[Fact], width: Option<usize>) -> Result<()> {
    let name = facts.iter().map(|fact| measure_text_width(&fact.name)).fold(NAME, usize::max);
    for fact in facts {
        let text = wrapped(&plain(&fact.text), INDENT.len() + name + 1, width);
        writeln!(out, "{INDENT}{} {text}", toned(fact.tone, format!("{:<name$}", fact.name)))?;
    }
    Ok(())
}

/// A text in the colour of its news.
fn toned(tone: Tone, text: String) -> StyledObject<String> {
    let text = style(text);
    match tone {
        Tone::Plain => text,
        Tone::Good => text.green(),
        Tone::Doubtful => text.yellow(),
        Tone::Bad => text.red(),
    }
}

/// A text without marks.
fn plain(text: &str) -> String {
    spans(text).iter().map(Span::text).collect()
}

/// A text in lines that end before this width; those behind the first begin at the indent, as the first does.
fn wrapped(text: &str, indent: usize, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_owned() };
    let room = width.saturating_sub(indent).max(LEAST);
    columns::wrapped(text, room).join(&format!("\n{:indent$}", ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_wrapped_between_words_where_a_terminal_is() {
        let text = "A value differs if its interval does not hold 0, and it is more than a quarter.";
        let expected = "A value differs if its\n    interval does not hold 0, and\n    it is more than a quarter.";
        assert_eq!(wrapped(text, 4, Some(34)), expected);
        assert_eq!(wrapped(text, 4, None), text);
        let long = "x".repeat(60);
        assert_eq!(wrapped(&format!("a {long} b"), 0, Some(40)), format!("a\n{long}\nb"), "a word is never cut");
    }

    #[test]
    fn the_last_column_is_wrapped_below_itself() {
        let row = |cells: [&str; 2]| Line { cells: cells.map(str::to_owned).into(), tone: Tone::Plain };
        let rows = [row(["V_ADD_F32", "the first of two lines that do not fit"]), row(["S_NOP", "short"])];
        let mut out = Vec::new();
        write_table(&mut out, &["".to_owned(), "why".to_owned()], &rows, Some(45)).unwrap();
        let expected =
            "             why\n  V_ADD_F32  the first of two lines that do\n             not fit\n  S_NOP      short\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn no_table_is_wider_than_the_terminal() {
        let cells = ["4", "MUL_F64 and FMA_F64: as ADD_F64 or twice that", "cycles", "mesa-aco", "not as simulated"];
        let rows = [Line { cells: cells.map(str::to_owned).into(), tone: Tone::Plain }];
        for width in [60, 70, 80, 100] {
            let mut out = Vec::new();
            write_table(
                &mut out,
                &["no.", "question", "quantity", "source", "verdict"].map(str::to_owned),
                &rows,
                Some(width),
            )
            .unwrap();
            let text = String::from_utf8(out).unwrap();
            assert!(text.lines().all(|line| measure_text_width(line) <= width), "{width}: {text}");
        }
    }

    #[test]
    fn names_of_facts_are_as_wide_as_the_longest() {
        let fact = |name: &str, text: &str| Fact::plain(name, text);
        let mut out = Vec::new();
        write_facts(&mut out, &[fact("V_RCP_F32", "ok"), fact("V_MAD_MIXLO_F16", "run `x *y*`")], None).unwrap();
        let expected = "  V_RCP_F32       ok\n  V_MAD_MIXLO_F16 run `x *y*`\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}
