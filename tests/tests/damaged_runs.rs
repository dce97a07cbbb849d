//! Runs whose writing was cut off at any byte are resumed correctly; changes in a folder are named. (Folders damaged at
//! random: `fuzz/run_folders.rs`.)

use std::fs;

use gcn_analysis::run::{load_run_record, run_record_text};
use gcn_model::record::RunRecord;
use gcn_tests::{NoisyRun, files};

/// Numbers that are the same in each run of the tests.
struct Lcg(u64);

impl Lcg {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end.max(1)
    }
}

#[test]
fn a_run_that_was_cut_off_at_any_byte_ends_as_if_it_had_not_been() {
    let run = NoisyRun::get();
    let tries = run.tries();
    let mut numbers = Lcg(1);
    for case in 0..16 {
        let at = numbers.below(tries);
        let folder = run.cut_off(at, 1 + numbers.below(8), numbers.below(30_000));
        // It can be looked at as it is, and the numbers are those of the complete part.
        let analysis = gcn_analysis::analyze(folder.path()).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert!(analysis.record.end.is_none());
        let measured = run.resume(folder.path()).unwrap_or_else(|error| panic!("{case}, {at} tries: {error}"));
        assert_eq!(measured.record.dp_rate_field, run.whole.measured.record.dp_rate_field);
        assert!(measured.record.end.is_some() && measured.record.resumed.len() == 1);
        assert!(
            measured.spent.launches < run.whole.measured.spent.launches || at < 8,
            "{case}: nothing is measured twice"
        );
        assert!(run.is_same(folder.path()), "{case}, {at} tries");
    }
}

/// Each kind of experiment, at each place where a run of it can be killed.
#[test]
fn a_run_cut_off_anywhere_is_resumed() {
    let run = NoisyRun::of_every_kind();
    let tries = run.tries();
    let mut numbers = Lcg(2);
    for case in 0..6 {
        let at = numbers.below(tries);
        let folder = run.cut_off(at, 1 + numbers.below(64), numbers.below(60_000));
        run.resume(folder.path()).unwrap_or_else(|error| panic!("{case}, {at} tries: {error}"));
        assert!(run.is_same(folder.path()), "{case}, {at} tries");
    }
}

/// The leftovers of XFS and NFS after a power cut: the file has its new length, and zeros where its bytes did not get to the disk.
#[test]
fn zeros_of_a_power_cut_are_cut_off() {
    let run = NoisyRun::get();
    let tries = run.tries();
    let mut numbers = Lcg(3);
    for case in 0..16 {
        let at = numbers.below(tries);
        let (from, length) = (numbers.below(9_000), 1 + numbers.below(9_000));
        let folder = run.torn(at, 1 + numbers.below(64), numbers.below(60_000), |name, torn| {
            // Blocks get to the disk in any order; of the journal, which is the last to be written, the first ones may be missing.
            let start = if name == "readings.csv" { from } else { from % 200 }.min(torn.len());
            let end = (start + length).min(torn.len());
            torn[start..end].fill(0);
        });
        let analysis = gcn_analysis::analyze(folder.path()).unwrap_or_else(|error| panic!("{case}, {at}: {error}"));
        assert!(analysis.record.end.is_none());
        run.resume(folder.path()).unwrap_or_else(|error| panic!("{case}, {at} tries: {error}"));
        assert!(run.is_same(folder.path()), "{case}, {at} tries");
    }
    // Where more follows them than was in flight, it was no power cut.
    let run = NoisyRun::of_every_kind();
    let folder = run.cut_off(run.tries() - 1, 1, 0);
    let path = folder.path().join("journal.csv");
    let mut text = fs::read(&path).unwrap();
    text[400..420].fill(0);
    fs::write(&path, text).unwrap();
    let error = run.resume(folder.path()).unwrap_err().to_string();
    assert!(error.contains("journal.csv:") && error.contains("zeros replace"), "{error}");
}

