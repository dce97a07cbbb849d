//! Labels in the code that a user brings.

use super::function::Function;

/// A place in a function that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub name: String,
    /// The number of the function that it is in.
    pub function: usize,
    /// Address in bytes; it may be after the last instruction.
    pub address: u64,
}

/// Whether an assembler takes a character in the name of a symbol.
pub(super) fn is_of_name(character: char) -> bool {
    character.is_ascii_alphanumeric() || "._$".contains(character)
}

impl Label {
    /// The label in the function that has its address, or that ends there; functions before the `first` are not of its section.
    pub(super) fn within(name: String, address: u64, functions: &[Function], first: usize) -> Option<Self> {
        let of_section = &functions[first..];
        let inside = of_section.iter().position(|it| (it.code.address..it.code.end()).contains(&address));
        let function = inside.or_else(|| of_section.iter().position(|it| it.code.end() == address))?;
        Some(Self { name, function: first + function, address })
    }
}
