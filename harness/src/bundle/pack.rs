//! Making a bundle.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use gcn_analysis::run::{StoredFiles, sync_folder};
use gcn_model::record::RunRecord;
use tempfile::NamedTempFile;

use super::archive::{self, Entry};
use super::cleaning::Cleaning;
use super::error::BundleError;
use super::manifest::{FORMAT, Manifest, Packed, VERSION};
use super::owner::Owner;
use super::records::{FILES, READINGS, clean};
use super::unpack::{MANIFEST, derive};

/// A bundle that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundled {
    pub manifest: Manifest,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// How often the owner's names occur all the same, as words of the tool.
    pub left: usize,
}

/// The name of a run's bundle, if the user names none: target and start, which say nothing of whose it is.
pub fn default_file(record: &RunRecord) -> PathBuf {
    let start: String =
        record.start.chars().take_while(|&c| c != '.').map(|c| if c == ':' { '-' } else { c }).collect();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || *c == '-';
    let name: String = format!("{}-{start}", record.device.target).chars().filter(is_plain).collect();
    format!("gcn-timings-{name}.tar.zst").into()
}

/// Makes a bundle of a run's folder, without the owner's private data.
///
/// The run is checked before, and what goes into the bundle is analysed as whoever gets it will. The file is there whole or not at all.
///
/// # Errors
/// The folder is not a run's, or damaged; the file exists, or cannot be written.
pub fn bundle(folder: &Path, file: &Path, owner: &Owner) -> Result<Bundled, BundleError> {
    if file.symlink_metadata().is_ok() {
        return Err(BundleError::Exists(file.to_owned()));
    }
    let run = StoredFiles::load(folder)?;
    let record = &run.run().record;
    if record.sha256.is_empty() {
        return Err(BundleError::NoRecords(folder.to_owned()));
    }
    let mut cleaning = Cleaning::of(owner);
    let texts =
        clean(&run, &mut cleaning).map_err(|cause| BundleError::Row { path: folder.join("experiments.csv"), cause })?;
    drop(run);
    let files: Vec<_> = FILES.into_iter().zip(&texts).map(|(name, bytes)| Entry { name, bytes }).collect();
    let derived = derive(&files, file)?;
    let device = &derived.analysis.record.device;
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: VERSION,
        tool: format!("gcn-timings {}", env!("CARGO_PKG_VERSION")),
        device: device.name.clone(),
        target: device.target.clone(),
        start: derived.analysis.record.start.clone(),
        files: files.iter().map(|entry| Packed::of(entry.name, entry.bytes)).collect(),
        tables: derived.tables,
        taken_out: cleaning.taken(),
    };
    let failed = |cause: io::Error| match cause.kind() {
        io::ErrorKind::AlreadyExists => BundleError::Exists(file.to_owned()),
        _ => BundleError::Write { path: file.to_owned(), cause },
    };
    let text = serde_json::to_vec_pretty(&manifest).map_err(|error| failed(error.into()))?;
    let entries: Vec<_> = std::iter::once(Entry { name: MANIFEST, bytes: &text }).chain(files).collect();
    write_new(file, &entries).map_err(failed)?;
    // Readings are numbers, below ids that the experiments have.
    let worded = entries.iter().filter(|entry| entry.name != READINGS);
    let left = worded.map(|entry| cleaning.left(entry.bytes)).sum();
    Ok(Bundled { manifest, bytes: fs::metadata(file).map_err(failed)?.len(), left })
}

/// Writes the archive under a temporary name, and then renames it, unless the name is taken.
fn write_new(file: &Path, entries: &[Entry<'_>]) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The error names the temporary file, which means nothing to the reader: the system's words end before it.
    let unnamed = |error: io::Error| match error.to_string().split_once(" at path ") {
        Some((system, _)) => io::Error::new(error.kind(), system.to_owned()),
        None => error,
    };
    let mut beside = NamedTempFile::new_in(folder).map_err(unnamed)?;
    archive::write(entries, &mut beside)?;
    beside.flush()?;
    beside.as_file().sync_all()?;
    beside.persist_noclobber(file)?;
    sync_folder(folder)
}
