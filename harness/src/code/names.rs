//! Lists of names in messages.

/// More names than this are counted.
const MOST_NAMES: usize = 20;

/// The first of some names, and how many more there are.
pub fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut names = names.into_iter().map(|name| if name.is_empty() { "(without a name)" } else { name });
    let first: Vec<&str> = names.by_ref().take(MOST_NAMES).collect();
    match names.count() {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_beyond_the_first_are_counted() {
        assert_eq!(listed(["a", "", "b"]), "a, (without a name), b");
        let many = vec!["n"; MOST_NAMES + 7];
        assert!(listed(many).ends_with("n, n and 7 more"));
    }
}
