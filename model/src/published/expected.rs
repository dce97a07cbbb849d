//! A published value, evaluated for a GPU.

/// A published value with the GPU's DPFACTOR put in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Expected {
    /// One number.
    Exactly(f64),
    /// One number that the source itself doubts (`18?`, `20 (???)`).
    Doubtful(f64),
    /// Anything from the first to the second number.
    Between(f64, f64),
    /// One of two numbers, and the source does not say which.
    OneOf(f64, f64),
    /// The first number, or the second where the instruction has the GLC modifier.
    WithGlc {
        /// Without the modifier.
        without: f64,
        /// With it.
        with: f64,
    },
    /// The source leaves it open.
    Unknown,
}

impl Expected {
    /// Whether a measurement answers a question of the source rather than confirming a number of it.
    pub const fn is_open(self) -> bool {
        matches!(self, Self::Doubtful(_) | Self::Between(..) | Self::OneOf(..) | Self::Unknown)
    }

    /// The number that a model uses where the source leaves a choice: the lowest, and the one without GLC.
    pub const fn lowest(self) -> Option<f64> {
        match self {
            Self::Exactly(value) | Self::Doubtful(value) | Self::Between(value, _) | Self::OneOf(value, _) => {
                Some(value)
            }
            Self::WithGlc { without, .. } => Some(without),
            Self::Unknown => None,
        }
    }

    /// Every number replaced; where `change` turns their order round, bounds stay in order.
    #[must_use]
    pub fn map(self, change: impl Fn(f64) -> f64) -> Self {
        let ordered = |a: f64, b: f64| if a <= b { (a, b) } else { (b, a) };
        match self {
            Self::Exactly(value) => Self::Exactly(change(value)),
            Self::Doubtful(value) => Self::Doubtful(change(value)),
            Self::Between(low, high) => {
                let (low, high) = ordered(change(low), change(high));
                Self::Between(low, high)
            }
            Self::OneOf(first, second) => Self::OneOf(change(first), change(second)),
            Self::WithGlc { without, with } => Self::WithGlc { without: change(without), with: change(with) },
            Self::Unknown => Self::Unknown,
        }
    }
}
