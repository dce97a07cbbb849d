//! Reading and checking a bundle.

use std::fs;
use std::io::{self, Read};
use std::path::Path;

use gcn_analysis::run::derived;
use gcn_analysis::{Results, analyze, write_atomically};
use gcn_model::record::RunRecord;
use gcn_model::regular_file;
use serde::Deserialize;

use super::archive::{self, Entry, MAGIC, Receiver};
use super::error::BundleError;
use super::manifest::{FORMAT, Manifest, Packed, VERSION};
use super::records::FILES;
use crate::scratch::Scratch;

/// The first file of a bundle.
pub(super) const MANIFEST: &str = "manifest.json";
/// The longest manifest that is read, bytes: the one of a run has a few thousand.
const MOST_OF_A_MANIFEST: u64 = 1 << 20;
/// The most bytes of the files of a run in a bundle, if nothing else is asked for.
pub const MOST_OF_A_BUNDLE: u64 = 256 << 20;
/// So many times its own size may a bundle unpack to (runs are some ten times as long as their bundles), and this much in any case.
const MOST_TIMES: u64 = 128;
const ALWAYS: u64 = 16 << 20;

/// Files by name, in the order of the bundle.
type Files = Vec<(String, Vec<u8>)>;

/// A bundle that was read, with what its run says.
#[derive(Debug)]
pub struct Checked {
    pub manifest: Manifest,
    /// What follows from the run.
    pub analysis: Results,
    /// Results that do not come out as the manifest says that they did where the bundle was made: another version of the tool may say
    /// something else.
    pub differing: Vec<String>,
    /// The files of the run, in the order of [`FILES`].
    files: Files,
}

/// What every version of the manifest says first.
#[derive(Deserialize)]
struct Beginning {
    format: String,
    version: u64,
    tool: String,
}

/// What follows from the files of a run.
pub(super) struct Derived {
    pub(super) analysis: Results,
    pub(super) tables: Vec<Packed>,
}

/// Whether a file begins as bundles do.
pub fn is_bundle(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    regular_file::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == MAGIC
}

/// Reads a bundle whose run has `most_bytes` at most, checks each of its files and analyses its run. Nothing is written but into a temporary folder, by names that are known
/// here.
///
/// # Errors
/// The file is no bundle, of another version, or not as it was made; the run does not analyse.
pub fn check(path: &Path, most_bytes: u64) -> Result<Checked, BundleError> {
    let (manifest, files) = read(path, most_bytes)?;
    let entries: Vec<_> = files.iter().map(|(name, bytes)| Entry { name, bytes }).collect();
    let Derived { analysis, tables } = derive(&entries, path)?;
    compare(&manifest, &analysis.record).map_err(|what| BundleError::Damaged { path: path.to_owned(), what })?;
    let differs = |table: &&Packed| !tables.contains(table);
    let missing = tables.iter().filter(|table| !manifest.tables.iter().any(|known| known.name == table.name));
    let differing = manifest.tables.iter().filter(differs).chain(missing).map(|table| table.name.clone()).collect();
    Ok(Checked { manifest, analysis, differing, files })
}

/// Compares a manifest with the run: names that only the manifest has could be anybody's.
fn compare(manifest: &Manifest, record: &RunRecord) -> Result<(), String> {
    let device = &record.device;
    let said = [
        ("device", &manifest.device, &device.name),
        ("target", &manifest.target, &device.target),
        ("start", &manifest.start, &record.start),
    ];
    match said.into_iter().find(|(_, of_manifest, of_run)| of_manifest != of_run) {
        Some((key, of_manifest, of_run)) => {
            Err(format!("{MANIFEST} says {key} {of_manifest:?}, and run.json says {of_run:?}"))
        }
        None => Ok(()),
    }
}

impl Checked {
    /// Writes the run into a folder, which must be empty or not there, and derives its tables.
    ///
    /// # Errors
    /// The folder holds something, or cannot be written.
    pub fn unpack(&self, folder: &Path) -> Result<(), BundleError> {
        let failed = |cause| BundleError::Write { path: folder.to_owned(), cause };
        fs::create_dir_all(folder).map_err(failed)?;
        if fs::read_dir(folder).map_err(failed)?.next().is_some() {
            return Err(BundleError::Exists(folder.to_owned()));
        }
        self.files.iter().try_for_each(|(name, bytes)| write_atomically(folder, name, bytes))?;
        Ok(self.analysis.write(folder)?)
    }
}

/// The parts of a bundle that were read so far.
struct Reading<'p> {
    path: &'p Path,
    /// The most bytes of the files of its run.
    most_bytes: u64,
    manifest: Option<Manifest>,
    files: Files,
}

