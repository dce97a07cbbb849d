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

/// Makes an enumeration that has `ALL` and `name` the type of a field of rows. Of one with its words it declares all of that and, but where
/// people are told another word, `Display`.
macro_rules! words {
    (in $told:ident: $(#[$of_all:meta])* pub enum $words:ident $variants:tt) => {
        $crate::variants::variants!($(#[$of_all])* pub enum $words $variants);
        $crate::tables::words!($words, in $told);
    };
    ($(#[$of_all:meta])* pub enum $words:ident $variants:tt) => {
        $crate::variants::variants!($(#[$of_all])* pub enum $words $variants);
        $crate::tables::words!($words);

        impl std::fmt::Display for $words {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }
    };
    ($words:ident $(, in $told:ident)?) => {
        impl $crate::tables::Single for $words {
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
        }
    };
}

pub(crate) use words;
