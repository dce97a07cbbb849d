//! Directives that LLVM does not take, and whose they are.

use serde::Deserialize;

/// Directives, whose they are, and what to do: `directives.csv`.
const DIRECTIVES: &str = include_str!("../../data/directives.csv");

const PRINT: &str = ".print";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Directive {
    directive: String,
    syntax: String,
    instead: String,
}

/// A line's directive, if it is one of another assembler or an older LLVM, or reads a file.
pub(super) fn hint(line: &str) -> Option<String> {
    let name = line.split_whitespace().next()?.trim_end_matches(':');
    let mut rows = csv::Reader::from_reader(DIRECTIVES.as_bytes());
    let known = rows.deserialize().filter_map(Result::ok).find(|row: &Directive| row.directive == name)?;
    Some(format!("{name} is a directive of {}: {}", known.syntax, known.instead))
}

/// Whether a line asks LLVM to print by itself.
pub(super) fn prints(line: &str) -> bool {
    // Its directives may be written in any case, after labels.
    let mut words = line.split_whitespace().skip_while(|word| word.ends_with(':'));
    words.next().is_some_and(|word| word.get(..PRINT.len()).is_some_and(|start| start.eq_ignore_ascii_case(PRINT)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_read_and_names_a_remedy() {
        let mut rows = csv::Reader::from_reader(DIRECTIVES.as_bytes());
        let rows: Vec<Directive> = rows.deserialize().collect::<Result<_, _>>().unwrap();
        assert!(rows.iter().all(|row| row.directive.starts_with('.') && !row.instead.is_empty()));
        let told = hint("  .hsa_code_object_version 2,0").unwrap();
        assert!(told.starts_with(".hsa_code_object_version is a directive of code object V2"), "{told}");
        assert!(hint(".dims x").unwrap().contains("CLRX"));
        assert_eq!(hint("v_nop"), None);
        assert!(prints("a: b: .Print\"x\"") && !prints("; .print") && !prints(".string \".print\""));
    }
}
