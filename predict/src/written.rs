//! An instruction as its author writes it: numbers in the place of which assemblers take names have these.

use std::sync::LazyLock;

use gcn_model::decode::Decoded;
use serde::Deserialize;

use crate::awaited::awaited_counters;
use crate::cycle_range::presets;

/// The registers and messages that immediates number, by generation, as LLVM 22.1's assembler prints them.
const NAMES: &str = include_str!("../data/immediates.csv");

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Kind {
    Register,
    Message,
}

/// A row of the names.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Name {
    kind: Kind,
    number: u32,
    name: String,
    generations: String,
}

/// A field of an immediate.
struct Field {
    name: &'static str,
    first: u32,
    bits: u32,
}

const fn field(name: &'static str, first: u32, bits: u32) -> Field {
    Field { name, first, bits }
}

impl Field {
    fn of(&self, immediate: u32) -> u32 {
        immediate >> self.first & self.most()
    }

    fn most(&self) -> u32 {
        (1 << self.bits) - 1
    }
}

/// What S_WAITCNT_DEPCTR and S_WAIT_ALU wait for, in the order in which LLVM prints it (LLVM 22.1 `AMDGPUBaseInfo.cpp`, DepCtr).
const UNITS: [Field; 6] = [
    field("sa_sdst", 0, 1),
    field("va_vdst", 12, 4),
    field("va_sdst", 9, 3),
    field("va_ssrc", 8, 1),
    field("va_vcc", 1, 1),
    field("vm_vsrc", 2, 3),
];
/// The bits of no field, which an assembler leaves 0 where it takes names.
const NO_UNITS: u32 = 0x60;
/// The bit that is 0 if HOLD_CNT is waited for, a unit that RDNA 1 has not.
const HOLDS: u32 = 0x80;

/// What S_DELAY_ALU waits for, by the number in its fields (AMD RDNA 3 ISA manual, "S_DELAY_ALU").
const DELAYS: [&str; 12] = [
    "NO_DEP",
    "VALU_DEP_1",
    "VALU_DEP_2",
    "VALU_DEP_3",
    "VALU_DEP_4",
    "TRANS32_DEP_1",
    "TRANS32_DEP_2",
    "TRANS32_DEP_3",
    "FMA_ACCUM_CYCLE_1",
    "SALU_CYCLE_1",
    "SALU_CYCLE_2",
    "SALU_CYCLE_3",
];
/// To which instruction the second of its fields applies.
const SKIPS: [&str; 6] = ["SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"];

/// An instruction as an author writes it; numbers that have no name stay numbers.
pub(crate) fn written(decoded: &Decoded) -> String {
    let text = decoded.to_string();
    if let ("S_SENDMSG_RTN_B32" | "S_SENDMSG_RTN_B64", Some((before, _))) =
        (decoded.instruction.name.as_str(), text.rsplit_once(", "))
    {
        // Its source field holds the number, which is no constant.
        let message = name(decoded, Kind::Message, decoded.words[0] & 0xff);
        return message.map_or(text.clone(), |message| format!("{before}, sendmsg({message})"));
    }
    let Some(immediate) = decoded.simm16().map(|immediate| u32::from(immediate as u16)) else { return text };
    let named = match decoded.instruction.name.as_str() {
        "S_WAITCNT" => counts(decoded),
        "S_DELAY_ALU" => delay(immediate),
        "S_WAITCNT_DEPCTR" | "S_WAIT_ALU" => units(immediate),
        "S_GETREG_B32" | "S_SETREG_B32" | "S_SETREG_IMM32_B32" => Some(register(decoded, immediate)),
        "S_SENDMSG" | "S_SENDMSGHALT" => {
            name(decoded, Kind::Message, immediate).map(|message| format!("sendmsg({message})"))
        }
        _ => None,
    };
    named.map_or(text.clone(), |named| text.replacen(&format!("{immediate:#x}"), &named, 1))
}

/// A register or a message of the generation.
fn name(decoded: &Decoded, kind: Kind, number: u32) -> Option<String> {
    let generation = decoded.generation.name();
    let is_one = |row: &Name| {
        row.kind == kind && row.number == number && row.generations.split(' ').any(|known| known == generation)
    };
    static ROWS: LazyLock<Vec<Name>> = LazyLock::new(|| presets(NAMES));
    ROWS.iter().find(|row| is_one(row)).map(|row| row.name.clone())
}

