//! Fuzzing: GPU files, run folders, code objects, fat binaries and templates, changed at random along their structure. Whatever comes of it is right
//! or refused with a message that names the place: no panic, no hang, no wrong number.
//!
//! A change has to pass a few cases, always the same ones. At length, with other cases each time (CONTRIBUTING.md, "Tests"):
//! `PROPTEST_CASES=20000 cargo test --release -p gcn-tests --test input fuzz`.

mod code_objects;
mod damage;
mod damaged_tables;
mod elf_fields;
mod fat_binaries;
mod gpu_files;
mod run_folders;
mod templates;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// So many cases, and always the same; or what `PROPTEST_CASES` and the other variables of proptest ask for.
fn cases(usual: u32) -> ProptestConfig {
    let asked = ProptestConfig { failure_persistence: None, max_shrink_iters: 300, ..ProptestConfig::default() };
    if std::env::var_os("PROPTEST_CASES").is_some() {
        return asked;
    }
    ProptestConfig { cases: usual, rng_seed: RngSeed::Fixed(1), ..asked }
}
