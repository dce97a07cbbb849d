//! A line without its comments, and parts of it.

use std::borrow::Cow;

/// A line of the source; its own copy only where a comment stood within it.
#[derive(Debug, Clone)]
pub(super) struct Line<'a>(Cow<'a, str>);

impl<'a> Line<'a> {
    pub(super) fn new(text: Cow<'a, str>) -> Self {
        Self(text)
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    pub(super) fn whole(&self) -> Cow<'a, str> {
        self.0.clone()
    }

    /// A part of [`Self::as_str`] without blanks around it, borrowed from the source where the line is.
    pub(super) fn part(&self, part: &str) -> Cow<'a, str> {
        let part = part.trim();
        match &self.0 {
            Cow::Borrowed(line) => {
                let start = self.bytes_before(part);
                Cow::Borrowed(&line[start..start + part.len()])
            }
            Cow::Owned(_) => Cow::Owned(part.to_owned()),
        }
    }

    /// Columns before a part of [`Self::as_str`], blanks before it included.
    pub(super) fn columns_before(&self, part: &str) -> u32 {
        self.0[..self.bytes_before(part.trim_start())].chars().count() as u32
    }

    fn bytes_before(&self, part: &str) -> usize {
        part.as_ptr().addr() - self.0.as_ptr().addr()
    }
}
