//! From which published sources the simulated cards of a generation have their timings, one after the other.

use std::sync::LazyLock;

use serde::Deserialize;

use crate::{
    isa::Generation,
    published::{self, Published},
};

/// The source of generations that the file of the order does not name, which are none of those that ship: the CLRX table that this project
/// regenerates.
const PAGE: &str = "clrx";

/// A row of `order.csv`: a source of a generation's timings. The first that has a value counts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrderedSource {
    /// The generation's name: `gfx90a`.
    pub generation: String,
    /// The source's short name: `matrix-calculator`.
    pub source: String,
    /// Why it stands here.
    pub reason: String,
}

static ORDER: LazyLock<Vec<OrderedSource>> = LazyLock::new(|| {
    csv::Reader::from_reader(include_str!("../../data/timings/order.csv").as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .unwrap_or_else(|error| panic!("built-in file: timings/order.csv: {error}"))
});

/// All rows of the file of the order.
///
/// # Panics
/// If the file that is built in is wrong, which the tests rule out.
pub fn order() -> &'static [OrderedSource] {
    &ORDER
}

/// The sources of a generation's timings; of those that the file does not name, the CLRX table alone.
pub(super) fn sources_of(generation: Generation) -> Vec<&'static Published> {
    let named = |name: &str| published::source(name).unwrap_or_else(|| panic!("no published source {name}"));
    let listed = ORDER.iter().filter(|row| row.generation == generation.name());
    let sources: Vec<_> = listed.map(|row| named(&row.source)).collect();
    if sources.is_empty() { vec![named(PAGE)] } else { sources }
}
