//! Folders with the tables of a run, written by the tests, and the program on them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// Columns of `timings.csv`.
const TIMINGS: &str = "instruction,encoding,bytes,cycles,cycles_low,cycles_high,latency,latency_low,latency_high,throughput,\
                       throughput_low,throughput_high,waves_per_simd,samples,status,detail,cycles_snapped,dropped,taken,\
                       taken_low,taken_high";

/// A run's folder under construction.
pub(crate) struct RunFolder {
    folder: TempDir,
    timings: String,
}

impl RunFolder {
    /// A run of a device, without rows.
    pub(crate) fn new(device: &str) -> Self {
        let record = serde_json::json!({
            "schema": 1, "tool": "gcn-timings 0.1.0",
            "device": {
                "device": "synthetic", "name": device, "driver": "none", "target": "gfx701", "generation": "1.1",
                "compute_units": 2, "clock_mhz": 947.0, "realtime_mhz": null
            },
            "assembler": "none",
            "options": { "suites": ["all"], "only": [], "waves": [1, 2, 4], "samples": 20, "throughput_launches": 2 },
            "code_objects": [], "start": "2026-01-02T03:04:05.678Z", "end": "2026-01-02T03:05:00Z"
        });
        let run = Self { folder: tempfile::tempdir().unwrap(), timings: format!("{TIMINGS}\n") };
        run.file("run.json", &record.to_string()).file("timings.csv", &format!("{TIMINGS}\n"))
    }

    /// Adds a file.
    pub(crate) fn file(self, name: &str, text: &str) -> Self {
        fs::write(self.folder.path().join(name), text).unwrap();
        self
    }

    /// Adds a row to `timings.csv`: its name, then cycles, latency and throughput (each with low and high, or empty), status,
    /// detail, and cycles where a jump is taken.
    pub(crate) fn timing(mut self, name: &str, three: [&str; 3], status: &str, detail: &str, taken: &str) -> Self {
        let or_empty = |text: &str| if text.is_empty() { ",,".to_owned() } else { text.to_owned() };
        let [cycles, latency, throughput] = three.map(or_empty);
        let taken = or_empty(taken);
        self.timings += &format!("{name},VOP2,4,{cycles},{latency},{throughput},1,60,{status},{detail},,0,{taken}\n");
        let text = self.timings.clone();
        self.file("timings.csv", &text)
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn text(&self) -> &str {
        self.path().to_str().unwrap()
    }
}

/// What the program said.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) error: String,
}

pub(crate) fn run(arguments: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    let output = command.args(arguments).env_remove("CLICOLOR_FORCE").stdin(Stdio::null()).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    Said { code: output.status.code(), out: text(output.stdout), error: text(output.stderr) }
}
