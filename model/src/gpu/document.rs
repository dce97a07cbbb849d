//! One GPU file as read: its keys and values with their place in the text, before any meaning is given to them.

use std::{collections::BTreeMap, sync::Arc};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::GpuError;
use super::location::{Location, Source};

/// The provenance of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Provenance {
    /// A published source.
    Source(String),
    /// Nothing published; the reason for the value chosen.
    Estimated(String),
    /// A plain value, as a user's file may give it.
    Stated,
}

/// A key's value, the places of both, and the value's provenance.
pub(super) struct Entry<'t> {
    source: &'t Arc<Source>,
    pub(super) offset: usize,
    pub(super) value: Spanned<DeValue<'t>>,
    pub(super) provenance: Provenance,
}

impl Entry<'_> {
    /// Where the key stands.
    pub(super) fn key_at(&self) -> Location {
        at(self.source, self.offset)
    }

    /// Where a value stands, the entry's or one of its list.
    pub(super) fn value_at(&self, value: &Spanned<DeValue<'_>>) -> Location {
        at(self.source, value.span().start)
    }
}

fn at(source: &Arc<Source>, offset: usize) -> Location {
    Location { source: source.clone(), offset }
}

/// The entries of a file, by dotted key.
pub(super) fn entries(source: &Arc<Source>) -> Result<BTreeMap<String, Entry<'_>>, GpuError> {
    let table = DeTable::parse(&source.text).map_err(|error| GpuError::Syntax {
        at: at(source, error.span().map_or(0, |span| span.start)),
        message: error.message().trim().replace('\n', "; "),
    })?;
    let mut entries = BTreeMap::new();
    add(&mut entries, source, "", table.into_inner())?;
    Ok(entries)
}

fn add<'t>(
    entries: &mut BTreeMap<String, Entry<'t>>,
    source: &'t Arc<Source>,
    section: &str,
    table: DeTable<'t>,
) -> Result<(), GpuError> {
    for (key, value) in table {
        let path = format!("{section}{}", key.get_ref());
        let offset = key.span().start;
        if key.get_ref().contains('.') {
            // In quotes it is one key, which must not pass for a key of a table.
            let key = format!("{section}\"{}\"", key.get_ref());
            return Err(GpuError::UnknownKey { at: at(source, offset), key, near: vec![path] });
        }
        let span = value.span();
        let (value, provenance) = match value.into_inner() {
            DeValue::Table(fact) if fact.contains_key("value") => grounded(source, &path, fact)?,
            // An empty section says nothing; an unknown one is not worth an error either.
            DeValue::Table(inner) => {
                add(entries, source, &format!("{path}."), inner)?;
                continue;
            }
            plain => (Spanned::new(span, plain), Provenance::Stated),
        };
        entries.insert(path, Entry { source, offset, value, provenance });
    }
    Ok(())
}

/// The value of a fact with its provenance: `{ value = 32, source = "…" }`.
fn grounded<'t>(
    source: &Arc<Source>,
    path: &str,
    mut fact: DeTable<'t>,
) -> Result<(Spanned<DeValue<'t>>, Provenance), GpuError> {
    let mut provenance = Provenance::Stated;
    for (key, inner) in &fact {
        let kind = match key.get_ref().as_ref() {
            "value" => continue,
            "source" => Provenance::Source,
            "estimated" => Provenance::Estimated,
            other => {
                let near = ["value", "source", "estimated"].map(|name| format!("{path}.{name}")).to_vec();
                return Err(GpuError::UnknownKey {
                    at: at(source, key.span().start),
                    key: format!("{path}.{other}"),
                    near,
                });
            }
        };
        let DeValue::String(text) = inner.get_ref() else {
            return Err(GpuError::WrongType {
                at: at(source, inner.span().start),
                key: format!("{path}.{}", key.get_ref()),
                expected: "a text".to_owned(),
                found: describe(inner.get_ref()),
            });
        };
        provenance = kind(text.to_string());
    }
    let value = fact.remove("value").unwrap_or_else(|| Spanned::new(0..0, DeValue::Table(fact)));
    Ok((value, provenance))
}

/// A value in a message about its type.
pub(super) fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Integer(number) => integer(number.as_str(), number.radix())
            .map_or_else(|| "an integer out of range".to_owned(), |number| format!("the integer {number}")),
        DeValue::Float(number) => format!("the number {}", number.as_str()),
        DeValue::Boolean(value) => format!("the boolean {value}"),
        DeValue::String(text) => format!("the text {text:?}"),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn integer(digits: &str, radix: u32) -> Option<i128> {
    i128::from_str_radix(digits, radix).ok()
}

/// A text; `None` for anything else.
pub(super) fn text<'v>(value: &'v DeValue<'_>) -> Option<&'v str> {
    if let DeValue::String(text) = value { Some(text) } else { None }
}

/// A whole number; `None` for anything else.
pub(super) fn whole(value: &DeValue<'_>) -> Option<i128> {
    if let DeValue::Integer(number) = value { integer(number.as_str(), number.radix()) } else { None }
}

/// A number, whole or not; `None` for anything else.
pub(super) fn number(value: &DeValue<'_>) -> Option<f64> {
    if let DeValue::Float(number) = value {
        number.as_str().parse().ok()
    } else {
        whole(value).map(|whole| whole as f64)
    }
}
