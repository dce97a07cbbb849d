//! The readings that a kernel left in memory.

use gcn_model::isa::Generation;
use gcn_model::record::Reading;

use crate::experiment::PlannedLaunch;
use crate::kernel::{COMPLETION_MARK, KernelPlan, READINGS_BYTES, RECORD_BYTES};

/// Dwords of a wave's results.
const RECORD_DWORDS: usize = RECORD_BYTES as usize / 4;
/// Dwords of a wave's readings, before its record.
const READINGS_DWORDS: usize = READINGS_BYTES as usize / 4;
/// Lanes of the record: HW_ID at begin and end, S_MEMREALTIME at begin and end (low, high each), completion, TRAPSTS.DP_RATE.
const HW_ID: usize = 0;
const HW_ID_END: usize = 1;
const REALTIME_BEGIN: usize = 2;
const REALTIME_END: usize = 4;
const COMPLETION: usize = 6;
const DP_RATE: usize = 7;

pub(super) fn waves(launch: &PlannedLaunch, lanes: u32) -> u32 {
    launch.groups * launch.group_size.div_ceil(lanes)
}

/// Size of the results of a launch, bytes.
pub(super) fn result_bytes(launch: &PlannedLaunch, lanes: u32) -> u32 {
    waves(launch, lanes) * RECORD_BYTES
}

/// What TRAPSTS.DP_RATE read in the waves of a launch whose results are sound.
pub(super) fn dp_rates(results: &[u32]) -> impl Iterator<Item = u32> {
    results.chunks_exact(RECORD_DWORDS).map(|record| record[READINGS_DWORDS + DP_RATE])
}

/// A counter that wraps, as if it did not; one of 64 bits does not, and stays as it is when it goes backwards.
#[derive(Debug, Clone, Copy)]
struct Unwrap {
    bits: u32,
    /// The launch's first reading: the waves of a launch begin less than half a turn apart.
    first: u64,
}

impl Unwrap {
    fn begin(self, begin: u64) -> u64 {
        if self.bits >= u64::BITS {
            return begin;
        }
        let turn = 1 << self.bits;
        let ahead = begin.wrapping_sub(self.first) & (turn - 1);
        // A turn more keeps those that began before the first one above 0.
        if ahead < turn / 2 { self.first + turn + ahead } else { self.first + ahead }
    }

    /// The difference counts modulo two to the power of the counter's bits.
    fn end(self, begin: u64, end: u64) -> u64 {
        if self.bits >= u64::BITS {
            end
        } else {
            self.begin(begin) + (end.wrapping_sub(begin) & ((1 << self.bits) - 1))
        }
    }
}

/// Reads the results of a launch whose loops ran so many times longer than planned: as if they had that many more blocks.
///
/// # Errors
/// A wave that did not store its record or a reading: the text says which.
pub(super) fn readings(
    experiment: &str,
    kernel: &KernelPlan,
    launch: &PlannedLaunch,
    (ordinal, longer): (u32, u32),
    (generation, lanes): (Generation, u32),
    results: &[u32],
) -> Result<Vec<Reading>, String> {
    let mut readings = Vec::new();
    if results.len() != waves(launch, lanes) as usize * RECORD_DWORDS {
        return Err(format!("the device returned {} dwords of results", results.len()));
    }
    let first = results.get(..2).map_or(0, |words| u64::from(words[0]) | u64::from(words[1]) << 32);
    let unwrap = Unwrap { bits: generation.counters.cycles.read.bits_of_reading(), first };
    for (wave, results) in (0..).zip(results.chunks_exact(RECORD_DWORDS)) {
        let (lanes, record) = results.split_at(READINGS_DWORDS);
        if record[COMPLETION] != COMPLETION_MARK {
            return Err(format!("wave {wave} did not store its results"));
        }
        let pair = |words: &[u32], at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
        let realtime = |at| generation.has_realtime_counter().then(|| pair(record, at));
        let mut lane = lanes.chunks_exact(4);
        for section in &kernel.sections {
            for pass in 0..kernel.samples {
                let Some(words) = lane.next() else { return Err("more passes than lanes".into()) };
                let (begin, end) = (pair(words, 0), pair(words, 2));
                if (begin, end) == (0, 0) {
                    return Err(format!("wave {wave} did not store pass {pass} of {} blocks", section.n));
                }
                readings.push(Reading {
                    experiment: experiment.into(),
                    launch: ordinal,
                    n: section.n * longer,
                    pass,
                    wave,
                    begin: unwrap.begin(begin),
                    end: unwrap.end(begin, end),
                    hw_id: record[HW_ID],
                    hw_id_end: record[HW_ID_END],
                    realtime_begin: realtime(REALTIME_BEGIN),
                    realtime_end: realtime(REALTIME_END),
                });
            }
        }
    }
    Ok(readings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_that_wraps_is_unwound() {
        let turn = 1 << 20;
        let unwrap = Unwrap { bits: 20, first: turn - 10 };
        let begin = unwrap.begin(turn - 10);
        assert_eq!(unwrap.end(turn - 10, 30) - begin, 40);
        // A wave that begins after the wrap, and another one a little before the first.
        assert_eq!(unwrap.begin(5) - begin, 15);
        assert_eq!(begin - unwrap.begin(turn - 14), 4);
        let whole = Unwrap { bits: 64, first: 7 };
        assert_eq!((whole.begin(9), whole.end(9, 3)), (9, 3));
    }
}
