//! A GPU file and its bases: the chain of `base` keys.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use super::{
    GpuError,
    document::{Entry, describe, entries, text},
    location::Source,
    shipped,
};
use crate::{names::nearest_or_all, regular_file};

/// The most bytes that a GPU file may have: ten times those of a file that overrides every instruction.
const MOST_BYTES: u64 = 4 << 20;

/// Where a file of the chain comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FileOrigin {
    Shipped(&'static str),
    File(PathBuf),
}

impl FileOrigin {
    pub(super) fn file(path: &Path) -> Self {
        Self::File(fs::canonicalize(path).unwrap_or_else(|_| path.to_owned()))
    }
}

/// Opens a file of a user's.
pub(super) fn open_file(path: &Path) -> Result<(Arc<Source>, FileOrigin), GpuError> {
    let text = regular_file::read_to_string(path, MOST_BYTES)
        .map_err(|cause| GpuError::Read { path: path.to_owned(), cause })?;
    Ok((Source::new(&path.display().to_string(), &text), FileOrigin::file(path)))
}

/// Follows `base` from the file on; the file itself is the first.
pub(super) fn with_bases(source: Arc<Source>, place: FileOrigin) -> Result<Vec<Arc<Source>>, GpuError> {
    let mut chain = vec![(source, place)];
    while let Some(next) = chain.last().map_or(Ok(None), |(source, _)| base(source, &chain))? {
        chain.push(next);
    }
    Ok(chain.into_iter().map(|(source, _)| source).collect())
}

/// Opens the file's `base`, if it has one.
fn base(
    source: &Arc<Source>,
    chain: &[(Arc<Source>, FileOrigin)],
) -> Result<Option<(Arc<Source>, FileOrigin)>, GpuError> {
    let Some(entry) = entries(source)?.remove("base") else { return Ok(None) };
    let (base, place) = open(source, &entry)?;
    if chain.iter().any(|(_, earlier)| *earlier == place) {
        let files = chain.iter().map(|(source, _)| source).chain([&base]);
        let files = files.map(|source| source.file.clone()).collect();
        return Err(GpuError::BaseCycle { at: entry.value_at(&entry.value), again: base.file.clone(), chain: files });
    }
    Ok(Some((base, place)))
}

/// A path (it ends in `.toml`) relative to the naming file, or a file that ships.
fn open(source: &Source, entry: &Entry<'_>) -> Result<(Arc<Source>, FileOrigin), GpuError> {
    let at = entry.value_at(&entry.value);
    let Some(name) = text(entry.value.get_ref()) else {
        return Err(GpuError::WrongType {
            at,
            key: "base".to_owned(),
            expected: "the name of a GPU that ships, or a path ending in .toml".to_owned(),
            found: describe(entry.value.get_ref()),
        });
    };
    if name.ends_with(".toml") {
        return open_file(&Path::new(&source.file).parent().unwrap_or(Path::new("")).join(name));
    }
    let near = || nearest_or_all(name, shipped::bases().map(|shipped| shipped.name));
    let shipped =
        shipped::base(name).ok_or_else(|| GpuError::UnknownBase { at, name: name.to_owned(), near: near() })?;
    Ok((shipped.source(), FileOrigin::Shipped(shipped.name)))
}
