//! Readings analysed per second: a run of 400,000 readings, from its files to all derived tables.

use std::fmt::Write;
use std::path::Path;

use divan::Bencher;
use divan::counter::ItemsCount;
use gcn_model::record::{ExperimentRecord, Reading, columns};

const READINGS: u64 = 400_000;

fn main() {
    divan::main();
}

/// A folder with 2,000 experiments of 200 readings each; the noise is a fixed pattern.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let record = r#"{"schema":2,"tool":"bench","device":{"device":"none","name":"none","driver":"none","target":"gfx600",
        "generation":"1.0","compute_units":32,"clock_mhz":null,"realtime_mhz":null},"assembler":"none","options":{
        "suites":[],"only":[],"waves":[],"samples":50,"sweeps":1,"seed":1},"code_objects":[],"start":"","end":null}"#;
    let mut experiments = columns::<ExperimentRecord>().join(",") + "\n";
    let mut readings = columns::<Reading>().join(",") + "\n";
    let mut clock = 1_000_000u64;
    for experiment in 0..2000u64 {
        let _ =
            writeln!(experiments, "I{experiment}/cycles,{experiment},cycles,I{experiment},,,,,,VOP2,4,1,8,0,,1,i,,ok,");
        for (launch, n) in [8u64, 16, 32, 64].into_iter().enumerate() {
            for pass in 0..READINGS / 2000 / 4 {
                let end = clock + 41 + 32 * n + (experiment * 7 + pass * 13) % 5;
                let _ = writeln!(readings, "I{experiment}/cycles,{launch},{n},{pass},0,{clock},{end},0,0,,");
                clock = end + 1000;
            }
        }
    }
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("run.json", record);
    write("experiments.csv", &experiments);
    write("readings.csv", &readings);
    folder
}

fn analysed(folder: &Path) -> gcn_analysis::Results {
    gcn_analysis::analyze(folder).expect("a whole run")
}

#[divan::bench(sample_count = 10)]
fn load_and_analyse(bencher: Bencher<'_, '_>) {
    let folder = folder();
    bencher.counter(ItemsCount::new(READINGS)).bench(|| analysed(folder.path()));
}

#[divan::bench(sample_count = 10)]
fn load(bencher: Bencher<'_, '_>) {
    let folder = folder();
    bencher
        .counter(ItemsCount::new(READINGS))
        .bench(|| gcn_analysis::run::StoredRun::load(folder.path()).expect("a whole run"));
}

#[divan::bench(sample_count = 10)]
fn write_tables(bencher: Bencher<'_, '_>) {
    let folder = folder();
    let analysis = analysed(folder.path());
    bencher.bench(|| analysis.write(folder.path()));
}
