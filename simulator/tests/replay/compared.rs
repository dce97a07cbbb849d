//! The traces, issued once more by the simulator: the cycles to the next issue of each packet are compared.
//!
//! A packet's instruction is the target's own, by the GPU file of a product with that target; gfx1100 has no scalar floating point, which it
//! takes as something else: another scalar instruction stands for each of these. The registers are those that the packet names.
//!
//! This is no blind test. Which vector instructions are slower, and which scalar ones, others say too (LLVM, ACO); but the values of
//! `[pipelines]` for queues, masks, matrix instructions and addresses were read from these same traces. The test shows that a few
//! rules with one value each tell nearly all packets of both cards.

use std::collections::BTreeMap;

use gcn_model::gpu::Gpu;
use gcn_model::isa::{Instruction, Processor};
use gcn_simulator::{Configuration, Recorded, Registers, replay};

use crate::rule::{Judged, Verdict};
use crate::trace::Packet;

const VCC: u8 = 106;
const EXEC: u8 = 126;

/// The GPU file of each target.
const GPUS: [(&str, &str); 2] = [("gfx1100", "rx7900xtx"), ("gfx1200", "rx9060xt")];

/// Instructions that stand for those that the target has not: the first that fits. Names start so.
const STAND_INS: [(&str, &str); 2] = [("S_CMP", "S_CMP_EQ_U32"), ("S_", "S_NOT_B32")];

/// Why a packet is not compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LeftOut {
    /// The alignment with the code is off, or the next packet is not that of the next instruction.
    Label,
    /// Code that runs for the first time.
    Fetch,
    /// More than one cycle before or after an instruction of memory or LDS.
    Memory,
}

/// A packet, the cycles until the next one in the trace, and those of the simulator.
pub(crate) struct Compared<'p> {
    pub packet: &'p Packet,
    pub left_out: Option<LeftOut>,
    pub machine: u64,
}

impl Compared<'_> {
    pub(crate) fn agrees(&self) -> bool {
        self.packet.cycles() == Some(self.machine)
    }
}

/// All packets of a trace but the last, with the simulator's cycles, with such keys in its GPU file.
pub(crate) fn compared<'j>(judged: &'j Judged, keys: &str) -> Vec<Compared<'j>> {
    let (_, base) = GPUS.iter().find(|(target, _)| *target == judged.trace.target).unwrap();
    let gpu = Gpu::from_toml(&format!("base = \"{base}\"\n{keys}"), "replay.toml").unwrap();
    let configuration = Configuration::of(&gpu);
    let processor = gpu.processor();
    let packets: Vec<(&Packet, Verdict)> = judged.packets().collect();
    let mut left_out = Vec::new();
    let mut recorded = Vec::new();
    let mut places = Vec::new();
    for (at, (packet, verdict)) in packets.iter().enumerate() {
        let why = packets.get(at + 1).map_or(Some(LeftOut::Label), |(next, _)| left_out_of(packet, *verdict, next));
        // A packet that the trace does not know has no time of its own.
        let held_for = why.filter(|_| !packet.class.starts_with("UNK_"));
        let held_for = held_for.map(|_| u32::try_from(packet.fewest_cycles()).unwrap_or(1000));
        let unseen = unseen(&packets[..=at]);
        let issued = |(packet, _): &(&Packet, Verdict), held_for| {
            let (reads, writes) = registers(packet);
            Recorded { instruction: stand_in(processor, &packet.name()), reads, writes, held_for }
        };
        places.push(recorded.len());
        match unseen.split_first() {
            None => recorded.push(issued(&packets[at], held_for)),
            Some((call, unseen)) => {
                recorded.push(issued(call, held_for));
                recorded.extend(unseen.iter().map(|packet| issued(packet, None)));
            }
        }
        left_out.push(why);
    }
    let issues = replay(&configuration, &recorded).unwrap();
    assert_eq!(issues.len(), recorded.len());
    let gaps = places.windows(2).map(|pair| issues[pair[1]] - issues[pair[0]]);
    let all = packets.iter().zip(left_out).zip(gaps);
    all.map(|(((packet, _), left_out), machine)| Compared { packet, left_out, machine }).collect()
}