impl Receiver for Reading<'_> {
    fn most_bytes(&self, name: &str) -> Result<u64, BundleError> {
        match &self.manifest {
            None if name == MANIFEST => Ok(MOST_OF_A_MANIFEST),
            None => {
                let what = format!("its first file is {name:?}, not {MANIFEST}");
                Err(BundleError::NotABundle { path: self.path.to_owned(), what })
            }
            Some(manifest) => match manifest.files.get(self.files.len()) {
                Some(next) if next.name == name => Ok(next.bytes),
                _ => Err(self.damaged(format!("{name:?} is in it, but not in its manifest"))),
            },
        }
    }

    fn take(&mut self, name: &str, bytes: Vec<u8>) -> Result<(), BundleError> {
        let Some(manifest) = &self.manifest else {
            self.manifest = Some(manifest_of(self.path, &bytes, self.most_bytes)?);
            return Ok(());
        };
        if manifest.files.get(self.files.len()) != Some(&Packed::of(name, &bytes)) {
            return Err(self.damaged(format!("{name} does not match its checksum")));
        }
        self.files.push((name.to_owned(), bytes));
        Ok(())
    }

    fn damaged(&self, what: String) -> BundleError {
        BundleError::Damaged { path: self.path.to_owned(), what }
    }
}

/// The manifest and the files that it names.
fn read(path: &Path, most_bytes: u64) -> Result<(Manifest, Files), BundleError> {
    let file = regular_file::open(path).map_err(|cause| BundleError::Read { path: path.to_owned(), cause })?;
    if !is_bundle(path) {
        let what = "it is not a Zstandard file".to_owned();
        return Err(BundleError::NotABundle { path: path.to_owned(), what });
    }
    let own = file.metadata().map_err(|cause| BundleError::Read { path: path.to_owned(), cause })?.len();
    let most_bytes = own.saturating_mul(MOST_TIMES).max(ALWAYS).min(most_bytes);
    let mut reading = Reading { path, most_bytes, manifest: None, files: Vec::new() };
    archive::read(file, &mut reading)?;
    let Some(manifest) = reading.manifest.take() else { return Err(reading.damaged("it is empty".to_owned())) };
    match manifest.files.get(reading.files.len()) {
        Some(missing) => Err(reading.damaged(format!("{} is missing", missing.name))),
        None => Ok((manifest, reading.files)),
    }
}

/// The manifest, if it is one of this version and names the files that a bundle has.
fn manifest_of(path: &Path, bytes: &[u8], most_bytes: u64) -> Result<Manifest, BundleError> {
    let no_bundle = |what: String| BundleError::NotABundle { path: path.to_owned(), what };
    let beginning: Beginning =
        serde_json::from_slice(bytes).map_err(|error| no_bundle(format!("{MANIFEST} is not a manifest: {error}")))?;
    if beginning.format != FORMAT {
        return Err(no_bundle(format!("{MANIFEST} says that it is {:?}", beginning.format)));
    }
    if beginning.version != VERSION {
        let Beginning { version: found, tool, .. } = beginning;
        return Err(BundleError::Version { path: path.to_owned(), found, supported: VERSION, tool });
    }
    let damaged = |what: String| BundleError::Damaged { path: path.to_owned(), what };
    let manifest: Manifest =
        serde_json::from_slice(bytes).map_err(|error| damaged(format!("{MANIFEST} is not a manifest: {error}")))?;
    let named: Vec<&str> = manifest.files.iter().map(|file| file.name.as_str()).collect();
    if named != FILES {
        return Err(damaged(format!("its files are {named:?}, but those of a bundle are {FILES:?}")));
    }
    let whole = manifest.files.iter().try_fold(0, |sum: u64, file| sum.checked_add(file.bytes));
    if whole.is_none_or(|bytes| bytes > most_bytes) {
        return Err(BundleError::TooLarge { path: path.to_owned(), most_bytes });
    }
    Ok(manifest)
}

/// Analyses files of a run in a temporary folder, and says what tables follow from them; `bundle` is the file that they are of.
pub(super) fn derive(files: &[Entry<'_>], bundle: &Path) -> Result<Derived, BundleError> {
    let failed = |cause| BundleError::Write { path: std::env::temp_dir(), cause };
    let scratch = Scratch::new().map_err(failed)?;
    let folder = scratch.path().join("run");
    fs::create_dir(&folder).map_err(failed)?;
    files.iter().try_for_each(|entry| write_atomically(&folder, entry.name, entry.bytes))?;
    let analysis = analyze(&folder).map_err(|error| BundleError::Damaged {
        path: bundle.to_owned(),
        // The temporary folder is gone when this is read.
        what: error.to_string().replace(&format!("{}/", folder.display()), ""),
    })?;
    analysis.write(&folder)?;
    let mut tables = Vec::new();
    for name in derived() {
        match fs::read(folder.join(name)) {
            Ok(bytes) => tables.push(Packed::of(name, &bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(Derived { analysis, tables })
}