#[test]
fn a_run_that_ended_while_it_made_its_files_starts() {
    let run = NoisyRun::get();
    for (name, text) in [
        ("", ""),
        ("journal.csv", ""),
        ("journal.csv", "round,exper"),
        ("journal.csv", "round,e\0\0\0"),
        ("readings.csv", "\0\0"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        if !name.is_empty() {
            fs::write(folder.path().join(name), text).unwrap();
        }
        run.resume(folder.path()).unwrap();
        assert!(run.is_same(folder.path()), "{name}");
        assert_eq!(files(folder.path()).len(), 4, "{name} is gone");
    }
}

/// A file, the change of its text, and the required error.
type Damage<'a> = (&'a str, fn(&str) -> String, &'a [&'a str]);

/// The name of a change to a file of a complete run.
#[test]
fn changed_rows_are_named_with_their_line() {
    let cases: [Damage<'_>; 9] = [
        (
            "readings.csv",
            |text| text.replacen("S_ADD_U32/cycles,", "S_ADD_U32/other,", 1),
            &["readings.csv:", "is not in experiments.csv"],
        ),
        ("readings.csv", |text| change_digit(text, 5), &["readings.csv:2: a reading of", "not what the run wrote"]),
        (
            "readings.csv",
            |text| text.lines().take(9).map(|line| format!("{line}\n")).collect(),
            &["readings.csv:10: ", "the file ends here"],
        ),
        ("readings.csv", |text| text.replacen("begin", "start", 1), &["readings.csv:1: ", "the header is"]),
        ("experiments.csv", |text| text.replacen(",cycles,", ",chain,", 1), &["experiments.csv:"]),
        ("experiments.csv", |text| text.replacen("v_", "V_", 1), &["experiments.csv:", "the row of"]),
        ("journal.csv", |text| change_digit(text, 3), &["journal.csv:4: "]),
        (
            "journal.csv",
            |text| text.lines().take(5).map(|line| format!("{line}\n")).collect(),
            &["journal.csv:6: ", "run.json says"],
        ),
        (
            "run.json",
            |text| text.replacen("\"samples\": 20", "\"samples\": 21", 1),
            &["run.json: changed after the run"],
        ),
    ];
    let run = NoisyRun::get();
    for (name, change, what) in cases {
        let folder = run.copy();
        let path = folder.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        let changed = change(&text);
        assert_ne!(text, changed, "{name}");
        fs::write(&path, changed).unwrap();
        let before = files(folder.path());
        for error in [
            gcn_analysis::analyze(folder.path()).unwrap_err().to_string(),
            run.resume(folder.path()).unwrap_err().to_string(),
        ] {
            for part in what {
                assert!(error.contains(part), "{name}, {part}: {error}");
            }
        }
        assert!(files(folder.path()) == before, "{name}: nothing is changed");
    }
}

/// The last digit of a line, counted from 0, is another one.
fn change_digit(text: &str, line: usize) -> String {
    let mut lines: Vec<String> = text.lines().map(Into::into).collect();
    let at = lines[line].rfind(|character: char| character.is_ascii_digit()).unwrap();
    let digit = lines[line].as_bytes()[at] - b'0';
    lines[line].replace_range(at..=at, &((digit + 1) % 10).to_string());
    lines.join("\n") + "\n"
}

#[test]
fn the_record_of_another_run_is_found_out() {
    let folder = NoisyRun::get().copy();
    let path = folder.path().join("run.json");
    let record = load_run_record(&path).unwrap();
    let others: [fn(&mut RunRecord); 3] = [
        |record| record.device.name = "another card".into(),
        |record| record.options.samples += 1,
        |record| record.tool = "gcn-timings 9.9.9".into(),
    ];
    for change in others {
        let mut other = record.clone();
        change(&mut other);
        fs::write(&path, run_record_text(&other).unwrap()).unwrap();
        let error = gcn_analysis::analyze(folder.path()).unwrap_err().to_string();
        assert!(error.contains("journal.csv:2: ") && error.contains("run.json is that of another run"), "{error}");
    }
    // Times are not part of a run's identity.
    fs::write(&path, run_record_text(&RunRecord { start: "2026-01-01T00:00:00Z".into(), ..record }).unwrap()).unwrap();
    gcn_analysis::analyze(folder.path()).unwrap();
}
