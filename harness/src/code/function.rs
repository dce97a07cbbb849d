//! A function of the code that a user brings.

use gcn_predict::{Allocation, Code};

/// A kernel or another function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Empty where the code has no functions.
    pub name: String,
    pub code: Code,
    /// What its descriptor allocates, if it is a kernel with one.
    pub allocation: Option<Allocation>,
}
