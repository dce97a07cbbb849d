//! One GPU file as read: its keys and values with their place in the text, before any meaning is given to them.

use std::{collections::BTreeMap, fmt};

use toml::de::{DeTable, DeValue};

use super::GpuError;

/// A place in a GPU file; line and column count from 1.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Location {
    /// The file's name as it was given.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Location {
    fn of(file: &str, text: &str, offset: usize) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            file: file.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// What a fact rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grounds {
    /// A published source.
    Source(String),
    /// Nothing published; the reason for the value chosen.
    Estimated(String),
    /// A plain value, as a user's file may give it.
    Stated,
}

/// A value of a GPU file, not yet checked against what its key wants.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Integer(i128),
    Float(f64),
    Bool(bool),
    Text(String),
    List(Vec<Value>),
    Other(&'static str),
}

impl Value {
    fn of(value: &DeValue<'_>) -> Self {
        match value {
            DeValue::Integer(number) => i128::from_str_radix(number.as_str(), number.radix())
                .map_or(Self::Other("an integer out of range"), Self::Integer),
            DeValue::Float(number) => number.as_str().parse().map_or(Self::Other("an unreadable number"), Self::Float),
            DeValue::Boolean(value) => Self::Bool(*value),
            DeValue::String(text) => Self::Text(text.to_string()),
            DeValue::Array(items) => Self::List(items.iter().map(|item| Self::of(item.get_ref())).collect()),
            DeValue::Datetime(_) => Self::Other("a date"),
            DeValue::Table(_) => Self::Other("a table"),
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Self::Integer(number) => format!("the integer {number}"),
            Self::Float(number) => format!("the number {number}"),
            Self::Bool(value) => format!("the boolean {value}"),
            Self::Text(text) => format!("the text {text:?}"),
            Self::List(_) => "a list".to_owned(),
            Self::Other(what) => (*what).to_owned(),
        }
    }
}

/// A key's value, where it stands and what it rests on.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) value: Value,
    pub(super) key_at: Location,
    pub(super) value_at: Location,
    pub(super) grounds: Grounds,
}

/// The entries of one file by their dotted key.
#[derive(Debug, Clone, Default)]
pub(super) struct Document {
    pub(super) entries: BTreeMap<String, Entry>,
}

impl Document {
    /// Reads a file's text; `file` is the name to be used in messages.
    pub(super) fn parse(text: &str, file: &str) -> Result<Self, GpuError> {
        let table = DeTable::parse(text).map_err(|error| GpuError::Syntax {
            at: Location::of(file, text, error.span().map_or(0, |span| span.start)),
            message: error.message().trim().replace('\n', "; "),
        })?;
        let mut document = Self::default();
        document.add(&Text { file, text }, "", table.get_ref())?;
        Ok(document)
    }

    fn add(&mut self, source: &Text<'_>, prefix: &str, table: &DeTable<'_>) -> Result<(), GpuError> {
        for (key, value) in table {
            let path = format!("{prefix}{}", key.get_ref());
            let key_at = source.at(key.span().start);
            if key.get_ref().contains('.') {
                // In quotes it is one key, which must not pass for a key of a table.
                return Err(GpuError::UnknownKey {
                    at: key_at,
                    key: format!("{prefix}\"{}\"", key.get_ref()),
                    near: vec![path],
                });
            }
            match value.get_ref() {
                DeValue::Table(inner) if inner.contains_key("value") => {
                    self.entries.insert(path.clone(), source.fact(&path, key_at, inner)?);
                }
                DeValue::Table(inner) if !inner.is_empty() => self.add(source, &format!("{path}."), inner)?,
                // An empty section says nothing; an unknown one is not worth an error either.
                DeValue::Table(_) => {}
                plain => {
                    let entry = Entry {
                        value: Value::of(plain),
                        key_at,
                        value_at: source.at(value.span().start),
                        grounds: Grounds::Stated,
                    };
                    self.entries.insert(path, entry);
                }
            }
        }
        Ok(())
    }
}

struct Text<'t> {
    file: &'t str,
    text: &'t str,
}

impl Text<'_> {
    fn at(&self, offset: usize) -> Location {
        Location::of(self.file, self.text, offset)
    }

    /// A fact with its grounds: `{ value = 32, source = "…" }`.
    fn fact(&self, path: &str, key_at: Location, table: &DeTable<'_>) -> Result<Entry, GpuError> {
        let mut value = (Value::Other("nothing"), key_at.clone());
        let mut grounds = Grounds::Stated;
        for (key, inner) in table {
            let text = || match inner.get_ref() {
                DeValue::String(text) => Ok(text.to_string()),
                other => Err(GpuError::WrongType {
                    at: self.at(inner.span().start),
                    key: format!("{path}.{}", key.get_ref()),
                    expected: "a text".to_owned(),
                    found: Value::of(other).describe(),
                }),
            };
            match key.get_ref().as_ref() {
                "value" => value = (Value::of(inner.get_ref()), self.at(inner.span().start)),
                "source" => grounds = Grounds::Source(text()?),
                "estimated" => grounds = Grounds::Estimated(text()?),
                _ => {
                    return Err(GpuError::UnknownKey {
                        at: self.at(key.span().start),
                        key: format!("{path}.{}", key.get_ref()),
                        near: ["value", "source", "estimated"].map(|name| format!("{path}.{name}")).to_vec(),
                    });
                }
            }
        }
        Ok(Entry { value: value.0, key_at, value_at: value.1, grounds })
    }
}
