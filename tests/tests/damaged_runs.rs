//! Runs whose writing was cut off at any byte, and folders that were damaged: gone on with correctly or refused, never a wrong number.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use gcn_analysis::run::{StoredFile, StoredFiles, load_run_record, run_record_text};
use gcn_analysis::{timings_csv, validation_csv};
use gcn_harness::device::SimulatedDevice;
use gcn_harness::experiment::MeasureOptions;
use gcn_harness::kernel::Templates;
use gcn_harness::run::{Measured, RunError, RunFolder, Silent, measure};
use gcn_model::record::RunRecord;
use gcn_tests::{MeasuredRun, assembler, blind_gpu, files, measure_on, only};
use tempfile::TempDir;

/// Readings so disturbed that some do not settle at first.
const NOISE: &str = "[noise]\nseed = 3\njitter_cycles = 40\noutlier_rate = 0.2\noutlier_cycles = 900\n";
/// The files that a run stores and that are not derived from others.
const GROWING: [(&str, StoredFile); 3] = [
    ("readings.csv", StoredFile::Readings),
    ("experiments.csv", StoredFile::Experiments),
    ("journal.csv", StoredFile::Journal),
];

fn device() -> SimulatedDevice {
    SimulatedDevice::new("sim:test", &blind_gpu("vega10", NOISE))
}

fn options() -> MeasureOptions {
    let patterns = ["V_ADD_F32", "V_ADD_F64", "V_MUL_F32", "S_ADD_U32", "S_SETHALT"];
    MeasureOptions { sweeps: 2, ..only(&patterns, &[1]) }
}

/// A run in one go.
fn whole() -> &'static MeasuredRun {
    static WHOLE: OnceLock<MeasuredRun> = OnceLock::new();
    WHOLE.get_or_init(|| {
        let run = measure_on(&device(), &options());
        let journal = fs::read_to_string(run.folder().join("journal.csv")).unwrap();
        assert!(journal.lines().any(|line| line.starts_with("2,")), "behind two sweeps something is measured again");
        run
    })
}

fn resume(folder: &Path) -> Result<Measured, RunError> {
    let mut run = RunFolder::resume(folder)?;
    let (templates, never) = (Templates::shipped()?, AtomicBool::new(false));
    measure(&device(), assembler(), &templates, &options(), &mut run, &never, &mut Silent)
}

/// What a run stores.
fn stored(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(folder);
    files.retain(|name, _| GROWING.iter().any(|(growing, _)| growing == name));
    files
}

/// The folder of a run that was cut off when so many tries were stored, and so many bytes of a batch of the next ones.
fn cut_off(tries: usize, batch: usize, bytes: usize) -> TempDir {
    let files = StoredFiles::load(whole().folder()).unwrap();
    let all = files.tries();
    let folder = tempfile::tempdir().unwrap();
    let record = RunRecord { end: None, tries: None, dp_rate_field: Vec::new(), ..files.run().record.clone() };
    fs::write(folder.path().join("run.json"), run_record_text(&record).unwrap()).unwrap();
    // A batch is of one round.
    let next = &all[tries..(tries + batch).min(all.len())];
    let next = next.iter().take_while(|tried| tried.round == next[0].round);
    let mut left = bytes;
    for (name, file) in GROWING {
        let (text, _) = files.complete_and_cut_off(file);
        let mut content = text[..=text.iter().position(|&byte| byte == b'\n').unwrap()].to_vec();
        all[..tries].iter().for_each(|tried| content.extend(files.text_of(file, tried)));
        let torn: Vec<u8> = next.clone().flat_map(|tried| files.text_of(file, tried)).copied().collect();
        let written = left.min(torn.len());
        left -= written;
        content.extend(&torn[..written]);
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

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
    let tries = StoredFiles::load(whole().folder()).unwrap().tries().len();
    let mut numbers = Lcg(1);
    for case in 0..48 {
        let at = numbers.below(tries);
        let folder = cut_off(at, 1 + numbers.below(8), numbers.below(30_000));
        // It can be looked at as it is, and the numbers are those of what is complete.
        let analysis = gcn_analysis::analyze(folder.path()).unwrap_or_else(|error| panic!("{case}: {error}"));
        assert!(!analysis.summary().complete);
        let measured = resume(folder.path()).unwrap_or_else(|error| panic!("{case}, {at} tries: {error}"));
        assert_eq!(measured.record.dp_rate_field, whole().measured.record.dp_rate_field);
        assert!(measured.record.end.is_some() && measured.record.resumed.len() == 1);
        assert!(measured.launches < whole().measured.launches || at < 8, "{case}: nothing is measured twice");
        assert!(stored(folder.path()) == stored(whole().folder()), "{case}, {at} tries");
    }
}

#[test]
fn a_run_that_ended_while_it_made_its_files_starts() {
    for (name, text) in [("", ""), ("journal.csv", ""), ("journal.csv", "round,exper"), (".run.json.7.new", "{")] {
        let folder = tempfile::tempdir().unwrap();
        if !name.is_empty() {
            fs::write(folder.path().join(name), text).unwrap();
        }
        resume(folder.path()).unwrap();
        assert!(stored(folder.path()) == stored(whole().folder()), "{name}");
        assert_eq!(files(folder.path()).len(), 4, "{name} is gone");
    }
}

/// Damages a file at random: gives what was done.
fn damage(folder: &Path, numbers: &mut Lcg) -> String {
    let names = ["readings.csv", "readings.csv", "experiments.csv", "journal.csv", "run.json"];
    let name = names[numbers.below(names.len())];
    let path = folder.join(name);
    let mut bytes = fs::read(&path).unwrap();
    let at = numbers.below(bytes.len());
    let ends: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at] == b'\n').map(|at| at + 1).collect();
    let line = |index: usize| ends.get(index.wrapping_sub(1)).copied().unwrap_or(0)..ends[index];
    let what = match numbers.below(7) {
        0 => {
            let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
            let at = digits[numbers.below(digits.len())];
            bytes[at] = b'0' + (bytes[at] - b'0' + 1) % 10;
            format!("another digit at byte {at}")
        }
        1 => {
            bytes[at] ^= 1 << numbers.below(7);
            format!("another bit at byte {at}")
        }
        2 => {
            bytes.truncate(at);
            format!("cut off at byte {at}")
        }
        3 => {
            let index = numbers.below(ends.len());
            bytes.drain(line(index));
            format!("without line {}", index + 1)
        }
        4 => {
            let index = numbers.below(ends.len());
            let copy = bytes[line(index)].to_vec();
            bytes.splice(ends[index]..ends[index], copy);
            format!("line {} twice", index + 1)
        }
        5 => {
            let (one, other) = (line(numbers.below(ends.len())), line(numbers.below(ends.len())));
            let (first, second) = if one.start < other.start { (one, other) } else { (other, one) };
            let (a, b) = (bytes[first.clone()].to_vec(), bytes[second.clone()].to_vec());
            bytes.splice(second, a);
            bytes.splice(first, b);
            "two lines in each other's place".into()
        }
        _ => {
            bytes.truncate(ends[numbers.below(ends.len())]);
            "cut off at the end of a line".into()
        }
    };
    fs::write(&path, bytes).unwrap();
    format!("{name}: {what}")
}

