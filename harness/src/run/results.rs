//! What a kernel left in memory, as readings.

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

/// Waves of a launch.
pub(super) fn waves(launch: &PlannedLaunch) -> u32 {
    launch.groups * launch.group_size.div_ceil(64)
}

/// Size of the results of a launch, bytes.
pub(super) fn result_bytes(launch: &PlannedLaunch) -> u32 {
    waves(launch) * RECORD_BYTES
}

/// What TRAPSTS.DP_RATE read in the waves of a launch whose results are sound.
pub(super) fn dp_rates(results: &[u32]) -> impl Iterator<Item = u32> {
    results.chunks_exact(RECORD_DWORDS).map(|record| record[READINGS_DWORDS + DP_RATE])
}

/// Reads the results of a launch.
///
/// # Errors
/// A wave that did not store its record or a reading: the text says which.
pub(super) fn readings(
    experiment: &str,
    kernel: &KernelPlan,
    launch: &PlannedLaunch,
    ordinal: u32,
    has_realtime: bool,
    results: &[u32],
) -> Result<Vec<Reading>, String> {
    let mut readings = Vec::new();
    if results.len() != waves(launch) as usize * RECORD_DWORDS {
        return Err(format!("the device gave back {} dwords of results", results.len()));
    }
    for (wave, results) in (0..).zip(results.chunks_exact(RECORD_DWORDS)) {
        let (lanes, record) = results.split_at(READINGS_DWORDS);
        if record[COMPLETION] != COMPLETION_MARK {
            return Err(format!("wave {wave} did not store its results"));
        }
        let pair = |words: &[u32], at: usize| u64::from(words[at]) | u64::from(words[at + 1]) << 32;
        let realtime = |at| has_realtime.then(|| pair(record, at));
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
                    n: section.n,
                    pass,
                    wave,
                    begin,
                    end,
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
