//! The driver's messages: on stderr, one line each, as in the kernel's log.

use std::fmt::Display;
use std::io::Write;

/// Writes one line. A process without stderr loses it.
pub(crate) fn report(message: impl Display) {
    // A single write, so that lines of different processes do not mix.
    let line = format!("gcn-kernel-driver: {message}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
