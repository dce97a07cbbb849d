//! How long reading a GPU file takes: linear in its size, whether it is right or wrong.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use divan::counter::BytesCount;
use gcn_model::gpu::Gpu;
use gcn_model::isa;

fn main() {
    divan::main();
}

/// So many lines of `[cycles]` whose instructions do not exist.
#[divan::bench(args = [500, 5_000, 50_000])]
fn wrong_cycles(bencher: divan::Bencher<'_, '_>, lines: usize) {
    let mut text = "base = \"fiji\"\n[cycles]\n".to_owned();
    for line in 0..lines {
        let _ = writeln!(text, "V_NONE_{line} = 16");
    }
    bencher
        .counter(BytesCount::of_str(&text))
        .bench(|| Gpu::from_toml(&text, "wrong.toml").expect_err("no such names"));
}

/// Every instruction of a generation, with its cycles as a list of values.
#[divan::bench(args = [1, 10, 100])]
fn cycles_of_all(bencher: divan::Bencher<'_, '_>, turns: usize) {
    let mut text = "base = \"fiji\"\n[cycles]\n".to_owned();
    // Packed D16 instructions have two rows with the same name, one for each way of packing.
    let names: BTreeSet<_> = isa::of(isa::generation("gfx8")).map(|instruction| &instruction.name).collect();
    for name in names {
        let _ = writeln!(text, "{name} = [{}]", vec!["16"; turns].join(", "));
    }
    bencher.counter(BytesCount::of_str(&text)).bench(|| Gpu::from_toml(&text, "right.toml").expect("it is right"));
}
