//! The names under which a driver may ask for code of a target.

use std::sync::LazyLock;

use serde::Deserialize;

/// Features of targets that a driver may have on or off; a code object has to say the same.
const FEATURES: &str = include_str!("../../data/target-features.csv");

#[derive(Deserialize)]
struct TargetFeature {
    target: String,
    feature: String,
}

static TARGET_FEATURES: LazyLock<Vec<TargetFeature>> = LazyLock::new(|| {
    let rows = csv::Reader::from_reader(FEATURES.as_bytes()).into_deserialize().collect::<Result<Vec<_>, _>>();
    rows.expect("target-features.csv is part of the program")
});

/// A target with each of its features on and off, and without any: `gfx900`, `gfx900:xnack+`, `gfx900:xnack-`.
pub fn target_ids(target: &str) -> Vec<String> {
    let mut with_all = vec![target.to_owned()];
    for row in TARGET_FEATURES.iter().filter(|row| row.target == target) {
        with_all =
            with_all.iter().flat_map(|id| ["+", "-"].map(|sign| format!("{id}:{}{sign}", row.feature))).collect();
    }
    let mut ids = vec![target.to_owned()];
    ids.extend(with_all.into_iter().filter(|id| id != target));
    ids
}

#[cfg(test)]
mod tests {
    use super::target_ids;

    #[test]
    fn features_follow_the_order_of_target_identifiers() {
        assert_eq!(target_ids("gfx803"), ["gfx803"]);
        assert_eq!(target_ids("gfx900"), ["gfx900", "gfx900:xnack+", "gfx900:xnack-"]);
        assert_eq!(target_ids("gfx906").len(), 5);
        assert!(target_ids("gfx906").contains(&"gfx906:sramecc+:xnack-".to_owned()));
    }
}
