//! Scalar comparisons.

/// A scalar comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Greater,
    GreaterEqual,
    Less,
    LessEqual,
}

impl Comparison {
    /// The comparison of two dwords.
    pub(crate) fn holds(self, a: u32, b: u32, signed: bool) -> bool {
        let order = if signed { (a as i32).cmp(&(b as i32)) } else { a.cmp(&b) };
        match self {
            Self::Equal => order.is_eq(),
            Self::NotEqual => order.is_ne(),
            Self::Greater => order.is_gt(),
            Self::GreaterEqual => order.is_ge(),
            Self::Less => order.is_lt(),
            Self::LessEqual => order.is_le(),
        }
    }
}
