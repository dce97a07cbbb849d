//! Chips by the names that drivers give them.

use crate::isa::Processor;

/// A chip that a driver names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chip {
    /// Its name, lower case: `tahiti`.
    pub name: &'static str,
    /// LLVM target: `gfx600`.
    pub target: &'static str,
}

impl Chip {
    /// The chip that stands as a word of its own in a device's name, whatever its case: Mesa has written `AMD Radeon HD 7900 Series
    /// (tahiti, LLVM 15.0.6, …)`, `… (radeonsi, tahiti, ACO, …)` and `TAHITI (, LLVM 15.0.6, …)`. `None` if the name has no chip, or if
    /// there are names of two targets.
    pub fn in_name(name: &str) -> Option<Self> {
        let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
        let chip = |word: &str| Processor::chips().find(|(chip, _)| chip.eq_ignore_ascii_case(word));
        let (name, processor) = words.find_map(chip)?;
        let is_alone = words.filter_map(chip).all(|(_, other)| other == processor);
        is_alone.then_some(Self { name, target: processor.name() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::CardFacts;

    #[test]
    fn finds_the_chip_however_a_driver_writes_it() {
        let target = |name| Chip::in_name(name).map(|chip| chip.target);
        for name in [
            "AMD Radeon R9 200 / HD 7900 Series (tahiti, LLVM 15.0.6, DRM 3.49, 6.1.0-13-amd64)",
            "AMD Radeon R9 200 / HD 7900 Series (radeonsi, tahiti, ACO, DRM 3.49, 6.12.9-amd64)",
            "TAHITI (, LLVM 15.0.6, DRM 2.50, 6.1.0)",
            "Tahiti",
        ] {
            assert_eq!(target(name), Some("gfx600"), "{name}");
        }
        assert_eq!(target("AMD Radeon RX 480 (polaris10, LLVM 15.0.6)"), Some("gfx803"));
        assert_eq!(target("Hawaii"), Some("gfx701"));
        for name in [
            "llvmpipe (LLVM 15.0.6, 256 bits)",
            "NVIDIA GeForce GTX 1080",
            "tahitian",
            "navi10",
            "",
            "tahiti or hawaii",
        ] {
            assert_eq!(target(name), None, "{name}");
        }
    }

    #[test]
    fn each_chip_is_of_a_generation_that_is_measured() {
        assert!(Processor::chips().count() > 30);
        for (chip, processor) in Processor::chips() {
            assert!(CardFacts::of(processor.name(), None, "").unwrap().is_some(), "{chip}: {}", processor.name());
        }
    }
}
