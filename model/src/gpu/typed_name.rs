//! GPUs by the names that people type: file, product, chip or target, whatever their case, spaces and hyphens.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{Gpu, shipped::products};

/// Words that a name may begin with and that tell no product from another.
const MAKERS: [&str; 3] = ["amd", "radeon", "instinct"];

#[derive(Deserialize)]
struct Row {
    name: String,
    gpu: String,
}

/// Names that no GPU file has, as `model/data/names.csv` has them: products of the same chip, chips.
static NAMES: LazyLock<Vec<Row>> = LazyLock::new(|| {
    let reader = csv::Reader::from_reader(include_str!("../../data/names.csv").as_bytes());
    reader.into_deserialize().filter_map(Result::ok).collect()
});

/// What drivers end the names of processors with graphics with.
const GRAPHICS: &str = "graphics";

/// Letters and digits of a name in lower case, without the maker: independent of case, spaces and hyphens.
pub fn plain(name: &str) -> String {
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let mut rest = letters.strip_suffix(GRAPHICS).filter(|rest| !rest.is_empty()).unwrap_or(&letters);
    while let Some(shorter) = MAKERS.iter().find_map(|maker| rest.strip_prefix(maker)).filter(|rest| !rest.is_empty()) {
        rest = shorter;
    }
    rest.to_owned()
}

/// File, product and target of each GPU that ships.
static SHIPPED: LazyLock<Vec<(&str, String, String)>> = LazyLock::new(|| {
    let read = |name| Gpu::named(name).ok().map(|gpu| (name, gpu.product, gpu.gfx_target));
    Gpu::shipped().filter_map(read).collect()
});

