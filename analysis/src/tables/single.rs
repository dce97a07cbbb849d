//! Fields of one column, such as enumerations, each variant by its word.

use gcn_model::record::DeviceRecord;

/// A field of one column that is never empty if it may be absent.
pub(crate) trait Single: Sized {
    const IS_NUMERIC: bool = false;

    fn text(&self) -> String;

    /// The words for a reader.
    fn words(&self, _: &DeviceRecord) -> String {
        self.text()
    }

    fn of_text(text: &str) -> Result<Self, String>;
}

/// The one of these that has a name.
pub(crate) fn named<T: Copy>(all: &[T], name: impl Fn(T) -> &'static str, text: &str) -> Result<T, String> {
    let found = all.iter().copied().find(|one| name(*one) == text);
    found.ok_or_else(|| {
        format!("{text:?} is not one of {}", all.iter().map(|one| name(*one)).collect::<Vec<_>>().join(", "))
    })
}

/// Makes enumerations with `ALL` and `name` fields of rows; with a list of variants and their words also these two and, but where people are
/// told another word, `Display`.
macro_rules! words {
    ($words:ident { $($variant:ident: $word:literal),+ $(,)? }) => {
        $crate::tables::words!($words as $($variant: $word)+);

        impl std::fmt::Display for $words {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
    ($words:ident { $($variant:ident: $word:literal),+ $(,)? }, in $told:ident) => {
        $crate::tables::words!($words as $($variant: $word)+, in $told);
    };
    ($words:ident as $($variant:ident: $word:literal)+ $(, in $told:ident)?) => {
        $crate::variants::variants!($words { $($variant: $word),+ });
        $crate::tables::words!($words $(, in $told)?);
    };
    ($($words:ty $(, in $told:ident)?);+) => {
        $(impl $crate::tables::Single for $words {
            $(fn words(&self, device: &gcn_model::record::DeviceRecord) -> String {
                self.$told(device).to_owned()
            })?

            fn text(&self) -> String {
                self.name().to_owned()
            }

            fn of_text(text: &str) -> Result<Self, String> {
                $crate::tables::named(&Self::ALL, Self::name, text)
            }
        }

        impl serde::Serialize for $words {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        })+
    };
}

pub(crate) use words;
