//! How much the tests try.

use std::env;

/// Set, tests write what they would compare with.
pub const UPDATE: &str = "GCN_TIMINGS_UPDATE_RESULTS";
/// The variable that chooses a tier.
const TESTS: &str = "GCN_TIMINGS_TESTS";

/// A choice of tests; each includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// What finds most mistakes in minutes, without the variable.
    Quick,
    /// What a change has to pass: `most`.
    Most,
    /// Before a release: `all`.
    All,
}

impl Tier {
    fn asked_for() -> Self {
        match env::var(TESTS).as_deref() {
            // Files that are written again are written whole.
            Err(_) if env::var_os(UPDATE).is_some() => Self::All,
            Err(_) => Self::Quick,
            Ok("most") => Self::Most,
            Ok("all") => Self::All,
            Ok(other) => panic!("{TESTS}={other}: most or all"),
        }
    }

    /// Whether this tier is asked for. What is left out is named in the test's output.
    pub fn runs(self, what: &str) -> bool {
        let runs = Self::asked_for() >= self;
        if !runs {
            println!("SKIPPED: {what} ({TESTS}={} runs it)", if self == Self::All { "all" } else { "most" });
        }
        runs
    }
}
