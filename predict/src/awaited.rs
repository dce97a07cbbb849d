//! Which S_WAITCNT waits for which memory instruction.

use std::collections::{BTreeMap, VecDeque};

use gcn_model::decode::Decoded;
use gcn_model::isa::WaitCounts;
use gcn_simulator::{BlockInstruction, Counters};

/// The counters that an instruction waits for, as LLVM names them, each with the count that it waits for; none that it lets be.
pub(crate) fn awaited_counters(decoded: &Decoded) -> Vec<(&'static str, u32)> {
    let Some(fields) = decoded.generation.waits.get(&decoded.instruction.name) else { return Vec::new() };
    let Some(counts) = decoded.wait_counts() else { return Vec::new() };
    // The largest count waits for nothing.
    let none = fields.counts(u32::MAX);
    // S_WAITCNT keeps its names where other counters took over.
    let joint = |counts: WaitCounts| counts.scalar_and_local_memory.or(counts.scalar_memory.and(counts.local_memory));
    let is_apart = joint(none).is_none() && decoded.generation.counts_local_memory_apart();
    let of_name = |apart: &'static str, joint: &'static str| if is_apart { apart } else { joint };
    let alone = |count: Option<u32>| count.filter(|_| is_apart);
    let counters = [
        (of_name("loadcnt", "vmcnt"), counts.vector_memory, none.vector_memory),
        (of_name("storecnt", "vscnt"), counts.vector_stores, none.vector_stores),
        ("expcnt", counts.export, none.export),
        ("lgkmcnt", joint(counts), joint(none)),
        ("kmcnt", alone(counts.scalar_memory), alone(none.scalar_memory)),
        ("dscnt", alone(counts.local_memory), alone(none.local_memory)),
        ("samplecnt", counts.image_samples, none.image_samples),
        ("bvhcnt", counts.ray_tracing, none.ray_tracing),
    ];
    let wanted = counters.into_iter().filter(|(_, count, none)| count != none);
    wanted.filter_map(|(name, count, _)| Some((name, count?))).collect()
}

/// A wait, and a memory instruction that is under way until then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Awaited {
    /// Which of a wave's instructions it is, counted as they issue.
    pub(crate) memory: usize,
    /// Which of them is the wait.
    pub(crate) wait: usize,
}

/// The known facts about the instructions of a block.
pub(crate) struct Waits {
    counters: BTreeMap<u64, Counters>,
    counts: BTreeMap<u64, WaitCounts>,
}

impl Waits {
    /// Of a block's instructions, decoded and as the simulator counts them.
    pub(crate) fn of(decoded: &[(u64, Decoded)], instructions: &[BlockInstruction]) -> Self {
        let counts = decoded.iter().filter_map(|(address, decoded)| Some((*address, decoded.wait_counts()?)));
        let counters = instructions.iter().map(|instruction| (instruction.address, instruction.counters));
        Self { counters: counters.collect(), counts: counts.collect() }
    }

    /// The waits of a wave that issues the instructions at these addresses one after the other.
    pub(crate) fn of_wave(&self, issued: &[u64]) -> Vec<Awaited> {
        let (mut vector, mut scalar_and_local) = (UnderWay::default(), UnderWay::default());
        let mut awaited = Vec::new();
        for (index, address) in issued.iter().enumerate() {
            let counters = self.counters.get(address).copied().unwrap_or_default();
            if counters.vector_memory {
                vector.start(index, false);
            }
            if counters.scalar_and_local_memory {
                scalar_and_local.start(index, counters.overtakes);
            }
            let Some(counts) = self.counts.get(address) else { continue };
            let ended = [(&mut vector, counts.vector_memory), (&mut scalar_and_local, counts.scalar_and_local_memory)]
                .into_iter()
                .filter_map(|(under_way, left)| Some(under_way.wait(left?)))
                .flatten();
            awaited.extend(ended.map(|memory| Awaited { memory, wait: index }));
        }
        // FLAT is under way by two counters: the later wait is the one that it needs.
        awaited.sort_by_key(|awaited| (awaited.memory, std::cmp::Reverse(awaited.wait)));
        awaited.dedup_by_key(|awaited| awaited.memory);
        awaited
    }
}

/// The events of a counter, as the simulator counts them.
#[derive(Default)]
struct UnderWay {
    memory: VecDeque<usize>,
    overtaking: usize,
}

impl UnderWay {
    fn start(&mut self, memory: usize, overtakes: bool) {
        self.memory.push_back(memory);
        self.overtaking += usize::from(overtakes);
    }

    /// What has surely come when at most `left` are under way: nothing that is known, where some may overtake others.
    fn wait(&mut self, left: u32) -> Vec<usize> {
        let left = left as usize;
        if self.overtaking > 0 && left > 0 {
            return Vec::new();
        }
        self.overtaking = 0;
        self.memory.drain(..self.memory.len().saturating_sub(left)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VECTOR: Counters = Counters { vector_memory: true, scalar_and_local_memory: false, overtakes: false };
    const LOCAL: Counters = Counters { vector_memory: false, scalar_and_local_memory: true, overtakes: false };
    const SCALAR: Counters = Counters { overtakes: true, ..LOCAL };
    const FLAT: Counters = Counters { vector_memory: true, ..SCALAR };

    /// A wave's waits, as pairs of a memory instruction and its wait.
    fn pairs(counters: &[Counters], waits: &[(usize, Option<u32>, Option<u32>)]) -> Vec<(usize, usize)> {
        let counters: BTreeMap<u64, Counters> = (0..).zip(counters.iter().copied()).collect();
        let counts = waits.iter().map(|&(at, vector_memory, scalar_and_local_memory)| {
            (at as u64, WaitCounts { vector_memory, scalar_and_local_memory, ..WaitCounts::default() })
        });
        let issued: Vec<u64> = (0..counters.len() as u64).collect();
        let waits = Waits { counters, counts: counts.collect() };
        waits.of_wave(&issued).into_iter().map(|awaited| (awaited.memory, awaited.wait)).collect()
    }

    #[test]
    fn a_wait_is_for_the_oldest_of_its_counter() {
        let none = Counters::default();
        let counters = [VECTOR, LOCAL, VECTOR, VECTOR, none, none];
        assert_eq!(pairs(&counters, &[(4, Some(1), None), (5, Some(0), Some(0))]), [(0, 4), (1, 5), (2, 4), (3, 5)]);
    }

    #[test]
    fn where_some_may_overtake_only_a_wait_for_all_says_which() {
        let none = Counters::default();
        let waits = [(2, None, Some(1)), (3, None, Some(0))];
        assert_eq!(pairs(&[LOCAL, SCALAR, none, none], &waits), [(0, 3), (1, 3)]);
        assert_eq!(pairs(&[LOCAL, LOCAL, none, none], &waits), [(0, 2), (1, 3)]);
    }

    #[test]
    fn flat_is_there_when_both_counters_say_so() {
        let none = Counters::default();
        assert_eq!(pairs(&[FLAT, none, none], &[(1, Some(0), None), (2, None, Some(0))]), [(0, 2)]);
    }
}
