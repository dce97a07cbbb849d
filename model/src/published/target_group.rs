//! The groups of LLVM targets that all sources may name.

use std::{collections::BTreeMap, sync::LazyLock};

use serde::Deserialize;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Member {
    target: String,
    groups: String,
}

/// The targets of each group.
///
/// # Panics
/// If the file that is built in is wrong, which the tests rule out.
pub(super) fn shared_groups() -> &'static BTreeMap<String, Vec<String>> {
    static GROUPS: LazyLock<BTreeMap<String, Vec<String>>> = LazyLock::new(|| {
        let mut groups = BTreeMap::<String, Vec<String>>::new();
        for member in
            csv::Reader::from_reader(include_str!("../../data/timings/target-groups.csv").as_bytes()).deserialize()
        {
            let member: Member =
                member.unwrap_or_else(|error| panic!("built-in file: timings/target-groups.csv: {error}"));
            for group in member.groups.split(';') {
                groups.entry(group.to_owned()).or_default().push(member.target.clone());
            }
        }
        groups
    });
    &GROUPS
}

/// Whether a target is of a group.
pub(super) fn is_member(target: &str, group: &str) -> bool {
    shared_groups().get(group).is_some_and(|targets| targets.iter().any(|member| member == target))
}
