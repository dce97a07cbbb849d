//! A thread trace of a kernel: what the waves of one SIMD issued, and when.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;

/// An instruction that a wave issued.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Packet {
    wave: u32,
    wave_start: u64,
    #[serde(rename = "issue_cycle")]
    pub cycle: u64,
    pc: String,
    pub instruction: String,
    #[serde(rename = "packet")]
    pub class: String,
}

impl Packet {
    /// Its address in the code object; `None` of the end of a wave.
    pub(crate) fn address(&self) -> Option<u64> {
        address(&self.pc)
    }

    /// Whether it loads 16 bytes for each lane.
    fn is_wide_load(&self) -> bool {
        ["global_load_b128", "global_load_dwordx4"].iter().any(|load| self.instruction.starts_with(load))
    }

    /// That of an instruction, by its address and text.
    pub(crate) fn placed([pc, instruction]: [&str; 2], wave: u32, cycle: u64, class: &str) -> Self {
        let [pc, instruction, class] = [pc, instruction, class].map(str::to_owned);
        Self { wave, wave_start: 0, cycle, pc, instruction, class }
    }

    /// Whether it waits for a counter of memory.
    pub(crate) fn waits(&self) -> bool {
        self.instruction.starts_with("s_wait") && !self.instruction.starts_with("s_wait_alu")
    }
}

/// `0x1700`.
pub(crate) fn address(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}

/// Of a wait for loads: how many need not have returned.
fn loads_left(wait: &str) -> Option<u64> {
    let count = wait.strip_prefix("s_waitcnt vmcnt(").map(|rest| rest.trim_end_matches(')'));
    let count = count.or_else(|| wait.strip_prefix("s_wait_loadcnt 0x"))?;
    u64::from_str_radix(count, 16).ok()
}

/// Between the ends of waits for one load and for the next one: of 512 bytes on RDNA, of 1,024 on gfx950 where no other wave loads.
const RETURN_CYCLES: u64 = 16;

/// Cycles between ticks of the clock of S_SLEEP.
const SLEEP_TICK: u64 = 64;

/// A trace: its waves, in the order of their start.
pub(crate) struct Trace {
    /// `gfx1100-gemm-4-waves`.
    pub name: String,
    pub waves: Vec<Vec<Packet>>,
    /// Waits that leave no packet, where the code is known.
    pub unseen: BTreeMap<u64, String>,
    /// Cycles between the times that a packet can have.
    pub grain: u64,
}

impl Trace {
    /// A file of traces.
    pub(crate) fn read(folder: &Path, name: &str) -> Self {
        let path = folder.join(format!("{name}.csv"));
        let fail = |error: csv::Error| -> csv::Error { panic!("{}: {error}", path.display()) };
        let mut waves: Vec<Vec<Packet>> = Vec::new();
        for packet in csv::Reader::from_path(&path).map_err(fail).unwrap().into_deserialize() {
            let packet: Packet = packet.map_err(fail).unwrap();
            let place = |packet: &Packet| (packet.wave, packet.wave_start);
            match waves.iter_mut().find(|wave| place(&wave[0]) == place(&packet)) {
                Some(wave) => wave.push(packet),
                None => waves.push(vec![packet]),
            }
        }
        waves.iter_mut().for_each(|wave| wave.retain(|packet| packet.address().is_some()));
        let mut trace = Self { name: name.to_owned(), waves, unseen: BTreeMap::new(), grain: 1 };
        trace.begin_at_a_tick();
        trace
    }

    /// Counts cycles from one at which an S_SLEEP ends, so that it is one at which the clock of S_SLEEP ticks: the first one has no gap that
    /// is compared.
    fn begin_at_a_tick(&mut self) {
        let sleeps = |packet: &&Packet| packet.instruction.starts_with("s_sleep");
        let Some(first) = self.waves.iter().flatten().find(sleeps).map(|packet| packet.cycle + 1) else { return };
        let later = first.next_multiple_of(SLEEP_TICK) - first;
        self.waves.iter_mut().flatten().for_each(|packet| packet.cycle += later);
    }

    /// The latency of vector loads that the waits show, shader cycles: from the first load of a group to the end of the wait for it, less what
    /// the loads return one after the other. The median; `None` where no wave loads several and waits for some of them.
    pub(crate) fn latency(&self) -> Option<u64> {
        let mut latencies = Vec::new();
        for wave in &self.waves {
            let mut loads: Vec<u64> = Vec::new();
            for (at, packet) in wave.iter().enumerate() {
                let unseen = at.checked_sub(1).and_then(|before| self.unseen_wait([&wave[before], packet]));
                if let Some(left) = loads_left(unseen.unwrap_or(&packet.instruction))
                    && loads.len() > 1
                    && left < loads.len() as u64
                {
                    let before = loads.len() as u64 - left - 1;
                    latencies.push((packet.cycle - loads[0]).saturating_sub(before * RETURN_CYCLES));
                    loads.clear();
                }
                if packet.is_wide_load() {
                    loads.push(packet.cycle);
                }
            }
        }
        latencies.sort_unstable();
        latencies.get(latencies.len() / 2).copied()
    }

    /// The wait without a packet between two packets.
    pub(crate) fn unseen_wait(&self, packets: [&Packet; 2]) -> Option<&str> {
        let [from, to] = packets.map(|packet| packet.address().unwrap_or(0));
        (from < to).then(|| self.unseen.range(from..to).next()).flatten().map(|(_, wait)| wait.as_str())
    }

    /// The target of the card.
    pub(crate) fn target(&self) -> &str {
        self.name.split('-').next().unwrap_or_default()
    }
}
