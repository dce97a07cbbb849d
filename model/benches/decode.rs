//! How long decoding takes, and reading the ISA files.

use gcn_model::decode::decode;
use gcn_model::isa::{find, generation, processor};

fn main() {
    processor("gfx803");
    divan::main();
}

/// One instruction of each format.
const WORDS: &[(&str, [u32; 2])] = &[
    ("s_add_u32", [0x8000_0201, 0]),
    ("s_mov_b32 literal", [0xbe80_00ff, 0x1234_5678]),
    ("v_add_f32", [0x0200_0501, 0]),
    ("v_add_f64", [0xd280_0000, 0x0002_0902]),
    ("ds_read_b32", [0xd86c_0000, 0x0000_0001]),
    ("buffer_load_dword", [0xe050_1000, 0x8001_0100]),
];

#[divan::bench(args = WORDS.iter().map(|(name, _)| *name))]
fn decode_gcn12(bencher: divan::Bencher<'_, '_>, name: &str) {
    let words = WORDS.iter().find(|(other, _)| *other == name).map_or([0; 2], |(_, words)| *words);
    bencher.bench(|| decode(processor("gfx803"), divan::black_box(&words), 0));
}

#[divan::bench(args = WORDS.iter().map(|(name, _)| *name))]
fn operands_gcn12(bencher: divan::Bencher<'_, '_>, name: &str) {
    let words = WORDS.iter().find(|(other, _)| *other == name).map_or([0; 2], |(_, words)| *words);
    let decoded = decode(processor("gfx803"), &words, 0);
    bencher.bench(|| decoded.as_ref().map(|decoded| divan::black_box(decoded).operands()));
}

#[divan::bench]
fn find_by_name() -> bool {
    find(divan::black_box("V_MAD_U64_U32"), generation("gfx9")).is_some()
}