/// The counters of S_WAITCNT; `None` if it waits for none.
fn counts(decoded: &Decoded) -> Option<String> {
    let counts: Vec<String> =
        awaited_counters(decoded).into_iter().map(|(name, count)| format!("{name}({count})")).collect();
    (!counts.is_empty()).then(|| counts.join(" "))
}

/// The fields of S_DELAY_ALU; `None` for numbers that have no name.
fn delay(immediate: u32) -> Option<String> {
    let [first, skip, second] = [immediate & 0xf, immediate >> 4 & 7, immediate >> 7 & 0xf].map(|it| it as usize);
    let mut parts = Vec::new();
    if first != 0 || second == 0 {
        parts.push(format!("instid0({})", DELAYS.get(first)?));
    }
    if skip != 0 {
        parts.push(format!("instskip({})", SKIPS.get(skip)?));
    }
    if second != 0 {
        parts.push(format!("instid1({})", DELAYS.get(second)?));
    }
    Some(parts.join(" | "))
}

/// The units that are waited for; `None` if they are none, or a bit has no name.
fn units(immediate: u32) -> Option<String> {
    let awaited = UNITS.iter().filter(|field| field.of(immediate) != field.most());
    let words: Vec<String> = awaited.map(|field| format!("depctr_{}({})", field.name, field.of(immediate))).collect();
    (immediate & (NO_UNITS | HOLDS) == HOLDS && !words.is_empty()).then(|| words.join(" "))
}

/// A part of a hardware register; of the whole one only its name.
fn register(decoded: &Decoded, immediate: u32) -> String {
    let [number, first, bits] = [field("", 0, 6), field("", 6, 5), field("", 11, 5)].map(|field| field.of(immediate));
    let register = name(decoded, Kind::Register, number).unwrap_or_else(|| number.to_string());
    match (first, bits + 1) {
        (0, 32) => format!("hwreg({register})"),
        (first, bits) => format!("hwreg({register}, {first}, {bits})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::Code;
    use gcn_model::gpu::Gpu;

    fn of(gpu: &str, word: u32) -> String {
        let code = Code { address: 0, words: vec![word].into() };
        let processor = Gpu::named(gpu).unwrap().processor();
        written(&code.instructions(processor).unwrap()[0].1)
    }

    #[test]
    fn delays_and_units_have_the_names_of_the_assembler() {
        let delayed = |immediate| delay(immediate).unwrap();
        assert_eq!(delayed(0x95), "instid0(TRANS32_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)");
        assert_eq!([delayed(1), delayed(0)], ["instid0(VALU_DEP_1)", "instid0(NO_DEP)"]);
        assert_eq!(delay(0xf), None);
        assert_eq!(units(0xf9f), Some("depctr_va_vdst(0)".to_owned()));
        assert_eq!(
            units(0xf8e),
            Some("depctr_sa_sdst(0) depctr_va_vdst(0) depctr_vm_vsrc(3)".to_owned()),
            "in LLVM's order"
        );
        assert_eq!([units(0xfff), units(0xffff), units(0xff9f)], [None, None, None]);
    }

    #[test]
    fn registers_and_messages_are_those_of_the_generation() {
        let cycles = 0xb884_981d;
        assert_eq!(of("rx7900xtx", cycles), "s_getreg_b32 s4, hwreg(HW_REG_SHADER_CYCLES, 0, 20)");
        assert_eq!(of("rx9070xt", cycles), "s_getreg_b32 s4, hwreg(HW_REG_SHADER_CYCLES_LO, 0, 20)");
        assert_eq!(of("fiji", 0xb884_f801), "s_getreg_b32 s4, hwreg(HW_REG_MODE)");
        assert_eq!(of("fiji", 0xb884_18e8), "s_getreg_b32 s4, hwreg(40, 3, 4)");
        assert_eq!(of("rx7900xtx", 0xbfb6_0003), "s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)");
        assert_eq!(of("rx7900xtx", 0xbfb6_0077), "s_sendmsg 0x77");
        assert_eq!(of("rx7900xtx", 0xbe84_4c83), "s_sendmsg_rtn_b32 s4, sendmsg(MSG_RTN_GET_REALTIME)");
    }
}
