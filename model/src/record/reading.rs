//! `readings.csv`: every raw reading.

use serde::{Deserialize, Serialize};

/// A pair of S_MEMTIME readings of a wave: a row of `readings.csv`.
///
/// In the file the experiment is its id; where there are many readings, its position in `experiments.csv`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading<Experiment = String> {
    /// Id of the experiment: a row of `experiments.csv`.
    pub experiment: Experiment,
    /// Launch of the run that this reading is from, counted from 0.
    pub launch: u32,
    /// Blocks in the timed code; the experiment's row has the content of a block.
    pub n: u32,
    /// Pass of the timed code inside the kernel, counted from 0; passes that only warm the instruction cache are not stored.
    pub pass: u32,
    /// Wave of the launch: group × waves per group + wave in the group.
    pub wave: u32,
    /// S_MEMTIME before the timed code, shader cycles.
    pub begin: u64,
    /// S_MEMTIME after the timed code, shader cycles.
    pub end: u64,
    /// HW_ID at the start of the wave; where a card has XCCs (gfx942 and later), bits 15:0 of it and XCC_ID above them.
    pub hw_id: u32,
    /// HW_ID at the end of the wave: a difference means that the wave was moved.
    pub hw_id_end: u32,
    /// S_MEMREALTIME at the start of the wave, ticks of the constant clock; empty before GCN 1.2.
    pub realtime_begin: Option<u64>,
    /// S_MEMREALTIME at the end of the wave; empty before GCN 1.2.
    pub realtime_end: Option<u64>,
}

impl<Experiment> Reading<Experiment> {
    /// The difference of the two readings, shader cycles.
    ///
    /// A first reading that comes late enough makes it negative. That is an outlier like any other, for the statistics to
    /// drop and count, not a damaged file.
    pub const fn elapsed(&self) -> i64 {
        self.end.wrapping_sub(self.begin).cast_signed()
    }
}
