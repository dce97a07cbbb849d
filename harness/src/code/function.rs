//! A function of the code that a user brings.

use gcn_predict::Code;

/// A kernel or another function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Empty where the code has no functions.
    pub name: String,
    pub code: Code,
}
