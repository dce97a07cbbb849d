//! Names that occur several times, each once, and what belongs to each.

use std::collections::BTreeSet;

/// Each of the names once, in the order in which they come.
pub(crate) fn unique<T: PartialEq>(names: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut unique = Vec::new();
    for name in names {
        if !unique.contains(&name) {
            unique.push(name);
        }
    }
    unique
}

/// Each of the values once, the least first.
pub(crate) fn ascending<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    values.into_iter().collect::<BTreeSet<_>>().into_iter().collect()
}

/// The items of each key, in the order of the first item of each.
pub(crate) fn by_key<K: PartialEq, V>(items: impl IntoIterator<Item = (K, V)>) -> Vec<(K, Vec<V>)> {
    let mut groups: Vec<(K, Vec<V>)> = Vec::new();
    for (key, item) in items {
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, group)) => group.push(item),
            None => groups.push((key, vec![item])),
        }
    }
    groups
}
