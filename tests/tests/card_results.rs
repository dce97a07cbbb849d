//! What is kept of cards comes from silicon.

use std::fs;
use std::path::Path;

use gcn_model::record::RunRecord;

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
