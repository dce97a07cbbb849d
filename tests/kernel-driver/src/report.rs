//! What the driver has to say: on stderr, one line each, as the kernel says it in its log.

use std::fmt::Display;
use std::io::Write;

/// Writes one line. A process without stderr loses it.
pub(crate) fn report(message: impl Display) {
    // One write, so that lines of several processes do not mix.
    let line = format!("gcn-kernel-driver: {message}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
