//! Names like a given one, for messages that say what was probably meant.

/// The known names most like `name`, best first, at most three; empty if none is like it.
pub(crate) fn nearest<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    const LIKE_ENOUGH: f64 = 0.75;
    let lower = name.to_lowercase();
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(score, _)| *score >= LIKE_ENOUGH)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.dedup_by_key(|(_, candidate)| *candidate);
    scored.into_iter().take(3).map(|(_, candidate)| candidate.to_owned()).collect()
}
