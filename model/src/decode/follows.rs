//! What follows the words of a format.

/// What follows the words of the format itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Follows {
    Nothing,
    Literal,
    /// A literal of two dwords.
    WideLiteral,
    /// An SDWA or a DPP dword.
    Modifier,
}

impl Follows {
    /// How many dwords it takes.
    pub(super) const fn dwords(self) -> u8 {
        match self {
            Self::Nothing => 0,
            Self::Literal | Self::Modifier => 1,
            Self::WideLiteral => 2,
        }
    }
}
