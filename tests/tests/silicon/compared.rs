//! The gaps between the issues of a trace beside those of the simulator.

use std::collections::{BTreeMap, BTreeSet};

use gcn_simulator::{Block, Configuration, RecordedGroups, RecordedIssue, rerun, retrace};

use crate::silicon::code::Code;
use crate::silicon::trace::{Packet, Trace};

/// Why a gap is not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LeftOut {
    /// The next instruction lies in a line that no wave had reached when the one before was issued.
    Fetch,
    /// The wave waits for memory, or at a barrier for waves of other SIMDs.
    Memory,
}

/// Cycles from the issue of a packet to the next one.
pub(crate) struct Gap<'t> {
    pub packet: &'t Packet,
    pub next: &'t Packet,
    pub left_out: Option<LeftOut>,
    pub silicon: u64,
    /// From the recorded issue of the packet to the simulator's of the next one.
    pub simulated: i64,
}

/// Gaps of a trace, and of each of its waves the cycles at which the loop begins anew: on silicon and in the simulator.
pub(crate) struct Compared<'t> {
    pub gaps: Vec<Gap<'t>>,
    pub loops: [Vec<Vec<u64>>; 2],
}

/// Compares a trace of work-groups; `simds` share a compute unit.
pub(crate) fn compared<'t>(
    trace: &'t Trace,
    code: &Code,
    configuration: &Configuration,
    (simds, groups): (u32, RecordedGroups),
) -> Compared<'t> {
    // Some traces have more waves than the SIMD holds at a time: one follows another.
    let mut configuration = configuration.clone();
    configuration.waves_per_simd = configuration.waves_per_simd.max(trace.waves.len() as u32);
    let configuration = &configuration;
    let line_bytes = u64::from(configuration.instruction_cache.line_bytes);
    let ways: Vec<(Vec<RecordedIssue>, Vec<usize>)> = trace.waves.iter().map(|wave| code.way(wave)).collect();
    let issues: Vec<Vec<RecordedIssue>> = ways.iter().map(|(way, _)| way.clone()).collect();
    let block = Block { name: &trace.name, address: code.address, words: &code.words };
    let run = |what: Result<_, gcn_simulator::SimulationError>| {
        what.unwrap_or_else(|error| panic!("{}: {error}", trace.name))
    };
    let predicted = run(retrace(configuration, block, &issues, groups));
    let mut first_of_line = BTreeMap::<u64, u64>::new();
    for packet in trace.waves.iter().flatten() {
        let first = first_of_line.entry(packet.address().unwrap_or(0) / line_bytes).or_insert(packet.cycle);
        *first = packet.cycle.min(*first);
    }
    let mut gaps = Vec::new();
    for ((wave, (_, places)), predicted) in trace.waves.iter().zip(&ways).zip(&predicted) {
        for (at, pair) in wave.windows(2).enumerate() {
            let (packet, next) = (&pair[0], &pair[1]);
            let silicon = next.cycle - packet.cycle;
            let line = next.address().unwrap_or(0) / line_bytes;
            // A wait that leaves no packet has its own cycles, before those of the next instruction.
            let unseen = trace.unseen_wait([packet, next]).is_some();
            let own = if unseen { 2 * trace.grain } else { 1 };
            let waits =
                unseen || next.waits() || packet.class == "BARRIER" || packet.instruction.starts_with("s_sendmsg");
            let left_out = match () {
                () if packet.cycle < first_of_line[&line] => Some(LeftOut::Fetch),
                () if waits && silicon > own => Some(LeftOut::Memory),
                () => None,
            };
            let simulated = predicted[places[at + 1]] as i64 - packet.cycle as i64;
            gaps.push(Gap { packet, next, left_out, silicon, simulated });
        }
    }
    let runs = run(rerun(configuration, block, &issues, simds));
    let silicon = trace.waves.iter().map(|wave| loops(wave, |at| wave[at].cycle)).collect();
    let simulated = (trace.waves.iter().zip(&ways).zip(&runs))
        .map(|((wave, (_, places)), run)| loops(wave, |at| run[places[at]]))
        .collect();
    Compared { gaps, loops: [silicon, simulated] }
}

impl Compared<'_> {
    /// The gaps that differ: a line for each, and how many are alike.
    pub(crate) fn differing(&self) -> BTreeMap<String, usize> {
        let differs = |gap: &&Gap<'_>| gap.left_out.is_none() && gap.simulated != gap.silicon as i64;
        let line = |gap: &Gap<'_>| {
            let (packet, next) = (&gap.packet.instruction, &gap.next.instruction);
            format!(
                "{:#x} {packet} -> {next}: {}, simulated {}",
                gap.packet.address().unwrap_or(0),
                gap.silicon,
                gap.simulated
            )
        };
        let mut lines = BTreeMap::new();
        self.gaps.iter().filter(differs).for_each(|gap| *lines.entry(line(gap)).or_default() += 1);
        lines
    }
}

/// The cycles at which a wave begins the loop whose start it reaches most often.
fn loops(wave: &[Packet], cycle: impl Fn(usize) -> u64) -> Vec<u64> {
    let (mut seen, mut heads) = (BTreeSet::new(), BTreeMap::<u64, usize>::new());
    let back = wave.windows(2).filter(|pair| pair[1].address() <= pair[0].address());
    for head in back.filter_map(|pair| pair[1].address()) {
        *heads.entry(head).or_default() += 1;
        seen.insert(head);
    }
    let Some((head, _)) = heads.into_iter().max_by_key(|(_, count)| *count) else { return Vec::new() };
    (0..wave.len()).filter(|at| wave[*at].address() == Some(head)).map(cycle).collect()
}
