//! `.include` and `.incbin` of an assembly text: the file's lines or bytes in place of the directive, each with the place that it is from.
//! The assembler itself opens no file.

use std::path::{Path, PathBuf};

use gcn_model::regular_file;

/// Files that include each other go no deeper: a guard that only an assembler understands may end them.
const DEEPEST: usize = 32;
/// The most bytes of a text and all that it includes.
const MOST_BYTES: u64 = 16 << 20;
const INCLUDE: &str = ".include";
const INCBIN: &str = ".incbin";

/// Lines of several files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Lines {
    pub(super) files: Vec<PathBuf>,
    pub(super) lines: Vec<Line>,
    /// Bytes of all files.
    bytes: usize,
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
    /// Adds the lines of a file, and in place of each `.include` those of the other file, which lies in the folder of the first file or in
    /// one of these. The bytes of an `.incbin` lie in one of these. What is not there is left for the assembler to refuse.
    pub(super) fn add(&mut self, path: &Path, text: &str, folders: &[PathBuf], depth: usize) {
        let file = self.files.len();
        self.files.push(path.to_owned());
        self.bytes += text.len();
        for (number, line) in (1..).zip(text.lines()) {
            let other = named(line, INCLUDE)
                .filter(|_| depth < DEEPEST)
                .and_then(|(name, _)| self.text_of(path, name, folders));
            if let Some((path, text)) = other {
                self.add(&path, &text, folders, depth + 1);
                continue;
            }
            let text = self.bytes_of(line, folders).unwrap_or_else(|| line.to_owned());
            self.lines.push(Line { text, file, number });
        }
    }

    /// A file that is included, and its text.
    fn text_of(&self, by: &Path, name: &str, folders: &[PathBuf]) -> Option<(PathBuf, String)> {
        // Standard input has no folder.
        let of_first = self.files.first().filter(|first| *first != Path::new("-")).and_then(|first| first.parent());
        let own = of_first.map(|folder| if folder.as_os_str().is_empty() { Path::new(".") } else { folder });
        let beside = own.and(by.parent()).map(Path::to_owned);
        let allowed: Vec<&Path> = own.into_iter().chain(folders.iter().map(PathBuf::as_path)).collect();
        let (path, bytes) = self.found(beside.into_iter().chain(folders.iter().cloned()), name, &allowed)?;
        Some((path, String::from_utf8(bytes).ok()?))
    }

    /// The directive that has the bytes of an `.incbin` itself.
    fn bytes_of(&mut self, line: &str, folders: &[PathBuf]) -> Option<String> {
        let (name, rest) = named(line, INCBIN)?;
        let mut numbers = rest.split([';', '/']).next()?.trim().split(',').skip(1).map(|it| it.trim().parse::<usize>());
        let skipped = numbers.next().unwrap_or(Ok(0)).ok()?;
        let length = numbers.next().unwrap_or(Ok(usize::MAX)).ok()?;
        let allowed: Vec<&Path> = folders.iter().map(PathBuf::as_path).collect();
        let (_, bytes) = self.found(folders.iter().cloned(), name, &allowed)?;
        self.bytes += bytes.len();
        let bytes: Vec<String> = bytes.iter().skip(skipped).take(length).map(u8::to_string).collect();
        Some(if bytes.is_empty() { String::new() } else { format!(".byte {}", bytes.join(",")) })
    }

    /// The first file of a name in places, if it lies, links followed, below one of the allowed folders.
    fn found(
        &self,
        places: impl Iterator<Item = PathBuf>,
        name: &str,
        allowed: &[&Path],
    ) -> Option<(PathBuf, Vec<u8>)> {
        let left = MOST_BYTES.checked_sub(self.bytes as u64)?;
        let allowed: Vec<PathBuf> = allowed.iter().filter_map(|folder| folder.canonicalize().ok()).collect();
        let is_below = |path: &Path| allowed.iter().any(|folder| path.starts_with(folder));
        places.map(|folder| folder.join(name)).find_map(|path| {
            let real = path.canonicalize().ok().filter(|real| is_below(real))?;
            Some((path, regular_file::read(&real, left).ok()?))
        })
    }
}

/// The file that a directive names, and the rest of the line.
fn named<'a>(line: &'a str, directive: &str) -> Option<(&'a str, &'a str)> {
    let name = line.trim_start().strip_prefix(directive)?;
    let name = name.trim_start().strip_prefix('"')?;
    let (name, rest) = name.split_once('"')?;
    // An argument of a macro is known to the assembler alone.
    (!name.is_empty() && !name.contains('\\')).then_some((name, rest))
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
    fn only_files_below_the_named_folders_are_included() {
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (folder.path().join("own"), folder.path().join("other"));
        for place in [&own, &other] {
            fs::create_dir(place).unwrap();
        }
        fs::write(folder.path().join("secret"), "secret\n").unwrap();
        fs::write(own.join("secret"), "own\n").unwrap();
        fs::write(other.join("bytes"), [7, 8, 9, 10]).unwrap();
        let mut wanted = vec![
            ".include \"../secret\"".to_owned(),
            format!(".include \"{}\"", folder.path().join("secret").display()),
        ];
        wanted.extend([".incbin \"secret\"", ".incbin \"../secret\""].map(str::to_owned));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(folder.path().join("secret"), own.join("link")).unwrap();
            wanted.push(".include \"link\"".to_owned());
        }
        let of = |file: &Path, text: &str| {
            let mut lines = Lines::default();
            lines.add(file, text, std::slice::from_ref(&other), 0);
            lines.lines.into_iter().map(|line| line.text).collect::<Vec<_>>()
        };
        assert_eq!(of(&own.join("k.s"), &wanted.join("\n")), wanted);
        assert_eq!(
            of(&own.join("k.s"), ".incbin \"bytes\"\n .incbin \"bytes\" , 1,2 ; two"),
            [".byte 7,8,9,10", ".byte 8,9"]
        );
        assert_eq!(of(&own.join("k.s"), ".include \"secret\""), ["own"]);
        // Standard input has no folder of its own.
        assert_eq!(of(Path::new("-"), ".include \"Cargo.toml\""), [".include \"Cargo.toml\""]);
    }

    #[test]
    fn included_files_have_a_limit_in_sum() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("main.s");
        fs::write(folder.path().join("half"), "; half\n".repeat((MOST_BYTES / 2) as usize / 7)).unwrap();
        let mut lines = Lines::default();
        lines.add(&path, ".include \"half\"\n.include \"half\"\n.include \"half\"\n", &[], 0);
        assert_eq!(lines.files.len(), 2);
        assert_eq!(lines.lines.last().unwrap().text, ".include \"half\"");
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
