//! The keys of GPU files: type, range, unit and meaning of each, read from `model/data/gpus/keys.csv`.

use std::{ops::RangeInclusive, str::FromStr, sync::LazyLock};

use serde::Deserialize;

/// The type of a key's value, with the range that it must lie in.
#[derive(Debug, Clone, PartialEq)]
pub enum KeyKind {
    /// A printable line.
    Text,
    /// A target as LLVM names it.
    Target,
    /// The name of a generation.
    Generation,
    /// A whole number.
    Integer(RangeInclusive<i128>),
    /// A whole number that is a power of two.
    PowerOfTwo(RangeInclusive<i128>),
    Number(RangeInclusive<f64>),
    /// DPFACTOR: a whole number, or 0.5.
    DpFactor(RangeInclusive<f64>),
    /// True or false.
    Switch,
    /// A list of instructions.
    Instructions,
    /// The lanes that an LDS access serves together: [`LdsPasses`](super::LdsPasses).
    LdsPasses,
    /// A section with a line for each instruction: a whole number, or a list of them.
    Cycles(RangeInclusive<i128>),
    /// A section with a line for each instruction: a whole number.
    Latencies(RangeInclusive<i128>),
    /// A section with a line for each instruction: a number, or a fraction as a text.
    Fractions(RangeInclusive<f64>),
}

impl Key {
    /// Its section; empty for a key of the product itself.
    pub fn section(&self) -> &'static str {
        self.name.split_once('.').map_or("", |(section, _)| section)
    }
}

impl KeyKind {
    /// Whether the key is a section whose own keys are instructions.
    pub fn is_by_instruction(&self) -> bool {
        matches!(self, Self::Cycles(_) | Self::Latencies(_) | Self::Fractions(_))
    }
}

/// A key that a GPU file may have.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// The key with its section: `lds.bytes`.
    pub name: &'static str,
    /// Its part: `product`, `rules`, `instructions` or `simulation`.
    pub part: &'static str,
    /// Type and range of its value.
    pub kind: KeyKind,
    /// Whether a GPU without it is refused.
    pub is_required: bool,
    /// Whether a GPU without it is refused that has another key of its section.
    pub goes_with_section: bool,
    /// Unit; empty without one.
    pub unit: &'static str,
    pub meaning: &'static str,
    /// The provenance of the range.
    pub source: &'static str,
}

#[derive(Deserialize)]
struct Row {
    key: String,
    part: String,
    kind: String,
    least: String,
    most: String,
    required: String,
    unit: String,
    meaning: String,
    source: String,
}

static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("../../data/gpus/keys.csv").as_bytes());
    reader.deserialize().map(|row| key(row.unwrap_or_else(|error| panic!("keys.csv: {error}")))).collect()
});

fn key(row: Row) -> Key {
    let kind = match row.kind.as_str() {
        "text" => KeyKind::Text,
        "target" => KeyKind::Target,
        "generation" => KeyKind::Generation,
        "integer" => KeyKind::Integer(range(&row)),
        "power-of-two" => KeyKind::PowerOfTwo(range(&row)),
        "number" => KeyKind::Number(range(&row)),
        "dp-factor" => KeyKind::DpFactor(range(&row)),
        "switch" => KeyKind::Switch,
        "instructions" => KeyKind::Instructions,
        "lds-passes" => KeyKind::LdsPasses,
        "cycles" => KeyKind::Cycles(range(&row)),
        "latency" => KeyKind::Latencies(range(&row)),
        "fraction" => KeyKind::Fractions(range(&row)),
        other => panic!("keys.csv: {}: no type {other}", row.key),
    };
    let (is_required, goes_with_section) = match row.required.as_str() {
        "yes" => (true, false),
        "with-section" => (false, true),
        "no" => (false, false),
        other => panic!("keys.csv: {}: required {other:?}", row.key),
    };
    let [name, part, unit, meaning, source] =
        [row.key, row.part, row.unit, row.meaning, row.source].map(|text| &*text.leak());
    Key { name, part, kind, is_required, goes_with_section, unit, meaning, source }
}

fn range<T: FromStr>(row: &Row) -> RangeInclusive<T> {
    let limit = |text: &str| text.parse().unwrap_or_else(|_| panic!("keys.csv: {}: no number {text:?}", row.key));
    limit(&row.least)..=limit(&row.most)
}

/// All keys, in the order in which they are checked.
///
/// # Panics
///
/// If the file that ships is bad, which a test of this crate rules out.
pub fn keys() -> &'static [Key] {
    &KEYS
}
