//! A work-group that is on a compute unit.

use std::ops::Range;

use crate::lds::memory::LdsMemory;

/// A work-group on the compute unit.
#[derive(Debug)]
pub(crate) struct Group {
    /// Waves that have not ended.
    pub alive: u32,
    /// Waves that have reached the barrier since it last opened: they wait there, or have only signalled.
    pub at_barrier: u32,
    /// How often the barrier has opened.
    pub openings: u32,
    /// The cycle at which its waves continue after it last opened.
    pub opens: u64,
    /// LDS allocated, bytes.
    pub lds_bytes: u32,
    pub local: LdsMemory,
    /// Its waves among those of the compute unit.
    pub waves: Range<usize>,
}

impl Group {
    /// A group of these waves, with this many bytes of LDS.
    pub(crate) fn new(waves: Range<usize>, lds_bytes: u32) -> Self {
        let alive = waves.len() as u32;
        Self { alive, at_barrier: 0, openings: 0, opens: 0, lds_bytes, local: LdsMemory::new(lds_bytes), waves }
    }
}
