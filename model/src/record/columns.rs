//! The names of a table's columns: the type of its rows has them, and nothing else does.

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

/// The columns of a record in their order, or the words of an enumeration.
pub fn columns<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut names: &'static [&'static str] = &[];
    // It is asked for the names, has nothing to give, and says so.
    let _ = T::deserialize(Names(&mut names));
    names
}

/// Notes which names a type asks for.
struct Names<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Names<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("there are only names here"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = words;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{ExperimentStatus, JournalRecord};

    #[test]
    fn names_are_those_of_fields_and_words() {
        assert_eq!(columns::<ExperimentStatus>(), ["ok", "failed", "skipped", "unsupported"]);
        let journal = columns::<JournalRecord>();
        assert_eq!((journal.len(), journal[0], journal[7]), (8, "round", "checksum"));
        assert_eq!(columns::<u32>(), [""; 0]);
    }
}
