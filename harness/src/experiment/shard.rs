//! A part of a plan, for equal cards.

use std::fmt;
use std::str::FromStr;

/// Shard `index` of `of`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shard {
    index: u32,
    of: u32,
}

/// Why there is no such shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ShardError {
    /// The text is malformed.
    #[error("a shard is I/N, with I from 1 to N, such as 2/4")]
    Text,
    /// A group of experiments stays together, and there are fewer of them than shards.
    #[error("shard {shard}: the plan has {groups} groups of experiments, so there can be {groups} shards at most")]
    TooMany {
        shard: Shard,
        /// Groups of the plan.
        groups: usize,
    },
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let (index, of) = text.split_once('/').ok_or(ShardError::Text)?;
        match (index.parse(), of.parse()) {
            (Ok(index), Ok(of)) => Self::new(index, of).ok_or(ShardError::Text),
            _ => Err(ShardError::Text),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl Shard {
    /// Shard `index` of `of`, if there is one.
    pub(super) const fn new(index: u32, of: u32) -> Option<Self> {
        if 1 <= index && index <= of { Some(Self { index, of }) } else { None }
    }

    /// Its number, from 1.
    pub const fn index(self) -> u32 {
        self.index
    }

    /// Shards of the plan.
    pub const fn of(self) -> u32 {
        self.of
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn a_shard_is_a_number_of_a_number() {
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, of: 4 }));
        for text in ["", "1", "0/4", "5/4", "1/0", "-1/4", "1/4/4", "a/b", "1/x"] {
            assert_eq!(text.parse::<Shard>(), Err(ShardError::Text), "{text}");
        }
    }
}
