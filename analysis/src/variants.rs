//! Enumerations whose variants have words.

/// Declares an enumeration with its list of variants and the word of each.
macro_rules! variants {
    (
        $(#[$of_all:meta])*
        pub enum $words:ident { $($(#[$of_one:meta])* $variant:ident = $word:literal),+ $(,)? }
    ) => {
        $(#[$of_all])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $words {
            $($(#[$of_one])* $variant),+
        }

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
