//! The GPU files that are built in.

use std::sync::Arc;

use super::location::Source;

/// A file that is built in.
pub(super) struct Shipped {
    pub(super) name: &'static str,
    pub(super) file: &'static str,
    pub(super) text: &'static str,
}

impl Shipped {
    pub(super) fn source(&self) -> Arc<Source> {
        Source::new(self.file, self.text)
    }
}

macro_rules! file {
    ($name:literal, $path:literal) => {
        Shipped { name: $name, file: concat!("gpus/", $path), text: include_str!(concat!("../../data/gpus/", $path)) }
    };
}

/// The products.
pub(super) const PRODUCTS: [Shipped; 11] = [
    file!("tahiti", "tahiti.toml"),
    file!("pitcairn", "pitcairn.toml"),
    file!("hawaii", "hawaii.toml"),
    file!("hawaii-pro", "hawaii-pro.toml"),
    file!("bonaire", "bonaire.toml"),
    file!("tonga", "tonga.toml"),
    file!("fiji", "fiji.toml"),
    file!("polaris10", "polaris10.toml"),
    file!("vega10", "vega10.toml"),
    file!("vega20", "vega20.toml"),
    file!("radeon-vii", "radeon-vii.toml"),
];

/// What products of a generation have in common: a base for files, but no product.
pub(super) const GENERATIONS: [Shipped; 5] = [
    file!("gcn-common", "generations/gcn-common.toml"),
    file!("gcn-1.0", "generations/gcn-1.0.toml"),
    file!("gcn-1.1", "generations/gcn-1.1.toml"),
    file!("gcn-1.2", "generations/gcn-1.2.toml"),
    file!("gcn-1.4", "generations/gcn-1.4.toml"),
];

/// The names of all files that can stand in `base`.
pub(super) fn bases() -> impl Iterator<Item = &'static Shipped> {
    PRODUCTS.iter().chain(&GENERATIONS)
}

/// The file of that name.
pub(super) fn base(name: &str) -> Option<&'static Shipped> {
    bases().find(|shipped| shipped.name == name)
}
