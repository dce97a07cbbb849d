//! A thread trace: the packets of a wave.

use serde::Deserialize;

/// An instruction that the wave issued.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Packet {
    /// Of the instruction in the code.
    pub index: usize,
    #[serde(deserialize_with = "hexadecimal")]
    pub pc: u64,
    /// Lower case, with `_e32` or `_e64`.
    pub instruction: String,
    /// As the decoder prints it.
    pub operands: String,
    /// Which unit it went to.
    #[serde(rename = "sqtt_class")]
    pub class: String,
    /// Shader cycles until the next packet.
    #[serde(rename = "cycles_to_next_issue_run0")]
    first_run: u64,
    #[serde(rename = "cycles_to_next_issue_run1")]
    second_run: u64,
    pub next_instruction: String,
}

impl Packet {
    /// Upper case, without the encoding.
    pub(crate) fn name(&self) -> String {
        let name = self.instruction.strip_suffix("_e32").or_else(|| self.instruction.strip_suffix("_e64"));
        name.unwrap_or(&self.instruction).to_uppercase()
    }

    /// Shader cycles until the next packet, if both runs have as many.
    pub(crate) fn cycles(&self) -> Option<u64> {
        (self.first_run == self.second_run).then_some(self.first_run)
    }

    /// Shader cycles until the next packet, in the run that has fewer.
    pub(crate) fn fewest_cycles(&self) -> u64 {
        self.first_run.min(self.second_run)
    }

    /// Whether the vector ALU executes it: a unit without a queue.
    pub(crate) fn is_vector(&self) -> bool {
        let is_matrix = ["v_wmma", "v_swmmac"].iter().any(|start| self.instruction.starts_with(start));
        (self.class.starts_with("VALU") || self.class == "VINTERP") && !is_matrix
    }
}

/// A trace, by the name of its file.
pub(crate) struct Trace {
    pub target: &'static str,
    /// What its rows speak of. The file gfx1200 is of a gfx1201, and a trace of a real gfx1200 agrees with it (`README.md`).
    pub speaks_of: &'static [&'static str],
    pub packets: Vec<Packet>,
}

impl Trace {
    /// The traces that there are.
    pub(crate) fn all() -> [Self; 2] {
        let gfx1100 = ("gfx1100", &["gfx1100"][..], include_str!("gfx1100.csv"));
        [gfx1100, ("gfx1200", &["gfx1200", "gfx1201"], include_str!("gfx1200.csv"))].map(|(target, speaks_of, text)| {
            let packets = csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect::<Result<_, _>>();
            Self { target, speaks_of, packets: packets.unwrap_or_else(|error| panic!("traces/{target}.csv: {error}")) }
        })
    }
}

fn hexadecimal<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    u64::from_str_radix(text.trim_start_matches("0x"), 16).map_err(serde::de::Error::custom)
}
