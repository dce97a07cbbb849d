//! Standard output for people: colours are the program's own, everything else that a terminal would obey is escaped.

use std::fmt::Arguments;
use std::io::{Result, StderrLock, StdoutLock, Write, stderr, stdout};

use gcn_model::printable::Printable;

/// What `console` writes for the styles that the commands use: none, bold, red, green, yellow.
const STYLES: [&str; 5] = ["\u{1b}[0m", "\u{1b}[1m", "\u{1b}[31m", "\u{1b}[32m", "\u{1b}[33m"];

/// Lines of text on their way to a terminal. Names and reasons in it come from cards, drivers and folders of others.
#[derive(Debug)]
pub(super) struct Terminal<W> {
    out: W,
    has_colours: bool,
}

impl Terminal<StdoutLock<'static>> {
    /// Standard output.
    pub(super) fn standard() -> Self {
        Self { out: stdout().lock(), has_colours: console::colors_enabled() }
    }
}

impl Terminal<StderrLock<'static>> {
    /// Standard error.
    pub(super) fn error() -> Self {
        Self { out: stderr().lock(), has_colours: console::colors_enabled_stderr() }
    }
}

impl<W: Write> Terminal<W> {
    fn text(&mut self, text: &str) -> Result<()> {
        let mut rest = text;
        while let Some(at) = rest.find(['\u{1b}', '\n']) {
            write!(self.out, "{}", Printable(&rest[..at]))?;
            rest = &rest[at..];
            let style = STYLES.into_iter().find(|style| self.has_colours && rest.starts_with(style));
            let length = match style {
                Some(style) => style.len(),
                None => 1,
            };
            let (first, behind) = rest.split_at(length);
            if style.is_some() || first == "\n" {
                self.out.write_all(first.as_bytes())?;
            } else {
                write!(self.out, "{}", Printable(first))?;
            }
            rest = behind;
        }
        write!(self.out, "{}", Printable(rest))
    }
}

impl<W: Write> Write for Terminal<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        self.text(&String::from_utf8_lossy(bytes))?;
        Ok(bytes.len())
    }

    /// A style and what stands in it are pieces of their own to the default of this.
    fn write_fmt(&mut self, text: Arguments<'_>) -> Result<()> {
        self.text(&text.to_string())
    }

    fn flush(&mut self) -> Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, has_colours: bool) -> String {
        let mut terminal = Terminal { out: Vec::new(), has_colours };
        write!(terminal, "{text}").unwrap();
        String::from_utf8(terminal.out).unwrap()
    }

    #[test]
    fn styles_pass_that_are_written_in_pieces() {
        let mut terminal = Terminal { out: Vec::new(), has_colours: true };
        writeln!(terminal, "{}", console::style("title").force_styling(true).bold()).unwrap();
        assert_eq!(terminal.out, b"\x1b[1mtitle\x1b[0m\n");
    }

    #[test]
    fn only_the_programs_own_colours_pass() {
        let text = "\u{1b}[31mred\u{1b}[0m é\n\u{1b}]0;title\u{7}\u{1b}[2J\r\u{9b}1m\n";
        assert_eq!(shown(text, true), "\u{1b}[31mred\u{1b}[0m é\n\\u{1b}]0;title\\u{7}\\u{1b}[2J\\r\\u{9b}1m\n");
        assert!(shown(text, false).starts_with("\\u{1b}[31mred\\u{1b}[0m é\n"));
    }
}