/// The call that a packet of a call on another label is of, and the instructions after it up to that label: the wave executed them, and
/// they left no packet. Empty for other packets.
fn unseen<'p>(packets: &'p [(&'p Packet, Verdict)]) -> &'p [(&'p Packet, Verdict)] {
    let is_call = |packet: &Packet| packet.instruction.starts_with("s_call");
    match packets.last() {
        Some((packet, _)) if packet.class == "CALL" && !is_call(packet) => {
            let call = packets.iter().rposition(|(packet, _)| is_call(packet));
            &packets[call.expect("a call in the code")..]
        }
        _ => &[],
    }
}

fn left_out_of(packet: &Packet, verdict: Verdict, next: &Packet) -> Option<LeftOut> {
    let starts_line = next.pc / 64 != packet.pc / 64;
    let is_memory = |packet: &Packet| {
        let of = ["LDS_", "SGMEM_", "VMEM_", "SMEM"];
        of.iter().any(|class| packet.class.starts_with(class)) || packet.instruction.starts_with("s_waitcnt")
    };
    match (verdict, packet.cycles()) {
        (Verdict::Label | Verdict::Missing, _) => Some(LeftOut::Label),
        (Verdict::Fetch, _) | (_, None) => Some(LeftOut::Fetch),
        // For units with a queue no class has an instruction's own cycles: only a fetch takes so long.
        (_, Some(cycles)) if starts_line && cycles > 40 => Some(LeftOut::Fetch),
        (_, Some(cycles)) if cycles > 1 && (is_memory(packet) || is_memory(next)) => Some(LeftOut::Memory),
        _ => None,
    }
}

/// The processor's instruction of a name, or the one that stands for it.
fn stand_in(processor: Processor, name: &str) -> &'static Instruction {
    processor.instruction(name).unwrap_or_else(|| {
        let fits = |(start, _): &&(&str, &str)| name.starts_with(start);
        let (_, stand_in) = STAND_INS.iter().find(fits).unwrap_or_else(|| panic!("nothing stands for {name}"));
        processor.instruction(stand_in).unwrap_or_else(|| panic!("{stand_in}"))
    })
}

/// The reads and writes of a packet's instruction, as far as its operands and its name tell.
fn registers(packet: &Packet) -> (Registers, Registers) {
    let name = packet.name();
    let (mut reads, mut writes) = (Registers::default(), Registers::default());
    let operands = packet.operands.split_once('(').map_or("", |(_, operands)| operands.trim_end_matches(')'));
    let is = |starts: &[&str]| starts.iter().any(|start| name.starts_with(start));
    let is_vector_compare = is(&["V_CMP"]);
    // The form of 32 bits of a compare has no destination.
    let has_result = match is_vector_compare {
        true => packet.instruction.ends_with("_e64"),
        false => !is(&[
            "S_CMP",
            "S_BITCMP",
            "S_WAIT_",
            "S_SETREG",
            "S_WAITCNT",
            "S_VERSION",
            "S_CALL",
            "GLOBAL_STORE",
            "DS_STORE",
        ]),
    };
    let has_mask = name.contains("_CO_") || name.contains("DIV_SCALE");
    // The decoder prints a field that these do not have.
    let operands = if is(&["S_SETREG_IMM32", "S_VERSION"]) { "" } else { operands };
    let mut scalars_read = Vec::new();
    for (place, operand) in operands.split(", ").enumerate() {
        let is_written = has_result && place == 0 || has_mask && place == 1 && operand.starts_with("VCC");
        add(if is_written { &mut writes } else { &mut reads }, operand);
        if !is_written || is(&["S_BITSET", "S_FMAC", "S_CMOV", "S_ADDK", "S_MULK"]) {
            scalars_read.push(operand.trim_end_matches("_LO"));
        }
    }
    let times = |operand: &&str| scalars_read.iter().filter(|other| *other == operand).count();
    reads.most_reads = scalars_read.iter().map(times).max().unwrap_or(0) as u8;
    // It adds to what its destination has.
    if is(&["V_SWMMAC"]) {
        operands.split(", ").take(1).for_each(|operand| add(&mut reads, operand));
    }
    let vcc = 1_u128 << VCC;
    if is(&["V_CMPX"]) {
        writes.scalars |= 1 << EXEC;
    } else if is_vector_compare && !has_result || has_mask && packet.instruction.ends_with("_e32") {
        writes.scalars |= vcc;
    }
    if name.contains("_CO_CI_") || is(&["V_CNDMASK", "V_DIV_FMAS"]) {
        reads.scalars |= vcc;
    }
    let leaves_scc = [
        "S_MOV",
        "S_CMOV",
        "S_BREV",
        "S_PACK",
        "S_SEXT",
        "S_BITSET",
        "S_BITREP",
        "S_MUL",
        "S_BFM",
        "S_CTZ",
        "S_CLZ",
        "S_CLS",
        "S_CSELECT",
        "S_CVT",
        "S_GETREG",
        "S_SETREG",
        "S_LOAD",
        "S_VERSION",
        "S_WAITCNT",
        "S_CALL",
        "S_ADD_NC",
        "S_SUB_NC",
    ];
    let is_float = name.ends_with("_F16") || name.ends_with("_F32");
    if name.starts_with("S_") && !is(&leaves_scc) && (!is_float || is(&["S_CMP"])) {
        writes.scc = true;
    }
    reads.scc = is(&["S_CSELECT", "S_CMOV", "S_ADDC", "S_SUBB", "S_ADD_CO_CI", "S_SUB_CO_CI"]);
    // Immediate forms read and write their one register.
    if is(&["S_ADDK", "S_MULK", "S_CMOV", "S_BITSET", "S_FMAC"]) {
        reads.scalars |= writes.scalars;
    }
    (reads, writes)
}

/// Adds `v[0]`, `v[16:17]`, `s[2:3]`, `VCC` or `VCC_LO`.
fn add(registers: &mut Registers, operand: &str) {
    let range = |text: &str| -> Option<(u16, u8)> {
        let (first, last) = text.split_once(':').unwrap_or((text, text));
        let (first, last): (u16, u16) = (first.parse().ok()?, last.parse().ok()?);
        Some((first, u8::try_from(last + 1 - first).ok()?))
    };
    let inside = |start: &str| operand.strip_prefix(start).and_then(|rest| rest.strip_suffix(']')).and_then(range);
    if let Some(vectors) = inside("v[") {
        if let Some(free) = registers.vectors.iter_mut().find(|(_, count)| *count == 0) {
            *free = vectors;
        }
    } else if let Some((first, count)) = inside("s[") {
        (first..first + u16::from(count)).for_each(|code| registers.scalars |= 1 << code);
    } else if operand == "VCC" {
        registers.scalars |= 3 << VCC;
    } else if operand == "VCC_LO" {
        registers.scalars |= 1 << VCC;
    }
}

/// How many packets there are of each kind: left out, and of the others those that agree.
pub(crate) fn counts(compared: &[Compared<'_>]) -> (BTreeMap<LeftOut, usize>, usize, usize) {
    let mut left_out = BTreeMap::new();
    compared.iter().filter_map(|it| it.left_out).for_each(|why| *left_out.entry(why).or_insert(0) += 1);
    let told = || compared.iter().filter(|it| it.left_out.is_none());
    (left_out, told().count(), told().filter(|it| it.agrees()).count())
}
