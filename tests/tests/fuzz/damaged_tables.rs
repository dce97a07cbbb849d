//! Run folders that came to their end, with other bytes and files: what each command shows of them.

use std::fs;
use std::path::Path;
use std::slice::from_ref;
use std::sync::OnceLock;

use gcn_analysis::{
    Comparison, Results, ValueKind, analyze, comparison_csv, comparison_json, csv_text, dpfactor_json, pictures,
    report_html,
};
use gcn_tests::{NoisyRun, files, whole_summary};
use proptest::prelude::*;

use crate::fuzz::cases;
use crate::fuzz::damage::Damage;
use crate::fuzz::run_folders::{change, damage, names_a_file, other};

/// Which file of a run's folder is damaged, by its place among all of them, and how.
#[derive(Debug, Clone)]
enum Harm {
    /// Its bytes are others.
    Changed(u16, Damage),
    Gone(u16),
    /// It is that of another run.
    OfAnother(u16),
    /// Two files have each other's content.
    Swapped(u16, u16),
}

fn harm() -> impl Strategy<Value = Harm> {
    let file = any::<u16>;
    prop_oneof![
        6 => (file(), damage()).prop_map(|(file, damage)| Harm::Changed(file, damage)),
        1 => file().prop_map(Harm::Gone),
        1 => file().prop_map(Harm::OfAnother),
        1 => (file(), file()).prop_map(|(one, other)| Harm::Swapped(one, other)),
    ]
}

impl Harm {
    fn apply(&self, folder: &Path) {
        let names: Vec<String> = files(folder).into_keys().collect();
        let path = |share: &u16| folder.join(&names[usize::from(*share) * names.len() / (1 << 16)]);
        match self {
            Self::Changed(file, damage) => change(&path(file), |bytes| damage.apply(bytes)),
            Self::Gone(file) => fs::remove_file(path(file)).unwrap(),
            Self::OfAnother(file) => {
                let path = path(file);
                fs::copy(other().whole.folder().join(path.file_name().unwrap()), path).unwrap();
            }
            Self::Swapped(one, other) => {
                let (one, other) = (path(one), path(other));
                let (a, b) = (fs::read(&one).unwrap(), fs::read(&other).unwrap());
                fs::write(one, b).unwrap();
                fs::write(other, a).unwrap();
            }
        }
    }
}

/// What each command shows of a folder, by its name, or why it shows nothing.
fn shown(folder: &Path) -> Vec<(&'static str, Result<String, String>)> {
    let analysis = || analyze(folder).map_err(|error| error.to_string());
    let tables = || Results::load(folder).map_err(|error| error.to_string());
    let original = Results::load(NoisyRun::get().whole.folder()).unwrap();
    let drawn = |tables: &Results| format!("{:?}", pictures(tables, None));
    let compared = |a: &Results, b: &Results| {
        let found = Comparison::with_each(a, from_ref(b), &ValueKind::ALL);
        comparison_csv(&found) + &comparison_json(&found[0]).to_string()
    };
    let factor = |analysis: &Results| match analysis.dpfactor.as_ref() {
        Ok(found) => dpfactor_json(found, &analysis.record.dp_rate_field),
        Err(why) => why.to_string(),
    };
    vec![
        ("analyze", analysis().map(|analysis| whole_summary(&analysis) + &format!("{:?}", analysis.files()))),
        ("validate", analysis().map(|analysis| csv_text(&analysis.validation))),
        ("dpfactor", analysis().map(|analysis| factor(&analysis))),
        ("report", tables().map(|tables| report_html(&tables))),
        ("plot", tables().map(|tables| drawn(&tables))),
        ("compare", tables().map(|tables| compared(&tables, &original) + &compared(&original, &tables))),
    ]
}

/// Likewise for the run as it is.
fn shown_of_whole() -> &'static [(&'static str, Result<String, String>)] {
    static SHOWN: OnceLock<Vec<(&'static str, Result<String, String>)>> = OnceLock::new();
    SHOWN.get_or_init(|| shown(NoisyRun::get().whole.folder()))
}

proptest! {
    #![proptest_config(cases(120))]

    /// Any file of a complete run, its tables among them: an error that names a file, or the old output; never other numbers.
    #[test]
    fn every_command_names_a_damaged_file_or_is_unaffected(harms in prop::collection::vec(harm(), 1..3)) {
        let folder = NoisyRun::get().copy();
        harms.iter().for_each(|harm| harm.apply(folder.path()));
        // Without any of its records it is a folder of results, which nothing vouches for: that is said.
        let has_records = ["readings.csv", "experiments.csv", "journal.csv"].iter().any(|name| folder.path().join(name).exists());
        prop_assume!(has_records);
        for ((command, found), (_, before)) in shown(folder.path()).iter().zip(shown_of_whole()) {
            match found {
                Ok(_) => prop_assert!(found == before, "{command} shows something else"),
                Err(error) => prop_assert!(names_a_file(error), "{command}: {error}"),
            }
        }
        let damaged = files(folder.path());
        match NoisyRun::get().resume(folder.path()) {
            Ok(_) => prop_assert!(NoisyRun::get().is_same(folder.path()), "wrong readings"),
            Err(error) => {
                prop_assert!(names_a_file(&error.to_string()), "{error}");
                prop_assert!(files(folder.path()) == damaged, "something was changed: {error}");
            }
        }
    }
}
