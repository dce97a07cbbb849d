//! What the driver has to say: on standard error, one line each.

use std::fmt::Display;
use std::io::Write;

/// Writes one line about a call or, where there is none, about what happened. A process without standard error loses it.
pub(crate) fn report(subject: impl Display, message: impl Display) {
    // One write, so that lines of several processes do not mix.
    let line = format!("strict OpenCL driver: {subject}: {message}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
