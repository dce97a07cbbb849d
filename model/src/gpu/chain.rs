//! A GPU file and what it starts from: the chain of `base` keys, merged.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{
    GpuError,
    document::{Document, Entry, Value},
    shipped::{self, Shipped},
};
use crate::names::nearest_or_all;

/// Where a file of the chain comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Shipped(&'static str),
    File(PathBuf),
}

/// Follows `base` from the file on and merges: what a file gives wins over what its base gives.
pub(super) fn resolve(text: &str, file: &str) -> Result<Document, GpuError> {
    follow(text, file, Place::File(canonical(Path::new(file))))
}

/// The same for a file that ships.
pub(super) fn resolve_shipped(shipped: &Shipped) -> Result<Document, GpuError> {
    follow(shipped.text, shipped.file, Place::Shipped(shipped.name))
}

fn follow(text: &str, file: &str, start: Place) -> Result<Document, GpuError> {
    let mut merged = Document::parse(text, file)?;
    let mut places = vec![(start, file.to_owned())];
    let mut base = merged.entries.remove("base");
    while let Some(entry) = base {
        let (place, name, text) = open(&entry, &places)?;
        if places.iter().any(|(earlier, _)| *earlier == place) {
            let chain = places.into_iter().map(|(_, name)| name).chain([name.clone()]).collect();
            return Err(GpuError::BaseCycle { at: entry.value_at, again: name, chain });
        }
        let mut next = Document::parse(&text, &name)?;
        base = next.entries.remove("base");
        for (key, entry) in next.entries {
            merged.entries.entry(key).or_insert(entry);
        }
        places.push((place, name));
    }
    Ok(merged)
}

/// Opens what `base` names: a path (it ends in `.toml`) relative to the file it stands in, or a file that ships.
fn open(entry: &Entry, places: &[(Place, String)]) -> Result<(Place, String, String), GpuError> {
    let Value::Text(name) = &entry.value else {
        return Err(GpuError::WrongType {
            at: entry.value_at.clone(),
            key: "base".to_owned(),
            expected: "the name of a GPU that ships, or a path ending in .toml".to_owned(),
            found: entry.value.describe(),
        });
    };
    if name.ends_with(".toml") {
        let from = places.last().map_or("", |(_, file)| file.as_str());
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let text = fs::read_to_string(&path).map_err(|cause| GpuError::Read { path: path.clone(), cause })?;
        return Ok((Place::File(canonical(&path)), path.display().to_string(), text));
    }
    let shipped = shipped::base(name).ok_or_else(|| GpuError::UnknownBase {
        at: entry.value_at.clone(),
        name: name.clone(),
        near: nearest_or_all(name, shipped::bases().map(|shipped| shipped.name)),
    })?;
    Ok((Place::Shipped(shipped.name), shipped.file.to_owned(), shipped.text.to_owned()))
}

fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}
