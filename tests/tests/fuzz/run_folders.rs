//! Run folders with other bytes, lines, files and fields: refused with the file's name, or the numbers that they had before.

use std::fs;
use std::path::{Path, PathBuf};
use std::slice::from_ref;
use std::sync::OnceLock;

use gcn_analysis::run::load_run_record;
use gcn_analysis::{
    Comparison, Results, ValueKind, analyze, comparison_csv, comparison_json, csv_text, pictures, report_html,
};
use gcn_harness::run::merge;
use gcn_model::record::RunRecord;
use gcn_tests::{NoisyRun, files, forge_record};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::fuzz::cases;
use crate::fuzz::damage::Damage;

/// The stored data of a run, and the note of the current attempt.
const STORED: [&str; 5] = ["readings.csv", "experiments.csv", "journal.csv", "run.json", "trying.json"];
/// A note that is sound.
const NOTE: &str = r#"{"round":0,"first_launch":9,"experiments":["V_ADD_F32/cycles"],"since":"2026-11-21T12:00:00Z"}"#;
/// Bytes that come in the place of others.
const BYTES: [&str; 14] = [
    "\"",
    ",",
    "\n",
    "\r\n",
    "-1",
    "99999999999999999999",
    "18446744073709551615",
    "nan",
    "null",
    "[]",
    "{",
    "",
    "\u{feff}",
    "é",
];

pub(super) fn damage() -> impl Strategy<Value = Damage> {
    Damage::any(prop::sample::select(BYTES.to_vec()).prop_map(Into::into))
}

/// Changes to files: which one, and what becomes of it.
fn damages() -> impl Strategy<Value = Vec<(usize, Damage)>> {
    prop::collection::vec((0..STORED.len(), damage()), 0..4)
}

/// Changes files of a folder.
fn apply(folder: &Path, damages: &[(usize, Damage)]) {
    for (file, damage) in damages {
        change(&folder.join(STORED[*file]), |bytes| damage.apply(bytes));
    }
}

pub(super) fn change(path: &Path, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = fs::read(path).unwrap();
    change(&mut bytes);
    fs::write(path, bytes).unwrap();
}

/// Another run of the same plan.
pub(super) fn other() -> &'static NoisyRun {
    static OTHER: OnceLock<NoisyRun> = OnceLock::new();
    OTHER.get_or_init(|| NoisyRun::with_seed(4))
}

/// The whole run, or its state when it was cut off: attempts, batch and bytes.
fn folder(cut_off: Option<(u16, usize, usize)>) -> TempDir {
    let run = NoisyRun::get();
    match cut_off {
        None => run.copy(),
        Some((tries, batch, bytes)) => run.cut_off(usize::from(tries) * run.tries() / (1 << 16), batch, bytes),
    }
}

fn cut_off() -> impl Strategy<Value = Option<(u16, usize, usize)>> {
    prop::option::of((any::<u16>(), 1..8usize, 0..8_000usize))
}

fn numbers(analysis: &Results) -> (String, String) {
    (csv_text(&analysis.timings), csv_text(&analysis.validation))
}

/// Whether a message names a file of a run.
pub(super) fn names_a_file(message: &str) -> bool {
    message.contains(".csv") || message.contains("run.json") || message.contains("trying.json")
}

/// Everything that is made of a run's folder.
fn look_at(folder: &Path) {
    match analyze(folder) {
        Ok(analysis) => {
            analysis.write(folder).unwrap();
            draw(folder);
        }
        Err(error) => assert!(names_a_file(&error.to_string()), "{error}"),
    }
}

/// Everything that is made of its tables.
fn draw(folder: &Path) {
    let tables = match Results::load(folder) {
        Ok(tables) => tables,
        Err(error) => {
            let message = error.to_string();
            assert!(names_a_file(&message) || message.contains("dpfactor.json"), "{message}");
            return;
        }
    };
    pictures(&tables, None);
    // Its own tables are enough to be wrong in.
    let _ = report_html(&tables);
    let before = Results::load(NoisyRun::get().whole.folder()).unwrap();
    for [a, b] in [[&tables, &before], [&before, &tables]] {
        let found = Comparison::with_each(a, from_ref(b), &ValueKind::ALL);
        comparison_csv(&found);
        comparison_json(&found[0]);
    }
}

/// Places of a JSON text: the members of objects and lists, with all that is in them.
fn members(value: &mut Value) -> Vec<&mut Value> {
    let inner: Vec<&mut Value> = match value {
        Value::Object(members) => members.values_mut().collect(),
        Value::Array(items) => items.iter_mut().collect(),
        _ => Vec::new(),
    };
    let mut all = Vec::new();
    for value in inner {
        if value.is_object() || value.is_array() {
            all.extend(members(value));
        } else {
            all.push(value);
        }
    }
    all
}

fn values() -> impl Strategy<Value = Value> {
    prop::sample::select(vec![
        json!(null),
        json!(0),
        json!(1),
        json!(-1),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(u64::MAX - 1),
        json!(1e308),
        json!(-0.5),
        json!(true),
        json!(""),
        json!("1.2"),
        json!("gfx90a"),
        json!("x"),
        json!("a\n|b"),
    ])
}

/// Fields of a run's record that say something else, in a record whose checksum is right.
fn forge(folder: &Path, fields: &[(u16, Value)]) -> bool {
    let path = folder.join("run.json");
    let mut record = serde_json::to_value(load_run_record(&path).unwrap()).unwrap();
    for (which, value) in fields {
        let mut members = members(&mut record);
        let place = usize::from(*which) * members.len() / (1 << 16);
        *members[place] = value.clone();
    }
    let Ok(record) = serde_json::from_value::<RunRecord>(record) else { return false };
    forge_record(folder, &record);
    true
}

