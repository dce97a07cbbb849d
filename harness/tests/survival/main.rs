//! Runs that are killed, run out of room, or meet another process, as a user meets them: messages, exit codes, files.
#![cfg(unix)]

mod faults;
mod killed;
mod stopped;
#[path = "../../../tests/src/tier.rs"]
pub mod tier;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// A run and a GPU whose readings are disturbed so much that some do not settle at first.
const NOISY: &str = "base = \"fiji\"\nname = \"noisy\"\n[noise]\nseed = 3\njitter_cycles = 40\noutlier_rate = 0.2\noutlier_cycles = 900\n";
/// More experiments than are handed over at once, of all kinds.
const OPTIONS: [&str; 8] = ["--suite", "instructions", "--only", "V_M*_F32", "--only", "S_A*", "--waves", "1"];

/// How long something is waited for that comes within milliseconds: a test that hangs ends some day.
const PATIENCE: Duration = Duration::from_secs(3600);

/// A run in one go.
struct Whole {
    folder: TempDir,
    took: Duration,
}

impl Whole {
    fn get() -> &'static Self {
        static WHOLE: OnceLock<Whole> = OnceLock::new();
        WHOLE.get_or_init(|| {
            let folder = tempfile::tempdir().unwrap();
            fs::write(folder.path().join("noisy.toml"), NOISY).unwrap();
            let start = Instant::now();
            let CommandOutput { code, error, .. } = said(measure(folder.path(), &folder.path().join("whole"), &[]));
            assert_eq!(code, Some(0), "{error}");
            let whole = Self { folder, took: start.elapsed() };
            let journal = fs::read_to_string(whole.path().join("journal.csv")).unwrap();
            for round in ["0,", "1,", "2,"] {
                assert!(
                    journal.lines().any(|line| line.starts_with(round)),
                    "two sweeps, and something is measured again"
                );
            }
            assert!(journal.lines().count() > 100, "several batches");
            whole
        })
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("whole")
    }

    /// Whether others rest on an experiment: it is a filler, or a baseline.
    fn is_depended_on(&self, id: &str) -> bool {
        let mut rows = csv::Reader::from_path(self.path().join("experiments.csv")).unwrap();
        let mut rows = rows.deserialize().map(|row: Result<BTreeMap<String, String>, _>| row.unwrap());
        rows.any(|row| row["baseline"] == id || row["experiment"] == id && row["kind"] == "filler")
    }

    /// A new folder, next to the GPU file.
    fn another(&self) -> TempDir {
        tempfile::tempdir_in(self.folder.path()).unwrap()
    }

    /// Whether a run has the same files.
    fn assert_same(&self, run: &Path) {
        let (expected, found) = (files(&self.path()), files(run));
        assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
        for (name, content) in &expected {
            assert!(found[name] == *content, "{name} differs");
        }
    }
}

/// `measure` with the options of these tests, from the folder with the GPU file.
fn measure(start: &Path, out: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    command.env_remove("GCN_TIMINGS_LLVM").env_remove("GCN_TIMINGS_LLD").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).current_dir(start);
    command
        .args(["measure", "--device", "sim:noisy.toml", "--threads", "2", "--out"])
        .arg(out)
        .args(OPTIONS)
        .args(options);
    command
}

/// The same, in the folder of [`Whole`].
fn again(out: &Path, options: &[&str]) -> Command {
    measure(Whole::get().folder.path(), out, options)
}

struct CommandOutput {
    code: Option<i32>,
    out: String,
    error: String,
}

fn said(mut command: Command) -> CommandOutput {
    told(command.output().unwrap())
}

fn told(output: Output) -> CommandOutput {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    CommandOutput { code: output.status.code(), out: text(output.stdout), error: text(output.stderr) }
}

/// The files of a run without times, and so without the checksum of `run.json`.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |name: &str| fs::read(folder.join(name)).unwrap();
    let mut record: serde_json::Value = serde_json::from_slice(&read("run.json")).unwrap();
    let times = ["start", "end"].map(|key| record[key].as_str().map(ToOwned::to_owned));
    for key in ["start", "end", "sha256", "resumed"] {
        record.as_object_mut().unwrap().remove(key);
    }
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    // The log tells how a run went, which may be another way.
    let names = names.filter(|name| name != "log.txt");
    names
        .map(|name| {
            let mut content = read(&name);
            if name == "run.json" {
                content = record.to_string().into_bytes();
            } else if name == "TIMINGS.md" {
                let text = String::from_utf8(content).unwrap();
                content = times.iter().flatten().fold(text, |text, time| text.replace(time, "TIME")).into_bytes();
            }
            (name, content)
        })
        .collect()
}

/// Numbers that are the same in each run of the tests.
struct Lcg(u64);

impl Lcg {
    /// From 0 to 1.
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}
