//! What can be wrong with a file of published timings.

/// A value that is in none of the forms that published tables use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a published value: {reason}")]
pub struct ExpressionError {
    /// The text as found.
    pub text: String,
    pub reason: &'static str,
}

/// A file of published timings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PublishedError {
    /// The TOML file with the source's rules is wrong.
    #[error("{file}: {cause}")]
    Rules {
        file: String,
        /// The TOML parser's message, with the line.
        cause: toml::de::Error,
    },
    /// The CSV file with the source's rows is wrong.
    #[error("{file}: {cause}")]
    Rows {
        file: String,
        /// The CSV reader's message, with the line.
        cause: csv::Error,
    },
    /// A footnote is used that the source does not explain.
    #[error("{file}: {instruction} refers to footnote ({mark}), which the file does not have")]
    Footnote {
        file: String,
        /// The instruction or the rule that uses it.
        instruction: String,
        /// The footnote's number.
        mark: u8,
    },
    /// A row that names an unknown target.
    #[error("{file}: {instruction}: its `targets` are LLVM targets (`gfx600`) or names of `[target_groups]`")]
    Targets {
        file: String,
        /// The instruction of the row.
        instruction: String,
    },
    /// A rule that speaks of nothing, or of two things.
    #[error("{file}: rule `{rule}`: {reason}")]
    Rule {
        file: String,
        /// The rule's id.
        rule: String,
        reason: &'static str,
    },
}
