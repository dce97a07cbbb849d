//! A data file as it is handed over.

/// A file: the name that messages have, and its text.
pub type DataFile<'a> = (&'a str, &'a str);
