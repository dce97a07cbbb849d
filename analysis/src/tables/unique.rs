//! Names that occur several times, each once, what belongs to each, and how a reader says them.

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

/// Words with commas, and a word such as `and` before the last.
pub(crate) fn joined<W: AsRef<str>>(words: &[W], before_last: &str) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [before @ .., last] if !before.is_empty() => format!("{} {before_last} {last}", before.join(", ")),
        _ => words.concat(),
    }
}
