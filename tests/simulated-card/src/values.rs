//! Which values the card gives where no manual gives them to the bit.

/// The environment variable that says which.
const VARIABLE: &str = "GCN_TIMINGS_VALUES";

/// The values of reciprocals, roots, exponentials, logarithms and sines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Values {
    /// Unknown: a program never gets them.
    #[default]
    Strict,
    /// As the host computes them.
    Approximate,
}

impl Values {
    /// The environment's wish; `report` gets a line about one that is wrong.
    pub fn from_environment(report: impl Fn(&str)) -> Self {
        let value = std::env::var(VARIABLE).unwrap_or_default();
        match value.as_str() {
            "" | "strict" => Self::Strict,
            "approximate" => Self::Approximate,
            _ => {
                report(&format!("{VARIABLE}: `{value}` is neither strict nor approximate: strict it is"));
                Self::Strict
            }
        }
    }

    /// Whether the host computes them.
    pub fn is_approximate(self) -> bool {
        self == Self::Approximate
    }
}
