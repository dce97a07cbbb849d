//! Contexts: who submits command buffers, and which of them are done.

use std::collections::BTreeMap;

use crate::ioctl::{Errno, INVALID};

/// How a submission ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    /// It was executed.
    Done,
    /// The GPU was reset.
    Reset,
    /// It has not ended, and never will.
    Never,
}

#[derive(Debug, Default)]
pub(crate) struct Context {
    /// Submissions so far by ring; sequence numbers count from 1.
    sequences: BTreeMap<(u32, u32), u64>,
    /// Those that were not just executed.
    ends: BTreeMap<((u32, u32), u64), End>,
    /// Whether one of its submissions made the GPU stop: it can submit no more.
    pub(crate) is_guilty: bool,
    /// Resets of the GPU that happened before its time.
    resets_before: u32,
}

/// The contexts of a process.
#[derive(Debug, Default)]
pub(crate) struct Contexts {
    contexts: BTreeMap<u32, Context>,
    last: u32,
    resets: u32,
}

impl Context {
    /// Counts a submission; its sequence number.
    pub(crate) fn add(&mut self, ring: (u32, u32), end: End) -> u64 {
        let sequence = self.sequences.entry(ring).or_default();
        *sequence += 1;
        if end != End::Done {
            self.ends.insert((ring, *sequence), end);
        }
        *sequence
    }

    /// How a submission ended; all ones ask for the last one, 0 for none.
    pub(crate) fn end(&self, ring: (u32, u32), sequence: u64) -> Result<End, Errno> {
        let last = self.sequences.get(&ring).copied().unwrap_or(0);
        let sequence = if sequence == u64::MAX { last } else { sequence };
        if sequence > last {
            return Err(INVALID);
        }
        Ok(self.ends.get(&(ring, sequence)).copied().unwrap_or(End::Done))
    }
}

impl Contexts {
    /// Makes a context.
    pub(crate) fn create(&mut self) -> u32 {
        self.last += 1;
        self.contexts.insert(self.last, Context { resets_before: self.resets, ..Context::default() });
        self.last
    }

    /// Removes a context.
    pub(crate) fn free(&mut self, id: u32) -> Result<(), Errno> {
        self.contexts.remove(&id).map(|_| ()).ok_or(INVALID)
    }

    /// The context of an id.
    pub(crate) fn get(&mut self, id: u32) -> Result<&mut Context, Errno> {
        self.contexts.get_mut(&id).ok_or(INVALID)
    }

    /// The GPU was reset because of a context's submission.
    pub(crate) fn reset(&mut self, guilty: u32) {
        self.resets += 1;
        if let Some(context) = self.contexts.get_mut(&guilty) {
            context.is_guilty = true;
        }
    }

    /// Whether the GPU was reset in a context's time, and whether that was its fault.
    pub(crate) fn state(&self, id: u32) -> Result<(bool, bool), Errno> {
        let context = self.contexts.get(&id).ok_or(INVALID)?;
        Ok((self.resets > context.resets_before, context.is_guilty))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_submission_has_an_end() {
        let mut contexts = Contexts::default();
        let [guilty, innocent] = [(); 2].map(|()| contexts.create());
        let ring = (1, 0);
        let context = contexts.get(guilty).unwrap();
        assert_eq!([End::Done, End::Reset, End::Never].map(|end| context.add(ring, end)), [1, 2, 3]);
        assert_eq!(context.add((0, 0), End::Done), 1);
        let ends = [0, 1, 2, u64::MAX].map(|sequence| context.end(ring, sequence));
        assert_eq!(ends, [Ok(End::Done), Ok(End::Done), Ok(End::Reset), Ok(End::Never)]);
        assert_eq!(context.end(ring, 4), Err(INVALID));
        contexts.reset(guilty);
        assert_eq!([guilty, innocent].map(|id| contexts.state(id)), [Ok((true, true)), Ok((true, false))]);
        let late = contexts.create();
        assert_eq!(contexts.state(late), Ok((false, false)));
        assert_eq!((contexts.free(late), contexts.free(late)), (Ok(()), Err(INVALID)));
    }
}
