//! The lengths of functions and files of the product: long ones say why.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a function, and of a file.
const FUNCTION: usize = 60;
const FILE: usize = 400;
/// Begins the comment that says why a function or file is longer.
const REASON: &str = "// Long: ";
/// Lines of comments and attributes before a function, and of its head, where the reason may be.
const NEAR: usize = 14;

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the workspace")
}

/// The sources of the product, but for files that hold tests alone.
fn sources() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        ["model", "simulator", "predict", "harness", "analysis"].map(|name| workspace().join(name).join("src")).into();
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.is_dir() {
                true if entry.file_name().is_some_and(|name| name != "tests") => folders.push(entry),
                false if entry.extension().is_some_and(|ending| ending == "rs") && !entry.ends_with("tests.rs") => {
                    files.push(entry);
                }
                _ => {}
            }
        }
    }
    files.sort();
    files
}

/// The text before the tests beside the code.
fn product(text: &str) -> Vec<&str> {
    text.lines().take_while(|line| *line != "#[cfg(test)]").collect()
}

/// Whether a line begins a function.
fn is_function(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().take_while(|word| *word != "fn").collect();
    let is_before = |word: &&str| {
        word.starts_with("pub")
            || word.starts_with("in")
            || ["const", "unsafe", "extern", "\"C\"", "async"].contains(word)
    };
    line.split_whitespace().any(|word| word == "fn") && words.iter().all(is_before)
}

/// The functions of formatted code: first line, lines, and whether the reason for a long one is there.
fn functions(lines: &[&str]) -> Vec<(usize, usize, bool)> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let length = |first: usize| {
        let depth = indent(lines[first]);
        let ends = |line: &&str| indent(line) == depth && (line.trim_start().starts_with('}') || line.ends_with(';'));
        // A function in a line, or one that a trait names.
        let is_short = lines[first].ends_with('}') || lines[first].ends_with(';');
        if is_short { 1 } else { lines[first + 1..].iter().position(ends).map_or(1, |at| at + 2) }
    };
    let has_reason = |first: usize| {
        let near = first.saturating_sub(NEAR)..(first + NEAR).min(lines.len());
        lines[near].iter().any(|line| line.trim_start().starts_with(REASON))
    };
    let firsts = (0..lines.len()).filter(|at| is_function(lines[*at]));
    firsts.map(|first| (first, length(first), has_reason(first))).collect()
}

#[test]
fn long_functions_and_files_say_why() {
    let mut found = String::new();
    for path in sources() {
        let text = fs::read_to_string(&path).unwrap();
        let lines = product(&text);
        let name = path.strip_prefix(workspace()).unwrap().display();
        for (first, length, has_reason) in functions(&lines) {
            if length > FUNCTION && !has_reason {
                writeln!(found, "{name}:{}: {length} lines: {}", first + 1, lines[first].trim()).unwrap();
            }
        }
        let has_reason = lines.iter().any(|line| line.starts_with(REASON));
        if lines.len() > FILE && !has_reason {
            writeln!(found, "{name}: {} lines", lines.len()).unwrap();
        }
    }
    assert!(found.is_empty(), "a long function or file says why (`{REASON}…`):\n{found}");
}

#[test]
fn lengths_are_counted_in_lines() {
    let text = "fn one() {}\n\npub(super) fn two() {\n    // Long: a table.\n    if let Some(_) = x {\n    }\n}\ntrait T {\n    fn named(\n        &self,\n    );\n}\n";
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(functions(&lines), [(0, 1, true), (2, 5, true), (8, 3, true)]);
    assert!(!is_function("let of = |fn_: u32| fn_;") && is_function("    pub const unsafe fn f("));
}
