//! What can be wrong with a file of published timings.

/// A value that is in none of the forms that published tables use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a published value: {reason}")]
pub struct ExpressionError {
    /// The text as found.
    pub text: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

/// A file of published timings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PublishedError {
    /// The TOML file with the source's rules is wrong.
    #[error("{file}: {cause}")]
    Rules {
        file: String,
        /// What the TOML parser said, with the line.
        cause: toml::de::Error,
    },
    /// The CSV file with the source's rows is wrong.
    #[error("{file}: {cause}")]
    Rows {
        file: String,
        /// What the CSV reader said, with the line.
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
    /// A row that names a target that is none.
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
        /// What is wrong.
        reason: &'static str,
    },
}
