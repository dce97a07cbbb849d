//! The way of a result to the project.

use super::Finding;
use crate::bundle::destination;

/// Where a run is sent, with the command that makes one file of it.
pub fn result() -> Finding {
    let next = "`gcn-timings bundle my-card --out my-card.tar.zst`; docs/contributing-results.md says what is in it";
    Finding { next: next.into(), ..Finding::good("result", format!("it goes to an issue of {}", destination())) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Fails when the project gets an address: then the page and this test lose their sentence about the placeholder.
    #[test]
    fn a_placeholder_is_called_one_as_on_the_page() {
        let page = include_str!("../../../docs/contributing-results.md");
        for text in [result().says.as_str(), page] {
            assert!(text.contains("placeholder"), "{text}");
        }
        assert!(!page.contains(env!("CARGO_PKG_REPOSITORY")), "Cargo.toml alone has the address");
    }
}
