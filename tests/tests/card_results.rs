//! What is kept of cards comes from silicon, and what is kept of any device has no blank latency without its reason.

use std::fs;
use std::path::Path;

use gcn_analysis::{Results, Status};
use gcn_model::record::RunRecord;
use gcn_tests::gpus_with_results;

/// The driver of a kept run that simulated its card or was watched, if one did or was.
fn refused(folder: &Path) -> Option<String> {
    let runs = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().join("run.json"));
    let records = runs.filter(|file| file.is_file()).map(|file| {
        let record: RunRecord = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        record.device
    });
    records.filter(|device| device.is_simulated() || device.is_traced()).map(|device| device.driver).next()
}

#[test]
fn no_simulated_or_traced_run_is_among_those_of_cards() {
    let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results");
    assert_eq!(refused(&results.join("cards")), None);
    assert!(refused(&results.join("reference")).is_some_and(|driver| driver.starts_with("simulator ")));
}

#[test]
fn each_blank_latency_has_its_reason() {
    let reference = Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference");
    for gpu in gpus_with_results() {
        let results = Results::of_files(&reference.join(gpu)).unwrap();
        for row in results.timings.iter().filter(|row| row.status == Status::Ok && row.latency.is_none()) {
            assert!(row.detail.contains("latency: "), "{gpu}: {row:?}");
        }
    }
}
