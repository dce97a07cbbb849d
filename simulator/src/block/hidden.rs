//! The part of a wave's stall in which another wave issues.

use std::collections::BTreeMap;

use crate::block::repetition::Repetition;
use crate::issue::activity::Activity;
use crate::issue::spans::WaveSpans;

/// A part of the time, from its first shader cycle to the cycle after its last.
type Part = (u64, u64);

impl Repetition<'_> {
    /// Shader cycles in which a wave stood still while another wave of its SIMD issued, by the address of the instruction that it stood
    /// still for; of each wave only what starts within the cycles that `part` gives for its number.
    pub fn hidden_within(&self, part: impl Fn(u32) -> Option<Part>) -> BTreeMap<u64, u64> {
        let steps = &self.block.program.steps;
        let mut hidden = vec![0; steps.len()];
        for simd in 0..self.shape.simds {
            let waves = || self.waves().iter().filter(|wave| self.shape.simd_of(wave.number) == simd);
            let parts = || waves().filter_map(|wave| part(wave.number));
            let (Some(from), Some(until)) = (parts().map(|(start, _)| start).min(), parts().map(|(_, end)| end).max())
            else {
                continue;
            };
            let busy = busy(waves(), (from, until));
            for wave in waves() {
                let Some((start, end)) = part(wave.number) else { continue };
                let mut ahead = busy.as_slice();
                let within = wave.timed().skip_while(|(at, span)| at + span.cycles <= start);
                let within = within.take_while(|(at, _)| *at < end);
                for (at, span) in within.filter(|(_, span)| span.activity != Activity::Issue) {
                    let clipped = (at.max(start), (at + span.cycles).min(end));
                    hidden[span.step as usize] += covered(&mut ahead, clipped);
                }
            }
        }
        let mut by_address: BTreeMap<u64, u64> = BTreeMap::new();
        for (step, hidden) in steps.iter().zip(hidden).filter(|(_, hidden)| *hidden > 0) {
            *by_address.entry(step.address).or_default() += hidden;
        }
        by_address
    }
}

/// The times around a part of the run in which any of these waves issues: in order, apart from each other. A stalled wave does
/// not issue, so its own cycles among them are not part of the requested time.
fn busy<'w>(waves: impl Iterator<Item = &'w WaveSpans>, (from, until): Part) -> Vec<Part> {
    let mut issues: Vec<Part> = Vec::new();
    for wave in waves {
        let within = wave.timed().take_while(|(at, _)| *at < until).filter(|(at, span)| at + span.cycles > from);
        let of_wave = within.filter(|(_, span)| span.activity == Activity::Issue);
        issues.extend(of_wave.map(|(at, span)| (at, at + span.cycles)));
    }
    issues.sort();
    issues.dedup_by(|next, last| {
        let meets = next.0 <= last.1;
        if meets {
            last.1 = last.1.max(next.1);
        }
        meets
    });
    issues
}

/// Cycles of a time that lie in the first of these parts; those that end before it are dropped, as no later time reaches them.
fn covered(ahead: &mut &[Part], (start, end): Part) -> u64 {
    let passed = ahead.iter().take_while(|(_, busy_end)| *busy_end <= start).count();
    *ahead = &ahead[passed..];
    let meeting = ahead.iter().take_while(|(busy_start, _)| *busy_start < end);
    meeting.map(|(busy_start, busy_end)| end.min(*busy_end) - start.max(*busy_start)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::lowered::LoweredBlock;
    use crate::block::shape::{Block, BlockShape};
    use crate::cost::configuration::Configuration;
    use crate::issue::spans::Span;
    use gcn_model::gpu::Gpu;

    fn wave(number: u32, start: u64, spans: &[(Activity, u64)]) -> WaveSpans {
        let spans = spans.iter().map(|(activity, cycles)| Span { step: 0, activity: *activity, cycles: *cycles });
        WaveSpans { number, start, spans: spans.collect(), iterations: Vec::new() }
    }

    #[test]
    fn simultaneous_issues_count_once() {
        use Activity::{Issue, Wait};
        let waves = [
            wave(0, 0, &[(Issue, 4), (Wait, 10), (Issue, 4)]),
            wave(1, 2, &[(Issue, 4), (Wait, 2), (Issue, 1), (Issue, 4)]),
        ];
        assert_eq!(busy(waves.iter(), (0, 100)), [(0, 6), (8, 13), (14, 18)]);
        assert_eq!(busy(waves.iter(), (6, 14)), [(8, 13)], "what meets the part");
    }

    #[test]
    fn times_are_covered_in_their_order() {
        let all = [(0, 6), (8, 13), (14, 18)];
        let mut ahead = all.as_slice();
        let times = [(4, 9), (9, 10), (10, 20), (20, 30)];
        assert_eq!(times.map(|time| covered(&mut ahead, time)), [2 + 1, 1, 3 + 4, 0]);
    }

    #[test]
    fn it_equals_a_count_cycle_by_cycle() {
        let configuration = Configuration::of(&Gpu::named("fiji").unwrap());
        // v_rcp_f32 v1, v0; s_nop 2; ds_read_b32 v2, v0; v_mul_f32 v2, v0, v0; s_waitcnt lgkmcnt(0)
        let words = [0x7e02_4500, 0xbf80_0002, 0xd86c_0000, 0x0200_0000, 0x0a04_0100, 0xbf8c_007f];
        let block = LoweredBlock::of(&configuration, Block { name: "block", address: 0, words: &words }).unwrap();
        for (simds, waves_per_simd) in [(1, 1), (1, 3), (2, 2), (4, 5)] {
            let waves_per_group = simds * waves_per_simd;
            let shape = BlockShape { simds, waves_per_simd, waves_per_group, iterations: 1 };
            let mut repetition = block.repeat(shape).unwrap();
            repetition.reach(20).unwrap();
            // A wave issues at the start of its iterations: nothing is cut there.
            let parts: Vec<Part> = repetition.iterations().map(|starts| (starts[3], starts[15])).collect();
            let mut counted: BTreeMap<u64, u64> = BTreeMap::new();
            let segments: Vec<_> = repetition.segments().collect();
            let issues = |wave: u32, cycle: u64| {
                segments.iter().any(|other| {
                    let is_other = other.wave != wave && shape.simd_of(other.wave) == shape.simd_of(wave);
                    let is_then = (other.start..other.start + other.cycles).contains(&cycle);
                    is_other && is_then && other.activity == Activity::Issue
                })
            };
            for segment in segments.iter().filter(|segment| segment.activity != Activity::Issue) {
                let (start, end) = parts[segment.wave as usize];
                if (start..end).contains(&segment.start) {
                    let cycles = segment.start..segment.start + segment.cycles;
                    let hidden = cycles.filter(|cycle| issues(segment.wave, *cycle)).count() as u64;
                    *counted.entry(segment.address).or_default() += hidden;
                }
            }
            counted.retain(|_, hidden| *hidden > 0);
            assert_eq!(repetition.hidden_within(|wave| Some(parts[wave as usize])), counted, "{shape:?}");
            assert_eq!(counted.is_empty(), waves_per_simd == 1, "{shape:?}");
        }
    }
}
