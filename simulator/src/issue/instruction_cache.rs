//! The instruction cache: where code is not there yet, the wave waits for it.
//!
//! Facts §1.5: 32 KiB (Hawaii per Linux: 16 KiB), 4 ways, lines of 64 bytes, shared by up to four compute units.
//! The model gives each compute unit a cache of its own: sharing would only make warm-up faster.

use std::collections::BTreeSet;

/// Size and speed of an instruction cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InstructionCacheShape {
    /// Capacity in bytes.
    pub bytes: u32,
    pub line_bytes: u32,
    /// Associativity.
    pub ways: u32,
    /// Time from a miss to the line's arrival, shader cycles.
    pub miss_cycles: u32,
    /// Whether each line is there when it is fetched for the first time, as if the code had run before. Lines that have to go since
    /// others want their place are missed all the same.
    pub starts_warm: bool,
}

#[derive(Debug, Clone, Copy)]
struct Line {
    number: u64,
    arrives: u64,
    last_used: u64,
}

/// A set-associative cache with least-recently-used replacement.
#[derive(Debug, Clone)]
pub(crate) struct InstructionCache {
    sets: Vec<Vec<Line>>,
    ways: usize,
    miss_cycles: u64,
    uses: u64,
    /// The lines that have been fetched, if the first time is free.
    known: Option<BTreeSet<u64>>,
}

impl InstructionCache {
    /// An empty cache.
    pub(crate) fn new(shape: InstructionCacheShape) -> Self {
        let sets = (shape.bytes / shape.line_bytes / shape.ways).max(1) as usize;
        Self {
            sets: vec![Vec::with_capacity(shape.ways as usize); sets],
            ways: shape.ways as usize,
            miss_cycles: u64::from(shape.miss_cycles),
            uses: 0,
            known: shape.starts_warm.then(BTreeSet::new),
        }
    }

    /// Empties it; from then on every line is missed.
    pub(crate) fn clear(&mut self) {
        self.sets.iter_mut().for_each(Vec::clear);
        self.known = None;
    }

    /// When line `number` can be fetched by a wave that wants it at `now`.
    pub(crate) fn fetch(&mut self, number: u64, now: u64) -> u64 {
        self.uses += 1;
        let index = (number % self.sets.len() as u64) as usize;
        let set = &mut self.sets[index];
        if let Some(line) = set.iter_mut().find(|line| line.number == number) {
            line.last_used = self.uses;
            return line.arrives.max(now);
        }
        let is_free = self.known.as_mut().is_some_and(|known| known.insert(number));
        let arrives = if is_free { now } else { now + self.miss_cycles };
        let line = Line { number, arrives, last_used: self.uses };
        if set.len() < self.ways {
            set.push(line);
        } else if let Some(oldest) = set.iter_mut().min_by_key(|line| line.last_used) {
            *oldest = line;
        }
        arrives
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sets of two lines.
    fn cache(starts_warm: bool) -> InstructionCache {
        let (bytes, line_bytes, ways, miss_cycles) = (256, 64, 2, 100);
        InstructionCache::new(InstructionCacheShape { bytes, line_bytes, ways, miss_cycles, starts_warm })
    }

    #[test]
    fn a_line_is_missed_once_and_evicted_by_newer_ones() {
        let mut cache = cache(false);
        assert_eq!(cache.fetch(0, 10), 110);
        assert_eq!(cache.fetch(0, 50), 110, "still on its way");
        assert_eq!(cache.fetch(0, 200), 200);
        assert_eq!(cache.fetch(2, 200), 300);
        assert_eq!(cache.fetch(4, 300), 400, "the third line of the set takes the place of line 0");
        assert_eq!(cache.fetch(2, 400), 400);
        assert_eq!(cache.fetch(0, 400), 500);
    }

    #[test]
    fn a_warm_cache_has_each_line_once() {
        let mut cache = cache(true);
        assert_eq!([0, 2, 4].map(|line| cache.fetch(line, 10)), [10, 10, 10]);
        assert_eq!(cache.fetch(0, 20), 120, "line 4 took its place");
        cache.clear();
        assert_eq!(cache.fetch(6, 200), 300, "cleared, it is cold");
    }
}
