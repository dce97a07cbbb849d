//! The counters that an instruction waits for.

use serde::Deserialize;

use super::bits::{BitRange, joined, split};

/// Where a waiting instruction has each counter in its immediate; a counter that it does not name is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WaitFields {
    vector_memory: Vec<BitRange>,
    vector_stores: Vec<BitRange>,
    export: Vec<BitRange>,
    scalar_and_local_memory: Vec<BitRange>,
    scalar_memory: Vec<BitRange>,
    local_memory: Vec<BitRange>,
    image_samples: Vec<BitRange>,
    ray_tracing: Vec<BitRange>,
    /// Where these facts are from.
    pub source: String,
}

/// The counts that an instruction waits for: a wave continues when at most this many instructions are in flight.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct WaitCounts {
    /// Vector memory; `None` where the instruction does not wait for it.
    pub vector_memory: Option<u32>,
    /// Stores to vector memory, where they have a counter of their own.
    pub vector_stores: Option<u32>,
    pub export: Option<u32>,
    /// Scalar memory, LDS and messages, where one counter counts all of them.
    pub scalar_and_local_memory: Option<u32>,
    /// Scalar memory and messages, where they have a counter of their own.
    pub scalar_memory: Option<u32>,
    /// LDS, where it has a counter of its own.
    pub local_memory: Option<u32>,
    /// Images read through samplers, where they have a counter of their own.
    pub image_samples: Option<u32>,
    /// Intersections of rays, where they have a counter of their own.
    pub ray_tracing: Option<u32>,
}

impl WaitFields {
    /// The counts in an immediate. The largest that a field holds waits for nothing.
    pub fn counts(&self, immediate: u32) -> WaitCounts {
        let count = |places: &Vec<BitRange>| (!places.is_empty()).then(|| joined(places, immediate));
        WaitCounts {
            vector_memory: count(&self.vector_memory),
            vector_stores: count(&self.vector_stores),
            export: count(&self.export),
            scalar_and_local_memory: count(&self.scalar_and_local_memory),
            scalar_memory: count(&self.scalar_memory),
            local_memory: count(&self.local_memory),
            image_samples: count(&self.image_samples),
            ray_tracing: count(&self.ray_tracing),
        }
    }

    /// The immediate that waits for these counts, and for nothing else that the instruction could wait for.
    pub fn immediate(&self, counts: WaitCounts) -> u32 {
        let fields = [
            (&self.vector_memory, counts.vector_memory),
            (&self.vector_stores, counts.vector_stores),
            (&self.export, counts.export),
            (&self.scalar_and_local_memory, counts.scalar_and_local_memory),
            (&self.scalar_memory, counts.scalar_memory),
            (&self.local_memory, counts.local_memory),
            (&self.image_samples, counts.image_samples),
            (&self.ray_tracing, counts.ray_tracing),
        ];
        fields.iter().fold(0, |immediate, (places, count)| immediate | split(places, count.unwrap_or(u32::MAX)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::generation;

    #[test]
    fn counts_are_in_the_fields_of_the_manuals() {
        let fields = |name: &str| generation(name).waits["S_WAITCNT"].clone();
        // s_waitcnt vmcnt(0) & lgkmcnt(0) of GCN 1.4, and lgkmcnt(0) of GCN 1.0, as LLVM encodes them.
        let both = fields("gfx9").counts(0x0070);
        assert_eq!((both.vector_memory, both.export, both.scalar_and_local_memory), (Some(0), Some(7), Some(0)));
        assert_eq!(fields("gfx6").counts(0x007f).vector_memory, Some(15));
        assert_eq!(fields("gfx9").counts(0xc07f).vector_memory, Some(63));
        let wait = WaitCounts { scalar_and_local_memory: Some(0), ..WaitCounts::default() };
        assert_eq!((fields("gfx9").immediate(wait), fields("gfx6").immediate(wait)), (0xc07f, 0x007f));
    }
}
