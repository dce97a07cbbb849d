//! Labels in the code that a user brings.

use std::collections::BTreeMap;

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

/// The functions of a section, to be found by an address.
pub(super) struct Places<'a> {
    functions: &'a [Function],
    /// The number of the first of them.
    first: usize,
    /// Up to where each of them, or one before it, reaches.
    reach: Vec<u64>,
    /// The first function that ends at an address.
    ends: BTreeMap<u64, usize>,
}

impl<'a> Places<'a> {
    /// The functions from a number on, in the order of their addresses.
    pub(super) fn of(functions: &'a [Function], first: usize) -> Self {
        let functions = &functions[first..];
        let reach = functions.iter().scan(0, |end: &mut u64, function| {
            *end = function.code.end().max(*end);
            Some(*end)
        });
        let ends = functions.iter().enumerate().rev().map(|(number, function)| (function.code.end(), number)).collect();
        Self { functions, first, reach: reach.collect(), ends }
    }

    /// The label in the first function that has its address, or that ends there.
    pub(super) fn label(&self, name: String, address: u64) -> Option<Label> {
        // The first that reaches beyond the address has it, or no function has.
        let number = self.reach.partition_point(|end| *end <= address);
        let inside = self.functions.get(number).filter(|function| function.code.address <= address);
        let number = inside.map(|_| number).or_else(|| self.ends.get(&address).copied())?;
        Some(Label { name, function: self.first + number, address })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use gcn_predict::Code;

    use super::*;

    #[test]
    fn a_label_is_in_the_first_function_that_has_it() {
        let function = |address: u64, dwords: usize| Function {
            name: String::new(),
            code: Code { address, words: vec![0; dwords].into() },
            needs: None,
            places: Arc::default(),
        };
        let functions = [(0, 1), (0, 8), (4, 1), (16, 8), (64, 2)].map(|(address, dwords)| function(address, dwords));
        let places = Places::of(&functions, 1);
        let of = |address| places.label(String::new(), address).map(|label| label.function);
        for address in 0..80 {
            let has = |it: &Function| (it.code.address..it.code.end()).contains(&address);
            let inside = functions[1..].iter().position(has);
            let number = inside.or_else(|| functions[1..].iter().position(|it| it.code.end() == address));
            assert_eq!(of(address), number.map(|number| number + 1), "{address}");
        }
    }
}
