//! The program that runs, to be started again.

use std::ffi::OsString;
use std::io;

use super::process::ChildProgram;

impl ChildProgram {
    /// This program with other arguments, started as it was: by itself, or by a dynamic loader that was named
    /// (`ld-linux-x86-64.so.2 --library-path … PROGRAM`), which is then the executable of the process.
    ///
    /// # Errors
    /// Those of [`std::env::current_exe`].
    pub fn this(arguments: impl IntoIterator<Item = OsString>) -> io::Result<Self> {
        let program = std::env::current_exe()?;
        let loaders = loader_arguments()?;
        Ok(Self { program, arguments: loaders.into_iter().chain(arguments).collect() })
    }
}

/// The words before this program's arguments: the loader's options, and the program's name.
#[cfg(target_os = "linux")]
fn loader_arguments() -> io::Result<Vec<OsString>> {
    let line = std::fs::read("/proc/self/cmdline")?;
    Ok(before_own(&line, std::env::args_os().len()))
}

#[cfg(not(target_os = "linux"))]
fn loader_arguments() -> io::Result<Vec<OsString>> {
    Ok(Vec::new())
}

/// The arguments of the loader in a command line as Linux keeps it, up to the program's name. A loader gives the program its own arguments
/// alone, `own` of them with the name, so that more than these are the loader's.
#[cfg(target_os = "linux")]
fn before_own(line: &[u8], own: usize) -> Vec<OsString> {
    use std::os::unix::ffi::OsStringExt;
    let line = line.strip_suffix(&[0]).unwrap_or(line);
    let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
    let program = words.len().saturating_sub(own.max(1));
    words[1..=program].iter().map(|word| OsString::from_vec(word.to_vec())).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_of_a_loader_are_those_before_the_programs() {
        let line = b"/lib/ld.so\0--argv0\0name\0./program\0measure\0\0";
        assert_eq!(before_own(line, 3), ["--argv0", "name", "./program"]);
        assert_eq!(before_own(b"/lib/ld.so\0program\0", 1), ["program"]);
    }

    #[test]
    fn a_program_that_was_started_itself_has_none_before_its_own() {
        assert!(before_own(b"program\0measure\0--out\0\0", 4).is_empty());
        assert!(before_own(b"program\0", 1).is_empty());
        assert!(before_own(b"", 0).is_empty());
        assert_eq!(ChildProgram::this(["x".into()]).unwrap().arguments, ["x"]);
    }
}
