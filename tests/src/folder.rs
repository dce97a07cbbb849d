//! Folders: runs to compare, templates to edit.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use tempfile::TempDir;

/// The files of a folder and their content.
///
/// # Panics
/// If one cannot be read.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    entries.map(|path| (name(&path), fs::read(&path).expect("a file"))).collect()
}

/// The files of a run with the times of start, end and resumption taken out, which are all that may differ between two runs (and so the
/// checksum of `run.json`).
///
/// # Panics
/// If `run.json` is missing or has no times.
pub fn without_times(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(folder);
    let mut record: serde_json::Value = serde_json::from_slice(&files["run.json"]).expect("run.json");
    for key in ["start", "end"] {
        let time = record[key].as_str().expect("a time");
        for content in files.values_mut() {
            *content = String::from_utf8_lossy(content).replace(time, "TIME").into_bytes();
        }
    }
    for (key, without) in [("start", "TIME"), ("end", "TIME"), ("sha256", "")] {
        record[key] = without.into();
    }
    record.as_object_mut().expect("an object").remove("resumed");
    files.insert("run.json".into(), serde_json::to_vec_pretty(&record).expect("run.json"));
    files
}

/// A copy of the templates that ship.
///
/// # Panics
/// If they cannot be copied.
pub fn copy_templates() -> TempDir {
    let copy = tempfile::tempdir().expect("a temporary folder");
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../templates");
    for (name, content) in files(&shipped) {
        fs::write(copy.path().join(name), content).expect("a copy");
    }
    copy
}
