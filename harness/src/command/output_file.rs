//! Files that a user names for an output.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use gcn_analysis::run::{RECORDS, derived, sync_folder};

/// Writes a file whole or not at all: under a temporary name, then renamed. An existing plain file is replaced, and no file of a
/// run's folder; nothing is written through a symbolic link.
pub(super) fn write_output(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let failed = || format!("{}: cannot be written", path.display());
    match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => {
            bail!("{}: a symbolic link, which is not followed; name the file itself", path.display())
        }
        Ok(found) if !found.is_file() => bail!("{}: not a plain file; name another one", path.display()),
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error).with_context(failed),
        _ => {}
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        bail!("{}: its name is not text; name another file", path.display());
    };
    // A file system may not tell capitals from small letters.
    let is_of_run = RECORDS.into_iter().chain(derived()).any(|known| known.eq_ignore_ascii_case(name));
    if is_of_run && RECORDS.iter().any(|record| folder.join(record).exists()) {
        bail!("{}: a file of the run that is in {}; name another one", path.display(), folder.display());
    }
    let beside = folder.join(format!(".{name}.{}.new", std::process::id()));
    let written = create(&beside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&beside, path))
        .and_then(|()| sync_folder(folder));
    if written.is_err() {
        // The failure to write is the message for the user; a leftover is removed if possible.
        let _ = fs::remove_file(&beside);
    }
    written.with_context(failed)
}

/// A new file; replaces one that a process of the same number left.
fn create(path: &PathBuf) -> std::io::Result<File> {
    let create = || OpenOptions::new().write(true).create_new(true).open(path);
    match create() {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => fs::remove_file(path).and_then(|()| create()),
        created => created,
    }
}