#[test]
fn a_damaged_run_is_refused_or_gone_on_with_correctly() {
    let mut numbers = Lcg(7);
    let (mut refused, mut right) = (0, 0);
    for case in 0..120 {
        let folder = if case % 2 == 0 {
            let copy = tempfile::tempdir().unwrap();
            for (name, content) in files(whole().folder()) {
                fs::write(copy.path().join(name), content).unwrap();
            }
            copy
        } else {
            cut_off(1 + numbers.below(12), 4, numbers.below(20_000))
        };
        let before = gcn_analysis::analyze(folder.path()).unwrap();
        let tables = |analysis: &gcn_analysis::Analysis| {
            (timings_csv(analysis.timings()), validation_csv(analysis.validation()))
        };
        let what = damage(folder.path(), &mut numbers);
        let name = what.split(':').next().unwrap();
        let is_whole = load_run_record(&folder.path().join("run.json")).is_ok_and(|record| record.end.is_some());
        // A journal that is shorter is that of a run that was cut off earlier; the numbers are then of less.
        let may_have_less = name == "journal.csv" && !is_whole;
        match gcn_analysis::analyze(folder.path()) {
            Ok(analysis) => {
                assert!(may_have_less || tables(&analysis) == tables(&before), "{case}, {what}: wrong numbers");
            }
            Err(error) => {
                assert!(error.to_string().contains(".csv") || error.to_string().contains("run.json"), "{error}");
            }
        }
        let damaged = files(folder.path());
        match resume(folder.path()) {
            Ok(measured) => {
                right += 1;
                assert!(stored(folder.path()) == stored(whole().folder()), "{case}, {what}: wrong readings");
                assert_eq!(measured.record.dp_rate_field, whole().measured.record.dp_rate_field, "{what}");
            }
            Err(error) => {
                refused += 1;
                let text = error.to_string();
                let names_line = text.contains(".csv:") || text.contains("run.json") || text.contains(".csv: ");
                assert!(names_line, "{case}, {what}: {text}");
                assert!(files(folder.path()) == damaged, "{case}, {what}: something was changed: {text}");
            }
        }
    }
    println!("{refused} were refused, {right} gone on with");
    assert!(refused > 50 && right > 5, "{refused} were refused, {right} gone on with");
}

/// A file, what is done to its text, and what the error must say.
type Damage<'a> = (&'a str, fn(&str) -> String, &'a [&'a str]);

/// What a change to a file of a run that came to its end is called.
#[test]
fn what_was_changed_is_named_with_its_line() {
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
    for (name, change, what) in cases {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files(whole().folder()) {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let path = folder.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        let changed = change(&text);
        assert_ne!(text, changed, "{name}");
        fs::write(&path, changed).unwrap();
        let before = files(folder.path());
        for error in [
            gcn_analysis::analyze(folder.path()).unwrap_err().to_string(),
            resume(folder.path()).unwrap_err().to_string(),
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
