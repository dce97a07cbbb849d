//! Metadata, line by line: the part of YAML that kernels need. LLVM's own reader ends the program on much that is wrong.

/// The lines of a note so far.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    /// The open mappings and lists, by column.
    levels: Vec<Level>,
    /// Whether the last key has its value in the lines below it.
    is_open: bool,
    has_begun: bool,
    has_ended: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level {
    column: usize,
    is_list: bool,
}

impl Metadata {
    /// Takes a line; returns its fault.
    pub(super) fn take(&mut self, line: &str) -> Result<(), &'static str> {
        let text = line.trim_start_matches(' ');
        let (column, text) = (line.len() - text.len(), text.trim_end());
        match text {
            "" => return Ok(()),
            _ if text.starts_with('#') => return Ok(()),
            _ if self.has_ended => return Err("the metadata has ended before this line"),
            "---" if !self.has_begun => {
                self.has_begun = true;
                return Ok(());
            }
            "..." => {
                self.has_ended = true;
                return if self.is_open { Err(NO_VALUE) } else { Ok(()) };
            }
            _ => self.has_begun = true,
        }
        if text.contains(|c: char| !c.is_ascii_alphanumeric() && !"_-.,:[]{} +".contains(c)) {
            return Err("a character that the metadata has no use for");
        }
        let (is_list, content) = text.strip_prefix("- ").map_or((false, text), |content| (true, content));
        self.place(Level { column, is_list })?;
        let entries =
            content.strip_prefix('{').map(|inside| inside.strip_suffix('}').ok_or("a brace that is not closed"));
        if let Some(entries) = entries.transpose()? {
            return if is_list && entries.split(',').all(is_entry) { Ok(()) } else { Err(NO_VALUE) };
        }
        if is_list {
            // The keys of an item stand below its first one.
            self.levels.push(Level { column: column + 2, is_list: false });
        }
        self.is_open = content.strip_suffix(':').is_some_and(is_word);
        if self.is_open || is_entry(content) { Ok(()) } else { Err(NO_VALUE) }
    }

    /// Whether a line can begin at a column.
    fn place(&mut self, level: Level) -> Result<(), &'static str> {
        let column = self.levels.last().map(|level| level.column);
        if self.is_open || self.levels.is_empty() {
            if column.is_some_and(|column| level.column <= column) {
                return Err(NO_VALUE);
            }
            self.levels.push(level);
            self.is_open = false;
            return Ok(());
        }
        while self.levels.last().is_some_and(|open| open.column > level.column) {
            self.levels.pop();
        }
        if self.levels.last() == Some(&level) { Ok(()) } else { Err("the metadata has nothing open at this column") }
    }
}

const NO_VALUE: &str = "each key of the metadata needs a value, after `: ` or below it";

/// `key: value`, or `key: [value, value]`.
fn is_entry(entry: &str) -> bool {
    let Some((key, value)) = entry.trim().split_once(": ") else { return false };
    let values = value.strip_prefix('[').map_or(Some(value), |values| values.strip_suffix(']'));
    is_word(key) && values.is_some_and(|values| values.split(',').all(|value| is_word(value.trim())))
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_.-+".contains(c)) && text != "-"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> Option<(usize, &'static str)> {
        let mut metadata = Metadata::default();
        (1..).zip(text.lines()).find_map(|(number, line)| Some((number, metadata.take(line).err()?)))
    }

    #[test]
    fn accepts_only_metadata_that_kernels_need() {
        let fine = "---\namdhsa.version: [1, 1]\namdhsa.kernels:\n  - .name: k\n    .size: 8\n    .args:\n      - {.offset: 0, .size: 8}\n  \
                    - .name: l\n...\n";
        assert_eq!(problem(fine), None);
        for (from, to, line) in [
            (".size: 8}", ".size 8}", 7),
            ("    .args:\n", "", 6),
            ("    .size", "   .size", 5),
            ("      - {.offset: 0, .size: 8}\n", "", 7),
            ("  - .name: l\n", "", 0),
            (".name: l", ".name:", 9),
            (".name: l", ".name: \"l", 8),
            ("[1, 1]", "[1, 1", 2),
            (&fine[fine.find("  - ").unwrap_or(0)..], "...\n", 4),
            ("  - .name: l\n...", "...\n  - .name: l", 9),
        ] {
            let text = fine.replace(from, to);
            assert_eq!(problem(&text).map_or(0, |(line, _)| line), line, "{text}");
        }
    }
}
