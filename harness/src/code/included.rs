//! `.include` of an assembly text: the file's lines in place of the directive, each with the place that it is from.

use std::path::{Path, PathBuf};

use gcn_model::regular_file;

/// Files that include each other go no deeper: a guard that only an assembler understands may end them.
const DEEPEST: usize = 32;
/// The most bytes of a file that is included.
const MOST_BYTES: u64 = 16 << 20;
const INCLUDE: &str = ".include";

/// Lines of several files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Lines {
    pub(super) files: Vec<PathBuf>,
    pub(super) lines: Vec<Line>,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) text: String,
    /// The number of its file.
    pub(super) file: usize,
    /// Its number in the file, from 1.
    pub(super) number: usize,
}

impl Lines {
    /// Adds the lines of a file, and in place of each `.include` those of the other file. It is looked for beside the file that names it, in
    /// these folders, and from the working directory; one that is not there is left for the assembler to refuse.
    pub(super) fn add(&mut self, path: &Path, text: &str, folders: &[PathBuf], depth: usize) {
        let file = self.files.len();
        self.files.push(path.to_owned());
        for (number, line) in (1..).zip(text.lines()) {
            let other = included(line).filter(|_| depth < DEEPEST);
            let found = other.and_then(|name| found(path, name, folders));
            match found {
                Some((path, text)) => self.add(&path, &text, folders, depth + 1),
                None => self.lines.push(Line { text: line.to_owned(), file, number }),
            }
        }
    }
}

/// The file that a line includes.
fn included(line: &str) -> Option<&str> {
    let name = line.trim_start().strip_prefix(INCLUDE)?;
    let name = name.trim_start().strip_prefix('"')?;
    let (name, _) = name.split_once('"')?;
    // An argument of a macro is known to the assembler alone.
    (!name.is_empty() && !name.contains('\\')).then_some(name)
}

fn found(by: &Path, name: &str, folders: &[PathBuf]) -> Option<(PathBuf, String)> {
    let beside = by.parent().map(Path::to_owned).into_iter();
    let mut places = beside.chain(folders.iter().cloned()).chain([PathBuf::new()]).map(|folder| folder.join(name));
    places.find_map(|path| {
        let bytes = regular_file::read(&path, MOST_BYTES).ok()?;
        Some((path, String::from_utf8(bytes).ok()?))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn included_lines_keep_their_place_and_origin() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        fs::create_dir(&other).unwrap();
        fs::write(folder.path().join("a.inc"), "one\n.include \"b.inc\"\n").unwrap();
        fs::write(other.join("b.inc"), "two\n").unwrap();
        let main = folder.path().join("main.s");
        let mut lines = Lines::default();
        lines.add(&main, "zero\n  .include \"a.inc\" ; it\n.include \"none\"\n.include \"main.s\"\n", &[other], 0);
        let told: Vec<_> = lines.lines.iter().map(|line| (line.text.as_str(), line.file, line.number)).collect();
        let rest = [(".include \"none\"", 0, 3), (".include \"main.s\"", 0, 4)];
        assert_eq!(told, [[("zero", 0, 1), ("one", 1, 1), ("two", 2, 1)].as_slice(), &rest].concat());
        assert_eq!(lines.files[2].file_name().unwrap(), "b.inc");
    }

    #[test]
    fn a_file_that_includes_itself_ends() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("self.inc");
        fs::write(&path, ".include \"self.inc\"\n").unwrap();
        let mut lines = Lines::default();
        lines.add(&path, ".include \"self.inc\"\n", &[], 0);
        assert_eq!((lines.lines.len(), lines.files.len()), (1, DEEPEST + 1));
    }
}