impl Gpu {
    /// The shipped GPU that a typed name means: its file (`rx7900xtx`), its product ("RX 7900 XTX"), its chip (`navi31`), or the first
    /// product of a target (`gfx1100`).
    pub fn meant(name: &str) -> Option<&'static str> {
        let wanted = plain(name);
        let of_target = || SHIPPED.iter().find(|(.., target)| *target == wanted).map(|(name, ..)| *name);
        Self::sold_as(name).or_else(of_target)
    }

    /// The shipped GPU that is sold under a name, or is of a chip of that name.
    pub(super) fn sold_as(name: &str) -> Option<&'static str> {
        if let Some(product) = products().iter().find(|product| product.name == name) {
            return Some(product.name);
        }
        let wanted = plain(name);
        let is_meant = |other: &str| plain(other) == wanted;
        let alias = || {
            NAMES.iter().find(|row| is_meant(&row.name)).and_then(|row| Gpu::shipped().find(|name| *name == row.gpu))
        };
        Gpu::shipped()
            .find(|name| is_meant(name))
            .or_else(|| SHIPPED.iter().find(|(_, product, _)| is_meant(product)).map(|(name, ..)| *name))
            .or_else(alias)
    }

    /// The product that a shipped GPU's file names.
    pub(super) fn product_of(name: &str) -> Option<&'static str> {
        SHIPPED.iter().find(|(file, ..)| *file == name).map(|(_, product, _)| product.as_str())
    }

    /// Whether a typed name is a path: it has a separator or ends in `.toml`.
    pub fn is_path(name: &str) -> bool {
        name.ends_with(".toml") || name.contains(std::path::is_separator)
    }

    /// The GPU of a typed name or of a file.
    ///
    /// # Errors
    /// As [`Gpu::named`] and [`Gpu::from_file`].
    pub fn typed(name: &str) -> Result<Self, super::GpuError> {
        if Self::is_path(name) {
            return Self::from_file(name.as_ref());
        }
        Self::named(Self::meant(name).unwrap_or(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_understood_as_people_type_them() {
        for (typed, meant) in [
            ("tahiti", "tahiti"),
            ("Tahiti", "tahiti"),
            ("HD 7970", "tahiti"),
            ("Radeon HD 7970", "tahiti"),
            ("hd7870", "pitcairn"),
            ("R9 290X", "hawaii"),
            ("r9-290", "hawaii"),
            ("FirePro W9100", "hawaii-pro"),
            ("hawaii pro", "hawaii-pro"),
            ("R9 Nano", "fiji"),
            ("R9 Fury X", "fiji"),
            ("rx 480", "polaris10"),
            ("RX580", "polaris10"),
            ("Polaris 10", "polaris10"),
            ("vega64", "vega10"),
            ("Radeon RX Vega 64", "vega10"),
            ("Radeon VII", "radeon-vii"),
            ("radeonvii", "radeon-vii"),
            ("MI50", "vega20"),
            ("AMD Instinct MI100", "mi100"),
            ("MI-210", "mi210"),
            ("Instinct MI250X", "mi250x"),
            ("mi300x", "mi300x"),
            ("MI300X", "mi300x"),
            ("AMD Instinct MI355X", "mi355x"),
            ("RX 5700 XT", "rx5700xt"),
            ("navi10", "rx5700xt"),
            ("RX 6800 XT", "rx6800"),
            ("Navi 21", "rx6800"),
            ("rx-6900-xt", "rx6900xt"),
            ("AMD Radeon RX 7900 XTX", "rx7900xtx"),
            ("navi31", "rx7900xtx"),
            ("RX 7600", "rx7600"),
            ("Strix Halo", "strix-halo"),
            ("Radeon 8060S", "strix-halo"),
            ("strix point", "strix-point"),
            ("RX 9070 XT", "rx9070xt"),
            ("gfx1201", "rx9070xt"),
            ("GFX942", "mi300x"),
            ("gfx803", "fiji"),
            ("RX 5500 XT", "rx5500xt"),
            ("Radeon Pro V520", "v520"),
            ("BC-250", "bc-250"),
            ("bc250", "bc-250"),
            ("rx 6700 xt", "rx6700xt"),
            ("RX-6600", "rx6600"),
            ("RX 6650 XT", "rx6600xt"),
            ("RX 6500 XT", "rx6400"),
            ("Steam Deck", "steam-deck"),
            ("AMD Custom GPU 0405", "steam-deck"),
            ("Van Gogh", "steam-deck"),
            ("680M", "rembrandt"),
            ("Radeon 610M", "raphael"),
            ("RX 7800 XT", "rx7800xt"),
            ("navi32", "rx7800xt"),
            ("gfx1101", "rx7800xt"),
            ("rx7700xt", "rx7700xt"),
            ("RX 7600 XT", "rx7600xt"),
            ("AMD Radeon 780M Graphics", "phoenix"),
            ("gfx1103", "phoenix"),
            ("860M", "krackan"),
            ("Krackan Point", "krackan"),
            ("gfx1153", "krackan2"),
            ("W6800", "w6800"),
            ("Radeon PRO W7900", "w7900"),
            ("RX 9070", "rx9070"),
            ("Radeon AI PRO R9700", "r9700"),
            ("AI Pro R9700", "r9700"),
            ("890M", "strix-point"),
        ] {
            assert_eq!(Gpu::meant(typed), Some(meant), "{typed}");
        }
        for typed in ["", "amd", "rx", "gfx9", "tahitii"] {
            assert_eq!(Gpu::meant(typed), None, "{typed}");
        }
    }

    #[test]
    fn each_row_names_a_gpu_that_ships_and_a_name_that_no_file_has() {
        let text = include_str!("../../data/names.csv");
        assert_eq!(text.lines().count(), NAMES.len() + 1);
        for row in NAMES.iter() {
            let gpu = Gpu::named(&row.gpu).unwrap();
            assert_ne!(plain(&row.name), plain(&gpu.product), "{}", row.name);
            assert_eq!(Gpu::meant(&row.name), Some(gpu.name.as_str()), "{}", row.name);
        }
    }
}
