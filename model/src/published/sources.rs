//! The published sources that are built in.

use std::sync::LazyLock;

use super::{Published, PublishedError};

/// Name, TOML file and CSV file (empty: it has no tables) of each source; another one is another line here.
const FILES: [(&str, &str, &str); 14] = [
    ("clrx", include_str!("../../data/timings/clrx.toml"), include_str!("../../data/timings/clrx.csv")),
    ("llvm", include_str!("../../data/timings/llvm.toml"), ""),
    ("mesa-aco", include_str!("../../data/timings/mesa-aco.toml"), ""),
    ("app-guide", include_str!("../../data/timings/app-guide.toml"), ""),
    ("multi2sim", include_str!("../../data/timings/multi2sim.toml"), ""),
    ("rga", include_str!("../../data/timings/rga.toml"), include_str!("../../data/timings/rga.csv")),
    ("silicon", include_str!("../../data/timings/silicon.toml"), ""),
    ("silicon-cdna", include_str!("../../data/timings/silicon-cdna.toml"), ""),
    (
        "matrix-calculator",
        include_str!("../../data/timings/matrix-calculator.toml"),
        include_str!("../../data/timings/matrix-calculator.csv"),
    ),
    ("vendor", include_str!("../../data/timings/vendor.toml"), include_str!("../../data/timings/vendor.csv")),
    ("silicon-rdna", include_str!("../../data/timings/silicon-rdna.toml"), ""),
    ("matrix-calculator-rdna", include_str!("../../data/timings/matrix-calculator-rdna.toml"), ""),
    (
        "silicon-traces",
        include_str!("../../data/timings/silicon-traces.toml"),
        include_str!("../../data/timings/silicon-traces.csv"),
    ),
    ("lds-bus", include_str!("../../data/timings/lds-bus.toml"), include_str!("../../data/timings/lds-bus.csv")),
];

/// All published sources.
///
/// # Panics
/// If a file that is built in is wrong, which the tests rule out.
pub fn sources() -> &'static [Published] {
    static SOURCES: LazyLock<Vec<Published>> = LazyLock::new(|| {
        let read: Result<_, PublishedError> =
            FILES.iter().map(|(name, toml, csv)| Published::parse(name, toml, csv)).collect();
        read.unwrap_or_else(|error| panic!("built-in file: {error}"))
    });
    &SOURCES
}

/// The published source of that name.
pub fn source(name: &str) -> Option<&'static Published> {
    sources().iter().find(|source| source.name() == name)
}
