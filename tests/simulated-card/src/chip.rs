//! The kernel driver's facts about a chip that the GPU files of the simulator lack: `data/chips.csv`.

use gcn_model::gpu::Gpu;
use serde::{Deserialize, Deserializer};

/// One chip; the columns are explained in `data/README.md`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Chip {
    gpu: String,
    target: String,
    /// PCI device.
    #[serde(deserialize_with = "hexadecimal")]
    pub device_id: u32,
    /// PCI revision.
    #[serde(deserialize_with = "hexadecimal")]
    pub revision: u32,
    /// `AMDGPU_FAMILY_*`.
    pub family: u32,
    /// Revision by which Mesa tells the chips of a family apart.
    pub external_revision: u32,
    /// Render backends of a shader engine.
    pub backends_per_engine: u32,
    /// Blocks of the L2 cache.
    pub l2_blocks: u32,
    /// GB_ADDR_CONFIG.
    #[serde(deserialize_with = "hexadecimal")]
    pub address_config: u32,
}

impl Chip {
    /// The chip of a GPU: that of its name, or else the first of its target; `None` for a target that is not in the table.
    pub fn of(gpu: &Gpu) -> Option<Self> {
        let chips = chips().ok()?;
        let named = chips.iter().find(|chip| chip.gpu == gpu.name && chip.target == gpu.gfx_target);
        named.or_else(|| chips.iter().find(|chip| chip.target == gpu.gfx_target)).cloned()
    }
}

fn chips() -> Result<Vec<Chip>, csv::Error> {
    csv::Reader::from_reader(include_str!("../data/chips.csv").as_bytes()).deserialize().collect()
}

fn hexadecimal<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let text = String::deserialize(deserializer)?;
    let digits = text.strip_prefix("0x").ok_or_else(|| serde::de::Error::custom("a number without 0x"))?;
    u32::from_str_radix(digits, 16).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_is_a_gpu_that_ships_and_each_of_those_has_one() {
        let chips = chips().unwrap();
        for chip in &chips {
            assert_eq!(Gpu::named(&chip.gpu).unwrap().gfx_target, chip.target, "{}", chip.gpu);
        }
        for name in Gpu::shipped() {
            assert_eq!(Chip::of(&Gpu::named(name).unwrap()).unwrap().gpu, name);
        }
    }
}