fn fields() -> impl Strategy<Value = Vec<(u16, Value)>> {
    prop::collection::vec((any::<u16>(), values()), 1..3)
}

/// Copies of the three shards of the run, which are measured once.
fn shards() -> (TempDir, Vec<PathBuf>) {
    static SHARDS: OnceLock<(TempDir, Vec<PathBuf>)> = OnceLock::new();
    let (_, parts) = SHARDS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let parts = NoisyRun::get().shards(3, folder.path());
        (folder, parts)
    });
    let copy = tempfile::tempdir().unwrap();
    let copied = parts.iter().map(|part| {
        let path = copy.path().join(part.file_name().unwrap());
        fs::create_dir(&path).unwrap();
        for (name, content) in files(part) {
            fs::write(path.join(name), content).unwrap();
        }
        path
    });
    let copied = copied.collect();
    (copy, copied)
}

proptest! {
    #![proptest_config(cases(40))]

    /// Some files are damaged, and one may be that of another run.
    #[test]
    fn a_damaged_run_is_refused_or_resumed_correctly(
        cut_off in cut_off(),
        damages in damages(),
        of_another in prop::option::of(0..4usize),
    ) {
        let folder = folder(cut_off);
        let run = NoisyRun::get();
        let before = numbers(&analyze(folder.path()).unwrap());
        fs::write(folder.path().join("trying.json"), NOTE).unwrap();
        if let Some(file) = of_another {
            fs::copy(other().whole.folder().join(STORED[file]), folder.path().join(STORED[file])).unwrap();
        }
        apply(folder.path(), &damages);
        let is_whole = load_run_record(&folder.path().join("run.json")).is_ok_and(|record| record.end.is_some());
        // A journal that is shorter is that of a run that was cut off earlier; the numbers are then of less.
        let may_have_less = damages.iter().any(|(file, _)| STORED[*file] == "journal.csv") && !is_whole;
        match analyze(folder.path()) {
            Ok(analysis) => prop_assert!(may_have_less || numbers(&analysis) == before, "wrong numbers"),
            Err(error) => prop_assert!(names_a_file(&error.to_string()), "{error}"),
        }
        let damaged = files(folder.path());
        match run.resume(folder.path()) {
            Ok(measured) => {
                prop_assert!(run.is_same(folder.path()), "wrong readings");
                prop_assert_eq!(&measured.record.dp_rate_field, &run.whole.measured.record.dp_rate_field);
            }
            Err(error) => {
                prop_assert!(names_a_file(&error.to_string()), "{error}");
                prop_assert!(files(folder.path()) == damaged, "something was changed: {error}");
            }
        }
    }

    /// A folder that no run wrote has no checksums: any content gets as far as the tables and the pictures.
    #[test]
    fn a_folder_without_checksums_is_looked_at_without_harm(damages in damages(), more in damages()) {
        let folder = NoisyRun::get().copy();
        fs::remove_file(folder.path().join("journal.csv")).unwrap();
        fs::write(folder.path().join("trying.json"), NOTE).unwrap();
        let record = load_run_record(&folder.path().join("run.json")).unwrap();
        let text = serde_json::to_string_pretty(&RunRecord { sha256: String::new(), ..record }).unwrap();
        fs::write(folder.path().join("run.json"), text).unwrap();
        let damages: Vec<_> = damages.into_iter().chain(more).filter(|(file, _)| STORED[*file] != "journal.csv").collect();
        apply(folder.path(), &damages);
        look_at(folder.path());
    }

    /// A record that says something else, with the right checksum: somebody's work, which may mislead, but does no harm.
    #[test]
    fn a_forged_record_does_no_harm(cut_off in cut_off(), fields in fields()) {
        let folder = folder(cut_off);
        if forge(folder.path(), &fields) {
            look_at(folder.path());
            if let Err(error) = NoisyRun::get().resume(folder.path()) {
                let message = error.to_string();
                prop_assert!(names_a_file(&message) || message.contains("--out"), "{message}");
            }
        }
    }

    #[test]
    fn damaged_tables_are_drawn_without_harm(damages in prop::collection::vec((any::<u16>(), damage()), 1..4)) {
        let folder = NoisyRun::get().copy();
        let tables: Vec<String> = files(folder.path()).into_keys().filter(|name| !STORED.contains(&name.as_str())).collect();
        for (which, damage) in damages {
            let name = &tables[usize::from(which) * tables.len() / (1 << 16)];
            change(&folder.path().join(name), |bytes| damage.apply(bytes));
        }
        draw(folder.path());
    }

    #[test]
    fn damaged_shards_are_refused_or_merged_to_the_run(
        part in 0..3usize,
        damages in damages(),
        of_another in prop::option::of((0..3usize, 0..4usize)),
        forged in prop::option::of(fields()),
    ) {
        let (folder, parts) = shards();
        if let Some((from, file)) = of_another {
            fs::copy(parts[from].join(STORED[file]), parts[part].join(STORED[file])).unwrap();
        }
        let is_forged = forged.is_some_and(|fields| load_run_record(&parts[part].join("run.json")).is_ok() && forge(&parts[part], &fields));
        fs::write(parts[part].join("trying.json"), NOTE).unwrap();
        apply(&parts[part], &damages);
        let out = folder.path().join("whole");
        match merge(&parts, &out) {
            Ok(_) => prop_assert!(is_forged || NoisyRun::get().is_same(&out), "not the run in one go"),
            Err(error) => {
                let message = error.to_string();
                prop_assert!(names_a_file(&message) || message.contains("shard"), "{message}");
                prop_assert!(!out.join("run.json").exists());
            }
        }
    }
}
