//! Traces whose packets have no addresses: each packet is the next instruction of the code that leaves one.

use std::path::Path;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::silicon::trace::{Packet, Trace, address};

#[derive(Deserialize)]
struct Line {
    pc: String,
    instruction: String,
}

impl Line {
    fn address(&self) -> u64 {
        address(&self.pc).expect("an address")
    }

    /// Whether it leaves a packet.
    fn is_seen(&self) -> bool {
        !self.instruction.starts_with("s_waitcnt") && !self.instruction.starts_with("s_nop")
    }

    /// Whether it leaves a packet of a class, such as `VALU_64`, where `next` comes after it: the number is the size of the instruction.
    fn is_class(&self, next: &Self, class: &str) -> bool {
        let begins = |start: &str| self.instruction.starts_with(start);
        let (kind, size) = class.split_once('_').unwrap_or((class, ""));
        let is_kind = match kind {
            "SMEM" => begins("s_load"),
            "SALU" => begins("s_") && !begins("s_load") && !begins("s_cbranch"),
            "VALU" => begins("v_"),
            "FLAT" => begins("global_"),
            TAKEN | "NEXT" => begins("s_cbranch"),
            _ => begins("s_endpgm"),
        };
        is_kind && size.parse().map_or(true, |bits: u64| 8 * (next.address() - self.address()) == bits)
    }

    /// Where its jump leads, if it is one.
    fn target(&self) -> Option<u64> {
        let words = self.instruction.strip_prefix("s_cbranch_scc0 ")?.parse::<u16>().expect("an offset") as i16;
        Some(self.address().wrapping_add_signed(4 * (i64::from(words) + 1)))
    }
}

/// A packet without an address.
#[derive(Deserialize)]
struct Unplaced {
    simd: u32,
    wave: u32,
    issue_cycle: u64,
    packet: String,
}

fn rows<T: DeserializeOwned>(folder: &Path, name: &str) -> Vec<T> {
    let path = folder.join(format!("{name}.csv"));
    let read = csv::Reader::from_path(&path).and_then(|rows| rows.into_deserialize().collect());
    read.unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The code of a trace beside it, if its packets need it.
fn code(folder: &Path, file: &str) -> Option<Vec<Line>> {
    let name = format!("{file}-code");
    folder.join(format!("{name}.csv")).is_file().then(|| rows(folder, &name))
}

/// The wave of a SIMD, from `gfx950-gemm-simd-0`; `None` where packets have addresses.
pub(crate) fn read(folder: &Path, name: &str) -> Option<Trace> {
    let (file, simd) = name.split_once("-simd-")?;
    let simd: u32 = simd.parse().expect("the number of a SIMD");
    let code = code(folder, file)?;
    let packets = rows::<Unplaced>(folder, file).into_iter().filter(|packet| packet.simd == simd);
    let mut wave: Vec<Packet> = Vec::new();
    let mut at = 0;
    for packet in packets {
        at += code[at..].iter().take_while(|line| !line.is_seen()).count();
        let line = &code[at];
        let fits = code.get(at + 1).is_some_and(|next| line.is_class(next, &packet.packet));
        assert!(fits, "{name}: {} {} is no {}", line.pc, line.instruction, packet.packet);
        wave.push(Packet::placed([&line.pc, &line.instruction], packet.wave, packet.issue_cycle, &packet.packet));
        let target = line.target().filter(|_| packet.packet == TAKEN);
        at =
            target.map_or(Some(at + 1), |to| code.iter().position(|line| line.address() == to)).expect("code is there");
    }
    let waits = code.iter().filter(|line| line.instruction.starts_with("s_waitcnt"));
    let unseen = waits.map(|line| (line.address(), line.instruction.clone())).collect();
    Some(Trace { name: name.to_owned(), waves: vec![wave], unseen, grain: GRAIN })
}

/// The class of a jump that is taken.
const TAKEN: &str = "JUMP";
/// Cycles between the times that these packets can have.
const GRAIN: u64 = 4;
