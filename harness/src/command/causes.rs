//! An error with its causes, as it is told on standard error.

use gcn_model::printable::Printable;

/// The message and those of the causes that add to it; characters that a terminal would obey are escaped.
pub fn told(error: &anyhow::Error) -> String {
    let mut told = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if told.is_empty() {
            told = cause;
        } else if !told.contains(&cause) {
            told += &format!(": {cause}");
        }
    }
    // Tabs of a quoted line stay, as in the line of the mark below it.
    let line = |line: &str| line.split('\t').map(|part| Printable(part).to_string()).collect::<Vec<_>>().join("\t");
    told.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("cannot read it: {source}")]
    struct Read {
        source: io::Error,
    }

    #[test]
    fn a_cause_is_printed_once() {
        let error = anyhow::Error::new(Read { source: io::Error::other("no \x1b[31mdisk") });
        assert_eq!(told(&error), "cannot read it: no \\u{1b}[31mdisk");
        assert_eq!(told(&error.context("the plot")), "the plot: cannot read it: no \\u{1b}[31mdisk");
        assert_eq!(told(&anyhow::anyhow!("two\n\tlines\x07")), "two\n\tlines\\u{7}");
    }
}
