//! The code of a traced kernel, as far as its packets show it.
//!
//! S_DELAY_ALU, S_WAIT_ALU and S_BARRIER_WAIT leave no packet: where a dword is missing between two instructions, one of them is there. Of
//! gfx12 it is the wait that LLVM puts before an instruction that reads a scalar register: for the vector ALU where a vector instruction wrote
//! it last, for the scalar ALU where a scalar one did.

use std::collections::BTreeMap;

use gcn_simulator::RecordedIssue;

use crate::silicon::trace::{Packet, Trace};

/// S_DELAY_ALU 0, and the waits of gfx12 for what vector and scalar instructions wrote: fields of zero of `depctr_va_vcc`, `depctr_va_sdst`,
/// `depctr_sa_sdst` (LLVM 22.1 `AMDGPUBaseInfo.cpp`, DepCtr).
const DELAY: u32 = 0xbf87_0000;
const WAIT_VCC: u32 = 0xbf88_fffd;
const WAIT_VECTOR: u32 = 0xbf88_f1ff;
const WAIT_SCALAR: u32 = 0xbf88_fffe;
const NOTHING: u32 = 0xbf80_0000;
const END: u32 = 0xbfb0_0000;
const END_OF_GFX9: u32 = 0xbf81_0000;

/// The code from its first to its last instruction that was issued.
pub(crate) struct Code {
    pub address: u64,
    pub words: Vec<u32>,
    texts: BTreeMap<u64, String>,
    lengths: BTreeMap<u64, u64>,
}

impl Code {
    /// The code of a trace, by the words of each of its instructions.
    pub(crate) fn of(trace: &Trace, mut assemble: impl FnMut(&[String]) -> Vec<Vec<u32>>) -> Self {
        let mut texts: BTreeMap<u64, String> = BTreeMap::new();
        for packet in trace.waves.iter().flatten() {
            texts.extend(packet.address().map(|address| (address, packet.instruction.clone())));
        }
        texts.extend(trace.unseen.clone());
        let lines: Vec<String> = texts.values().cloned().collect();
        let encoded: BTreeMap<u64, Vec<u32>> = texts.keys().copied().zip(assemble(&lines)).collect();
        let lengths = encoded.iter().map(|(address, words)| (*address, words.len() as u64 * 4)).collect();
        let address = texts.keys().next().copied().unwrap_or(0);
        let mut code = Self { address, words: Vec::new(), texts, lengths };
        for (at, words) in encoded {
            let missing = (at - address) / 4 - code.words.len() as u64;
            code.words.extend((0..missing).map(|_| NOTHING));
            if missing <= 2 {
                let fill = if trace.target().starts_with("gfx12") { code.wait_before(at) } else { DELAY };
                let end = code.words.len();
                code.words[end - missing as usize..].fill(fill);
            }
            code.words.extend(words);
        }
        code.words.push(if trace.target().starts_with("gfx9") { END_OF_GFX9 } else { END });
        code
    }

    /// The wait before an instruction that reads what others wrote into scalar registers.
    fn wait_before(&self, address: u64) -> u32 {
        let scalars = |text: &str| -> Vec<String> {
            let words = text.split([' ', ',']).filter(|word| !word.is_empty()).skip(1);
            let is_scalar = |word: &&str| word.starts_with("s[") || word.starts_with("vcc") || is_register(word);
            words.filter(is_scalar).map(|word| word.trim_start_matches('s').to_owned()).collect()
        };
        let Some(text) = self.texts.get(&address) else { return DELAY };
        let read = scalars(text);
        for (&at, before) in self.texts.range(..address).rev().take(16) {
            let own = scalars(before);
            // The last of the scalar registers before the sources: the result, or the carry after it.
            let Some(first) = own.first().filter(|_| writes_scalar(before)) else { continue };
            if read.iter().any(|read| covers(first, read)) {
                // LLVM waits only for a register that a vector instruction has read before (VALUReadSGPRHazard).
                let was_read = self.texts.range(..at).any(|(_, earlier)| reads_scalar(earlier, first, &scalars));
                return match (before.starts_with('v'), first.starts_with("vcc")) {
                    _ if !was_read => DELAY,
                    (true, true) => WAIT_VCC,
                    (true, false) => WAIT_VECTOR,
                    (false, _) => WAIT_SCALAR,
                };
            }
        }
        DELAY
    }

    /// The way of a wave, with the instructions that left no packet; and for each packet its place on that way.
    pub(crate) fn way(&self, packets: &[Packet]) -> (Vec<RecordedIssue>, Vec<usize>) {
        let (mut way, mut places) = (Vec::new(), Vec::new());
        for (at, packet) in packets.iter().enumerate() {
            let Some(address) = packet.address() else { continue };
            places.push(way.len());
            way.push(RecordedIssue { address, cycle: Some(packet.cycle) });
            let end = address + self.lengths[&address];
            let next = packets.get(at + 1).and_then(Packet::address).unwrap_or(end);
            let unseen = (end..next).step_by(4).filter(|_| next - end <= 8);
            way.extend(unseen.map(|address| RecordedIssue { address, cycle: None }));
        }
        (way, places)
    }
}

/// Whether a vector instruction reads a scalar register: the first of its scalar registers is one that it writes, if it writes any.
fn reads_scalar(text: &str, register: &str, scalars: &impl Fn(&str) -> Vec<String>) -> bool {
    let own = scalars(text);
    let sources = own.iter().skip(usize::from(writes_scalar(text)));
    text.starts_with('v') && sources.into_iter().any(|read| covers(register, read))
}

fn covers(written: &str, read: &str) -> bool {
    range(written).0 <= range(read).1 && range(read).0 <= range(written).1
}

fn is_register(word: &str) -> bool {
    word.strip_prefix('s')
        .is_some_and(|number| !number.is_empty() && number.chars().all(|digit| digit.is_ascii_digit()))
}

fn writes_scalar(text: &str) -> bool {
    let name = text.split(' ').next().unwrap_or_default();
    let compares = name.starts_with("s_cmp") || name.starts_with("s_wait") || name.starts_with("s_cbranch");
    let of_vector = name.starts_with("v_cmp_") || name.contains("_co_") || name.contains("readfirstlane");
    if name.starts_with('v') { of_vector } else { name.starts_with("s_") && !compares && !name.contains("clause") }
}

/// First and last register of `[2:3]`, `4` or `vcc_lo`.
fn range(text: &str) -> (u32, u32) {
    if text.starts_with("vcc") {
        return (106, 107);
    }
    let (first, last) = text.trim_matches(['[', ']']).split_once(':').unwrap_or((text, text));
    (first.parse().unwrap_or(200), last.parse().unwrap_or(200))
}
