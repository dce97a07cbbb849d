//! Enumerations whose variants have words.

/// Gives an enumeration its list of variants and the word of each.
macro_rules! variants {
    ($words:ident { $($variant:ident: $word:literal),+ $(,)? }) => {
        impl $words {
            /// All, in the order of the tables.
            pub const ALL: [Self; [$($word),+].len()] = [$(Self::$variant),+];

            /// The word in the tables, on which scripts rely.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $word),+
                }
            }
        }
    };
}

pub(crate) use variants;
