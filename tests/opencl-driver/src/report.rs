//! The driver's messages: on standard error, one line each, and in a file if requested.

use std::fmt::Display;
use std::fs::File;
use std::io::Write;

/// A file that gets the lines as well: a program may keep the standard error of its processes to itself.
const FILE: &str = "GCN_TIMINGS_OPENCL_LOG";

/// Writes a line about a call or, without one, about an event. A process without standard error loses it.
pub(crate) fn report(subject: impl Display, message: impl Display) {
    // A single write, so that lines of different processes do not mix.
    let line = format!("strict OpenCL driver: {subject}: {message}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
    if let Some(path) = std::env::var_os(FILE)
        && let Err(problem) = append(&path, &line)
    {
        let line = format!("strict OpenCL driver: {FILE}: {}: {problem}\n", path.display());
        let _ = std::io::stderr().write_all(line.as_bytes());
    }
}

fn append(path: &std::ffi::OsStr, line: &str) -> std::io::Result<()> {
    File::options().append(true).create(true).open(path)?.write_all(line.as_bytes())
}
