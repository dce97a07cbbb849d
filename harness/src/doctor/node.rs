//! Device nodes that a driver's user has to open.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;

use super::Finding;

/// Whether the user can open a device node for reading and writing, as the drivers do; `name` is how a person knows it: `/dev/kfd`.
pub(super) fn opened(path: &Path, name: &str, absent: impl FnOnce() -> Finding) -> Finding {
    match OpenOptions::new().read(true).write(true).open(path) {
        Ok(_) => Finding::good(name, "this user can open it"),
        Err(error) if error.kind() == ErrorKind::NotFound => absent(),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => Finding::bad(
            name,
            "this user may not open it",
            "add the user to the group that owns it (`ls -l` shows it: `render` or `video`), and log in again",
        ),
        Err(error) => {
            Finding::bad(name, format!("it cannot be opened: {error}"), "`dmesg` has the kernel driver's messages")
        }
    }
}
