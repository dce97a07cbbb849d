//! Assembly text whose lines know the template line that they come from.

use std::fmt::{Display, Formatter};
use std::sync::Arc;

/// Where a line of text comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The template's name, such as `templates/looped.s.hbs`.
    pub template: Arc<str>,
    /// Line of the template, from 1.
    pub line: u32,
}

impl Display for Origin {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.template, self.line)
    }
}

/// Lines of assembly text, each with its origin.
#[derive(Debug, Clone, Default)]
pub struct Text {
    text: String,
    lines: u32,
    runs: Vec<Run>,
}

/// Consecutive lines of text that come from consecutive lines of a template.
#[derive(Debug, Clone)]
struct Run {
    /// Index of the run's first line in the text.
    first: u32,
    origin: Origin,
}

impl Text {
    /// No lines.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Text whose lines are those of a template, in order.
    #[must_use]
    pub fn of_template(template: &str, rendered: &str) -> Self {
        let mut text = Self::new();
        text.push_template(&Arc::from(template), 1, rendered);
        text
    }

    /// Appends one line; `line` holds no line break.
    pub fn push(&mut self, line: &str, origin: &Origin) {
        self.push_template(&origin.template, origin.line, line);
        if line.is_empty() {
            self.text.push('\n');
            self.mark(&origin.template, origin.line);
            self.lines += 1;
        }
    }

    /// Appends lines that come from consecutive lines of a template, from its line `first_line` on.
    pub fn push_template(&mut self, template: &Arc<str>, first_line: u32, rendered: &str) {
        let mut lines = 0;
        for line in rendered.lines() {
            self.text.push_str(line);
            self.text.push('\n');
            lines += 1;
        }
        if lines > 0 {
            self.mark(template, first_line);
            self.lines += lines;
        }
    }

    /// Appends another text with its origins.
    pub fn append(&mut self, other: &Self) {
        self.text.push_str(&other.text);
        self.runs
            .extend(other.runs.iter().map(|run| Run { first: run.first + self.lines, origin: run.origin.clone() }));
        self.lines += other.lines;
    }

    /// The text; every line ends with a line break.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The origin of a line, which is counted from 0; `None` beyond the end.
    #[must_use]
    pub fn origin(&self, line: usize) -> Option<Origin> {
        let line = u32::try_from(line).ok().filter(|line| *line < self.lines)?;
        let run = &self.runs[self.runs.partition_point(|run| run.first <= line).checked_sub(1)?];
        Some(Origin { template: Arc::clone(&run.origin.template), line: run.origin.line + (line - run.first) })
    }

    /// Notes the origin of the line that comes next, unless it continues the last run.
    fn mark(&mut self, template: &Arc<str>, line: u32) {
        let continued = self
            .runs
            .last()
            .is_some_and(|run| run.origin.template == *template && run.origin.line + (self.lines - run.first) == line);
        if !continued {
            self.runs.push(Run { first: self.lines, origin: Origin { template: Arc::clone(template), line } });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_where_each_line_comes_from() {
        let body = Arc::from("body");
        let mut text = Text::of_template("head", "a\nb\n");
        for line in [7, 7, 8] {
            text.push("x", &Origin { template: Arc::clone(&body), line });
        }
        text.push("", &Origin { template: Arc::clone(&body), line: 9 });
        text.append(&Text::of_template("tail", "y\r\nz"));
        assert_eq!(text.as_str(), "a\nb\nx\nx\nx\n\ny\nz\n");
        let origins: Vec<String> = (0..8).map(|line| text.origin(line).unwrap().to_string()).collect();
        assert_eq!(origins, ["head:1", "head:2", "body:7", "body:7", "body:8", "body:9", "tail:1", "tail:2"]);
        assert_eq!(text.origin(8), None);
        assert_eq!(text.runs.len(), 4);
    }
}
