//! The names that an author gave to places of a code.

use std::collections::BTreeMap;

/// The names that an author gave to places of a code.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Names {
    /// The labels of an address, in the order of their lines.
    pub labels: BTreeMap<u64, Vec<String>>,
    /// From an address on, the line of the source, as `FILE:LINE`; `None` where that is not known.
    pub places: BTreeMap<u64, Option<String>>,
}
