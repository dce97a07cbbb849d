//! The GPU files that are built in: the folder `model/data/gpus` is the list.

use std::sync::{Arc, LazyLock};

use super::location::Source;
use crate::data_files;

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

/// The products, by target, of which longer names are those of later ones; one that starts from another product follows it.
static PRODUCTS: LazyLock<Vec<Shipped>> = LazyLock::new(|| {
    let mut products = files_of("gpus");
    let by_length = |(target, depth): (String, usize)| (target.len(), target, depth);
    let orders: Vec<_> = products.iter().map(|product| (by_length(order(&products, product)), product.name)).collect();
    products.sort_by_key(|product| orders.iter().position(|(_, name)| *name == product.name).map(|at| &orders[at]));
    products
});

/// What products have in common: a base for files, but no product.
static GENERATIONS: LazyLock<Vec<Shipped>> = LazyLock::new(|| files_of("gpus/generations"));

/// The files directly in a folder.
fn files_of(folder: &str) -> Vec<Shipped> {
    let name = |file: &'static str| file.strip_prefix(folder)?.strip_prefix('/')?.strip_suffix(".toml");
    let files = data_files::below(folder).filter_map(|(file, text)| Some(Shipped { name: name(file)?, file, text }));
    files.filter(|shipped| !shipped.name.contains('/')).collect()
}

/// The target of a product, and how many products it starts from.
fn order(products: &[Shipped], product: &Shipped) -> (String, usize) {
    let table: toml::Table = product.text.parse().unwrap_or_default();
    let text = |key: &str| match table.get(key)? {
        toml::Value::Table(fact) => fact.get("value")?.as_str().map(str::to_owned),
        value => value.as_str().map(str::to_owned),
    };
    let base = text("base").and_then(|base| products.iter().find(|other| other.name == base && base != product.name));
    let (target, depth) = base.map_or_else(Default::default, |base| {
        let (target, depth) = order(products, base);
        (target, depth + 1)
    });
    (text("gfx_target").unwrap_or(target), depth)
}

/// The products that ship.
pub(super) fn products() -> &'static [Shipped] {
    &PRODUCTS
}

/// The names of all files that `base` can name.
pub(super) fn bases() -> impl Iterator<Item = &'static Shipped> {
    PRODUCTS.iter().chain(GENERATIONS.iter())
}

/// The file of that name.
pub(super) fn base(name: &str) -> Option<&'static Shipped> {
    bases().find(|shipped| shipped.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_by_target_and_follow_those_that_they_start_from() {
        let names: Vec<_> = products().iter().map(|product| product.name).collect();
        let place = |name: &str| names.iter().position(|other| *other == name).unwrap();
        for chain in [
            ["tahiti", "hawaii", "bonaire"],
            ["rx6800", "rx6900xt", "steam-deck"],
            ["rx7800xt", "rx7700xt", "rx9070xt"],
        ] {
            assert!(chain.is_sorted_by_key(|name| place(name)), "{chain:?} in {names:?}");
        }
        let targets: Vec<_> = products().iter().map(|product| order(products(), product).0).collect();
        assert!(targets.iter().all(|target| target.starts_with("gfx")), "{targets:?}");
        assert!(targets.is_sorted_by_key(|target| (target.len(), target)), "{targets:?}");
        assert!(base("gcn-common").is_some() && base("keys").is_none());
    }
}
