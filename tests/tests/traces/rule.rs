//! The packets of a trace that tell an instruction's cycles. The rule is that of the README.

use std::collections::{BTreeMap, BTreeSet};

use super::trace::{Packet, Trace};

/// The verdict on a packet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// The alignment with the code is off.
    Label,
    /// The next packet is not that of the next instruction.
    Missing,
    /// The unit has a queue.
    Queue,
    /// The next packet goes to a unit with a queue.
    Next,
    /// The next instruction was fetched for the first time.
    Fetch,
    /// The next instruction waits.
    Waits,
    /// The next instruction goes to another part of the vector ALU.
    Overlaps,
    /// As many cycles as its class has.
    Counts,
}

/// The length of a line of the instruction cache up to RDNA 2, and the shortest whose fetches the traces show.
const LINE_BYTES: u64 = 64;

/// A trace with the verdict on each packet.
pub(crate) struct Judged {
    pub trace: Trace,
    pub verdicts: Vec<Verdict>,
    /// Cycles of each class of the vector ALU.
    pub classes: BTreeMap<String, u64>,
}

impl Judged {
    pub(crate) fn new(trace: Trace) -> Self {
        let packets = &trace.packets;
        let doubted = doubted(packets);
        let place = |at: usize| {
            let (packet, next) = (&packets[at], packets.get(at + 1));
            if doubted.contains(&at) {
                Some(Verdict::Label)
            } else if next.is_none_or(|next| next.index != packet.index + 1) {
                Some(Verdict::Missing)
            } else if !packet.is_vector() {
                Some(Verdict::Queue)
            } else if next.is_some_and(|next| !next.is_vector()) {
                Some(Verdict::Next)
            } else {
                None
            }
        };
        let places: Vec<Option<Verdict>> = (0..packets.len()).map(place).collect();
        let alone = packets.iter().zip(&places).filter(|(_, place)| place.is_none());
        let classes = most_frequent(alone.filter_map(|(packet, _)| Some((&packet.class, packet.cycles()?))));
        let judge = |(at, place): (usize, &Option<Verdict>)| {
            place.unwrap_or_else(|| {
                let packet = &packets[at];
                let starts_line = packets[at + 1].pc / LINE_BYTES != packet.pc / LINE_BYTES;
                let own = classes[&packet.class];
                match packet.cycles() {
                    None => Verdict::Fetch,
                    Some(cycles) if cycles > own && starts_line => Verdict::Fetch,
                    Some(cycles) if cycles > own => Verdict::Waits,
                    Some(cycles) if cycles < own => Verdict::Overlaps,
                    Some(_) => Verdict::Counts,
                }
            })
        };
        let verdicts = places.iter().enumerate().map(judge).collect();
        Self { trace, verdicts, classes }
    }

    pub(crate) fn packets(&self) -> impl Iterator<Item = (&Packet, Verdict)> {
        self.trace.packets.iter().zip(self.verdicts.iter().copied())
    }

    /// Class, instruction and cycles of what counts, in the order of the trace.
    pub(crate) fn rows(&self) -> Vec<(String, String, u64)> {
        let mut seen = BTreeSet::new();
        let counting = self.packets().filter(|(_, verdict)| *verdict == Verdict::Counts);
        counting
            .map(|(packet, _)| (packet.class.clone(), packet.name(), self.classes[&packet.class]))
            .filter(|(_, name, _)| seen.insert(name.clone()))
            .collect()
    }
}

/// The packets whose label is doubted: from a skip of the index to the last packet after it that is a call or unknown, if one of these
/// is on an instruction that is not a call.
fn doubted(packets: &[Packet]) -> BTreeSet<usize> {
    let odd = |packet: &Packet| {
        (packet.class == "CALL" && !packet.instruction.starts_with("s_call")) || packet.class.starts_with("UNK_")
    };
    let skips = (1..packets.len()).filter(|&at| packets[at].index != packets[at - 1].index + 1);
    let mut starts: Vec<usize> = skips.collect();
    starts.push(packets.len());
    let stretches = starts.windows(2).filter_map(|pair| {
        let last = (pair[0]..pair[1]).rfind(|&at| odd(&packets[at]))?;
        Some(pair[0]..=last)
    });
    stretches.flatten().collect()
}

/// Of each class the number that most of its packets have; of two that are as frequent, the lower.
fn most_frequent<'c>(packets: impl Iterator<Item = (&'c String, u64)>) -> BTreeMap<String, u64> {
    let mut counts = BTreeMap::<&String, BTreeMap<u64, usize>>::new();
    for (class, cycles) in packets {
        *counts.entry(class).or_default().entry(cycles).or_default() += 1;
    }
    let most = |counts: BTreeMap<u64, usize>| counts.into_iter().rev().max_by_key(|(_, count)| *count);
    counts.into_iter().filter_map(|(class, counts)| Some((class.clone(), most(counts)?.0))).collect()
}
