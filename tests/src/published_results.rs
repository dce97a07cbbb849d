//! The summary files of the reference GPUs in `results/reference/`, against a run of today.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use gcn_analysis::run::{derived, kept_record_text, load_run_record};

use crate::tier::UPDATE;

/// Name of the record.
const RECORD: &str = "run.json";

/// The derived files that are not published: made again within a minute, or of the tool.
const LEFT_OUT: [&str; 4] = ["estimates.csv", "clock.csv", "csv-metadata.json", "report.html"];

/// The published part of a run: the files derived from its readings, and its record.
fn files() -> impl Iterator<Item = &'static str> {
    derived().filter(|file| !LEFT_OUT.contains(file)).chain([RECORD])
}

/// Whether the GPU has a folder there.
pub fn is_published(gpu: &str) -> bool {
    published(gpu).exists()
}

fn published(gpu: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../results/reference").join(gpu)
}

/// Compares a run's summary files with those that are published for the GPU, or publishes them.
///
/// # Panics
/// A file differs: the message has its first line that does.
pub fn compare_with_published(gpu: &str, run: &Path) {
    let published = published(gpu);
    let read = |folder: &Path, file: &str| fs::read_to_string(folder.join(file)).unwrap_or_default();
    let record = load_run_record(&run.join(RECORD)).expect("a run's record");
    let record = kept_record_text(&record).expect("a record that can be kept");
    let now = |file: &str| if file == RECORD { record.clone() } else { read(run, file) };
    if env::var_os(UPDATE).is_some() {
        fs::create_dir_all(&published).expect("a folder in results/reference");
        for file in files() {
            match now(file) {
                none if none.is_empty() => drop(fs::remove_file(published.join(file))),
                text => fs::write(published.join(file), text).expect("a file in results/reference"),
            }
        }
        return;
    }
    assert!(published.exists(), "{gpu} has no results in results/reference: run the test with {UPDATE}=1 and commit");
    for file in files() {
        let (before, now) = (read(&published, file), now(file));
        if before == now {
            continue;
        }
        let mut lines = (1..).zip(before.lines().chain(std::iter::repeat("")).zip(now.lines().chain([""])));
        let (line, (before, now)) = lines.find(|(_, (before, now))| before != now).unwrap_or((0, ("", "")));
        panic!(
            "results/reference/{gpu}/{file} is not what this version measures, from line {line} on:\n- {before}\n+ {now}\n\
             If that is meant, run the test with {UPDATE}=1 and commit."
        );
    }
}
