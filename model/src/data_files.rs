//! The files below `model/data`, built in. The folder is the list: `build.rs` writes it.

/// A file: its path below `model/data`, and its text.
pub(crate) type DataFile = (&'static str, &'static str);

static FILES: &[DataFile] = include!(concat!(env!("OUT_DIR"), "/data_files.rs"));

/// The files of a folder and of the folders in it, by path.
pub(crate) fn below(folder: &str) -> impl Iterator<Item = DataFile> {
    FILES.iter().copied().filter(move |(path, _)| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/')))
}

/// The text of a file; empty if it does not exist.
pub(crate) fn text(path: &str) -> &'static str {
    FILES.iter().find(|(known, _)| *known == path).map_or("", |(_, text)| text)
}
