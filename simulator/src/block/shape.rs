//! The repeated code, its waves, and the number of repeats.

/// Code that is repeated from its first instruction to its last.
///
/// A jump to its start closes it, the last one if there are more; without one it starts again after its last instruction, in no
/// time. Other conditional jumps are not taken, but for those without which that jump, or the end, cannot be reached.
#[derive(Debug, Clone, Copy)]
pub struct Block<'a> {
    /// For messages.
    pub name: &'a str,
    /// Address of its first instruction: what its place in blocks and cache lines is counted from.
    pub address: u64,
    /// Its machine code.
    pub words: &'a [u32],
}

/// Who repeats a block, and how often.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockShape {
    /// SIMDs of the compute unit that have waves.
    pub simds: u32,
    /// Waves of each of these SIMDs.
    pub waves_per_simd: u32,
    /// Waves of a work-group, which wait for each other at S_BARRIER.
    pub waves_per_group: u32,
    /// How often each wave goes through it, at least once.
    pub iterations: u32,
}

impl BlockShape {
    /// The SIMD of a wave: waves start one after the other, on the SIMDs in turn.
    pub fn simd_of(&self, wave: u32) -> u32 {
        wave % self.simds
    }
}
