//! How long commands take with their start: predictions of two lines, and the pages of three cards.

use std::path::Path;
use std::process::{Command, Stdio};

const CARDS: [&str; 3] = ["tahiti", "rx7900xtx", "mi300x"];

fn main() {
    divan::main();
}

fn run(folder: &Path, arguments: &[&str]) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    let status = command.current_dir(folder).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    assert!(status.expect("it starts").success(), "{arguments:?}");
}

#[divan::bench(args = ["--waves=1", "--waves=all"], sample_count = 20)]
fn predict_two_lines(bencher: divan::Bencher, waves: &str) {
    let folder = tempfile::tempdir().expect("a folder");
    let lines = "v_mul_f32_e32 v0, v1, v2\nv_add_f32_e32 v3, v0, v1\n";
    std::fs::write(folder.path().join("two.s"), lines).expect("written");
    bencher.bench(|| run(folder.path(), &["predict", "--gpu=fiji", "two.s", waves]));
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn site_of_three_cards(bencher: divan::Bencher) {
    let folder = tempfile::tempdir().expect("a folder");
    for card in CARDS {
        let device = format!("--device=sim:{card}");
        let mut arguments = vec!["measure", &device, "--out", card];
        // Run once with the tests, it is to be brief.
        if cfg!(debug_assertions) {
            arguments.push("--only=V_*_F64");
        }
        run(folder.path(), &arguments);
    }
    bencher.with_inputs(|| drop(std::fs::remove_dir_all(folder.path().join("site")))).bench_values(|()| {
        run(folder.path(), &["site", "tahiti", "rx7900xtx", "mi300x", "--out", "site"]);
    });
}
