//! A thread trace of a kernel: what the waves of one SIMD issued, and when.

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
        u64::from_str_radix(self.pc.strip_prefix("0x")?, 16).ok()
    }

    /// Whether it waits for a counter of memory.
    pub(crate) fn waits(&self) -> bool {
        self.instruction.starts_with("s_wait") && !self.instruction.starts_with("s_wait_alu")
    }
}

/// A trace: its waves, in the order of their start.
pub(crate) struct Trace {
    /// `gfx1100-gemm-4-waves`.
    pub name: String,
    pub waves: Vec<Vec<Packet>>,
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
        Self { name: name.to_owned(), waves }
    }

    /// The target of the card.
    pub(crate) fn target(&self) -> &str {
        self.name.split('-').next().unwrap_or_default()
    }
}
