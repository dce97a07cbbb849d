//! The known facts about a real card before it is measured: the GPU file that describes it best.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::{Gpu, GpuError, Lds, Registers};
use crate::isa::{Generation, Processor};

/// How closely a GPU file describes a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MatchQuality {
    /// The PCI device id or the name is the product's.
    Product,
    /// Another product of the same target.
    Target,
    /// Another target of the same generation.
    Generation,
}

/// Facts of a real card that a run is planned by: what fits on a compute unit. How long anything takes is not among them.
#[derive(Debug, Clone, PartialEq)]
pub struct CardFacts {
    /// GPU file that they are from.
    pub gpu: &'static str,
    /// How closely it describes the card.
    pub match_quality: MatchQuality,
    /// Instruction set.
    pub generation: Generation,
    /// Registers and wave slots.
    pub registers: Registers,
    /// Local data share; its latency is an estimate and not used here.
    pub lds: Lds,
    /// Rate of S_MEMREALTIME, MHz, where the target has it.
    pub realtime_mhz: Option<f64>,
}

#[derive(Deserialize)]
struct Row {
    device_id: String,
    gpu: String,
}

/// PCI device ids of products, where a target alone does not tell products apart (`model/data/cards.csv`).
static CARDS: LazyLock<Vec<(u32, String)>> = LazyLock::new(|| {
    let mut reader = csv::Reader::from_reader(include_str!("../../data/cards.csv").as_bytes());
    let rows = reader.deserialize::<Row>().filter_map(Result::ok);
    rows.filter_map(|row| Some((u32::from_str_radix(row.device_id.strip_prefix("0x")?, 16).ok()?, row.gpu))).collect()
});

