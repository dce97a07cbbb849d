//! Runs of the program on a simulated card, with any driver.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gcn_model::gpu::Gpu;
use tempfile::TempDir;

use crate::Tier;

/// Options of a run of the instruction suite that is the same on a card and on the model that the card is: one sweep, few samples.
const SUITE: [&str; 8] = ["--suite", "instructions", "--waves", "2", "--samples", "2", "--sweeps", "1"];

/// A folder for a run, which does not exist yet, in one that goes with the test.
#[derive(Debug)]
pub struct CardRun {
    kept: TempDir,
    path: PathBuf,
}

/// Every third instruction of a GPU; none, which is no choice, in tier `all`.
///
/// # Panics
/// If no such GPU ships.
pub fn every_third(gpu: &str) -> Vec<String> {
    if Tier::All.runs(&format!("two of three instructions of {gpu} as a card")) {
        return Vec::new();
    }
    let gpu = Gpu::named(gpu).expect("a GPU that ships");
    gpu.processor().instructions().step_by(3).map(|instruction| instruction.name.clone()).collect()
}

/// Output as text.
pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Runs a command to its end.
///
/// # Panics
/// If it ends with another exit code.
pub fn ended(mut command: Command, code: i32) -> Output {
    let output = command.output().expect("the program starts");
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{command:?}\n{out}\n{error}");
    output
}

#[expect(clippy::new_without_default, reason = "it makes a folder")]
impl CardRun {
    /// A folder to be.
    ///
    /// # Panics
    /// If there is no temporary folder.
    pub fn new() -> Self {
        let kept = tempfile::tempdir().expect("a temporary folder");
        let path = kept.path().join("run");
        Self { kept, path }
    }

    /// Adds the options that measure instructions of a device into the folder, in the way that all are compared in.
    pub fn measure(&self, mut command: Command, device: &str, only: &[String]) -> Command {
        command.args(["measure", "--device", device, "--launch-timeout", "1h", "--out"]).arg(&self.path).args(SUITE);
        command.args(only.iter().flat_map(|name| ["--only", name]));
        command
    }

    /// The losses of a run on a card: kernels of atomics with GLC store a register that the one before is still to fill. On a card that is
    /// some value without a reader; the simulator under a driver refuses it where the process sees the memory, as it does all of Mesa's and the
    /// strict OpenCL driver's. No other experiment may be lost.
    ///
    /// # Panics
    /// If another one is, or none: then the exit code says that something is.
    pub fn assert_lost_only_what_the_simulator_refuses(&self) {
        let experiments = self.file("experiments.csv");
        let failed: Vec<&str> = experiments.lines().filter(|line| line.contains(",failed,")).collect();
        let others: Vec<&&str> = failed
            .iter()
            .filter(|line| !line.split(',').next().is_some_and(|id| id.ends_with("/cycles:glc")))
            .collect();
        assert!(others.is_empty() && !failed.is_empty(), "{} lost, among them {others:#?}", failed.len());
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder around it.
    pub fn around(&self) -> &Path {
        self.kept.path()
    }

    /// A file of the run.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn file(&self, name: &str) -> String {
        fs::read_to_string(self.path.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// `run.json`.
    ///
    /// # Panics
    /// If it is malformed.
    pub fn record(&self) -> serde_json::Value {
        serde_json::from_str(&self.file("run.json")).expect("a record")
    }

    /// Whether nothing was stored.
    pub fn is_empty(&self) -> bool {
        fs::read_dir(&self.path).map_or(true, |mut entries| entries.next().is_none())
    }

    /// Holds the timings of a card against those of the model that it is: all rows, each to the letter. What fails on both is no evidence.
    ///
    /// # Panics
    /// If they differ, or are fewer than there have to be.
    pub fn assert_same_timings(&self, model: &Self, gpu: &str, least_rows: usize) {
        let (found, expected) = (self.file("timings.csv"), model.file("timings.csv"));
        assert!(expected.lines().count() > least_rows, "{gpu}: {} rows", expected.lines().count());
        assert!(!expected.contains("failed"), "{gpu}: what fails on both is no evidence");
        let different = expected.lines().zip(found.lines()).find(|(expected, found)| expected != found);
        assert_eq!((different, found.lines().count()), (None, expected.lines().count()), "{gpu}");
    }
}
