//! Dwords that several pieces of code share.

use std::ops::{Deref, Range};
use std::sync::Arc;

/// Dwords of machine code, or a part of them: copies and parts cost nothing, however many symbols a file has over the same code.
#[derive(Debug, Clone)]
pub struct Words {
    all: Arc<[u32]>,
    part: Range<usize>,
}

impl Words {
    /// The dwords of a range of these, if they are there.
    pub fn part(&self, range: Range<usize>) -> Option<Self> {
        self.get(range.clone())?;
        let part = self.part.start + range.start..self.part.start + range.end;
        Some(Self { all: self.all.clone(), part })
    }
}

impl Deref for Words {
    type Target = [u32];

    fn deref(&self) -> &[u32] {
        &self.all[self.part.clone()]
    }
}

impl From<Vec<u32>> for Words {
    fn from(words: Vec<u32>) -> Self {
        Self { part: 0..words.len(), all: words.into() }
    }
}

impl FromIterator<u32> for Words {
    fn from_iter<I: IntoIterator<Item = u32>>(words: I) -> Self {
        Vec::from_iter(words).into()
    }
}

impl PartialEq for Words {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for Words {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_shares_the_dwords() {
        let words: Words = (0..10).collect();
        let part = words.part(2..6).unwrap().part(1..3).unwrap();
        assert_eq!(*part, [3, 4]);
        assert!(Arc::ptr_eq(&part.all, &words.all));
        assert!(words.part(2..6).unwrap().part(1..5).is_none() && words.part(8..11).is_none());
        assert_eq!(part, Words::from(vec![3, 4]));
    }
}