impl CardFacts {
    /// The products that have a PCI device id, as they are sold; none of an unknown id.
    pub fn products_of(device_id: u32) -> Vec<&'static str> {
        CARDS.iter().filter(|(id, _)| *id == device_id).filter_map(|(_, gpu)| Gpu::product_of(gpu)).collect()
    }

    /// The facts of a card with an LLVM target such as `gfx900`, by its PCI device id, its name, its target, its generation; `None`
    /// if no generation has the target.
    ///
    /// # Errors
    /// None, as tests show; the type is that of [`Gpu::named`].
    pub fn of(target: &str, device_id: Option<u32>, name: &str) -> Result<Option<Self>, GpuError> {
        let Some(Processor { generation, .. }) = Processor::find(target) else { return Ok(None) };
        let by_id: Vec<_> =
            CARDS.iter().filter(|(id, _)| Some(*id) == device_id).map(|(_, gpu)| gpu.as_str()).collect();
        let sold = Gpu::sold_as(name);
        let mut best: Option<(MatchQuality, &'static str, Gpu)> = None;
        for shipped in Gpu::shipped() {
            let gpu = Gpu::named(shipped)?;
            let is_target = gpu.gfx_target == target;
            let has_name = sold == Some(shipped);
            let is_product = match by_id.as_slice() {
                [] => has_name,
                [product] => *product == shipped,
                // Several products have the chip.
                several => several.contains(&shipped) && has_name,
            };
            let match_quality = match (is_target, gpu.generation == generation) {
                (true, _) if is_product => MatchQuality::Product,
                (true, _) => MatchQuality::Target,
                (false, true) => MatchQuality::Generation,
                (false, false) => continue,
            };
            if best.as_ref().is_none_or(|(so_far, ..)| (match_quality as u8) < *so_far as u8) {
                best = Some((match_quality, shipped, gpu));
            }
        }
        Ok(best.map(|(match_quality, shipped, gpu)| Self {
            gpu: shipped,
            match_quality,
            generation,
            registers: gpu.registers,
            lds: gpu.lds,
            realtime_mhz: gpu.clock.realtime_mhz,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::generation;

    #[test]
    fn the_device_id_decides_before_name_and_target() {
        let facts = |target, id, name| CardFacts::of(target, id, name).unwrap();
        let found = |target, id, name| facts(target, id, name).map(|facts| (facts.gpu, facts.match_quality));
        assert_eq!(found("gfx701", Some(0x67a0), ""), Some(("hawaii-pro", MatchQuality::Product)));
        assert_eq!(found("gfx701", Some(0x67b1), ""), Some(("hawaii", MatchQuality::Product)));
        assert_eq!(found("gfx906", None, "AMD Radeon VII"), Some(("radeon-vii", MatchQuality::Product)));
        assert_eq!(found("gfx900", Some(0x6867), "?"), Some(("vega10", MatchQuality::Target)));
        assert_eq!(found("gfx90c", None, ""), Some(("renoir", MatchQuality::Target)));
        assert_eq!(found("gfx705", None, ""), Some(("kaveri", MatchQuality::Generation)));
        assert_eq!(facts("gfx90c", None, "").unwrap().generation, generation("gfx9"));
        assert_eq!(found("gfx942", Some(0x74a2), ""), Some(("mi308x", MatchQuality::Product)));
        assert_eq!(found("gfx90a", Some(0x740c), ""), Some(("mi250x", MatchQuality::Product)));
        assert_eq!(found("gfx950", Some(0x75a3), ""), Some(("mi355x", MatchQuality::Product)));
        // Two products have this id, and the name tells which.
        let navi21 = |name| found("gfx1030", Some(0x73bf), name);
        assert_eq!(navi21("AMD Radeon RX 6900 XT"), Some(("rx6900xt", MatchQuality::Product)));
        assert_eq!(navi21("AMD Radeon RX 6800"), Some(("rx6800", MatchQuality::Product)));
        assert_eq!(navi21("AMD Radeon Graphics"), Some(("rx6800", MatchQuality::Target)));
        assert_eq!(found("gfx1010", Some(0x731f), ""), Some(("rx5700xt", MatchQuality::Product)));
        assert_eq!(found("gfx1201", Some(0x7550), ""), Some(("rx9070xt", MatchQuality::Target)));
        assert_eq!(found("gfx1201", Some(0x7550), "AMD Radeon RX 9070"), Some(("rx9070", MatchQuality::Product)));
        assert_eq!(found("gfx1101", Some(0x747e), "AMD Radeon RX 7700 XT"), Some(("rx7700xt", MatchQuality::Product)));
        assert_eq!(
            found("gfx1103", Some(0x15bf), "AMD Radeon 760M Graphics"),
            Some(("phoenix", MatchQuality::Product))
        );
        // A name of the same chip, and an id that no table has.
        assert_eq!(found("gfx1031", None, "AMD Radeon RX 6750 XT"), Some(("rx6700xt", MatchQuality::Product)));
        assert_eq!(found("gfx1034", Some(0x7fff), "AMD Radeon Graphics"), Some(("rx6400", MatchQuality::Target)));
        // Generations without a GPU file, and names that are not targets.
        for target in ["gfx1250", "fiji", ""] {
            assert_eq!(found(target, Some(0x7300), ""), None, "{target}");
        }
        // An id that belongs to another target proves nothing.
        assert_eq!(found("gfx803", Some(0x67a0), ""), Some(("fiji", MatchQuality::Target)));
    }

    #[test]
    fn an_id_is_known_by_its_products() {
        assert_eq!(CardFacts::products_of(0x747e), ["Radeon RX 7800 XT", "Radeon RX 7700 XT"]);
        assert_eq!(CardFacts::products_of(0x163f), ["Custom GPU 0405"]);
        assert!(CardFacts::products_of(0x7fff).is_empty());
    }

    #[test]
    fn each_row_names_a_gpu_that_ships() {
        assert_eq!(CARDS.len(), include_str!("../../data/cards.csv").lines().count() - 1);
        for (id, gpu) in CARDS.iter() {
            assert!(Gpu::shipped().any(|shipped| shipped == gpu), "{id:#x}: {gpu}");
        }
    }
}
