//! Names like a given one, for suggestions in messages.

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

/// The same, but all known names if none is like it.
pub(crate) fn nearest_or_all<'n>(name: &str, known: impl IntoIterator<Item = &'n str>) -> Vec<String> {
    let known: Vec<&str> = known.into_iter().collect();
    let near = nearest(name, known.iter().copied());
    if near.is_empty() { known.into_iter().map(str::to_owned).collect() } else { near }
}
