//! A fault at a step of a plan's run.

use std::collections::BTreeMap;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Output;

use gcn_analysis::{Results, analyze};

use crate::plan::{Plan, files, program, under};

/// What can happen (`src/lib.rs`).
pub(crate) const FAULTS: [&str; 7] = ["kill", "torn", "dropped", "zeroed", "error", "refused", "full"];
/// The files with another order after a retry.
const IN_ORDER_OF_TRIES: [&str; 3] = ["readings.csv", "experiments.csv", "journal.csv"];
/// How a process ends that the library kills.
const SIGKILL: i32 = 9;

/// A fault at a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point<'p> {
    pub(crate) plan: &'p Plan,
    pub(crate) fault: &'static str,
    pub(crate) step: u64,
}

/// The program's standard error.
fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

impl Point<'_> {
    /// Measures with the fault, goes on, and holds the folder against that of the run in one go; tells whether the fault ended the run.
    ///
    /// # Errors
    /// The difference to an undisturbed run.
    pub(crate) fn check(&self) -> Result<bool, String> {
        let kept = tempfile::tempdir().map_err(|error| error.to_string())?;
        let run = kept.path().join("run");
        let measure =
            |more: &[&str]| program(&run, self.plan.options, more).output().map_err(|error| error.to_string());
        let mut command = program(&run, self.plan.options, &[]);
        let output = under(&mut command, &run).env("GCN_DISK_FAULT", format!("{}@{}", self.fault, self.step)).output();
        let output = output.map_err(|error| error.to_string())?;
        let was_killed = output.status.signal() == Some(SIGKILL);
        if !was_killed && !matches!(output.status.code(), Some(0 | 1)) || said(&output).contains("panicked") {
            return Err(format!("{:?}: {}", output.status, said(&output)));
        }
        let is_disturbed = output.status.code() != Some(0);
        self.look(&run)?;
        let mut output = measure(&["--resume"])?;
        let mut has_retried = false;
        if self.plan.is_card() && output.status.code() == Some(1) && said(&output).contains("experiments failed") {
            // The attempt during which the process died is not repeated, unless requested.
            output = measure(&["--resume", "--retry-failed"])?;
            has_retried = true;
        }
        if output.status.code() != Some(0) {
            return Err(format!("it is not gone on with: {}", said(&output)));
        }
        let found = files(&run);
        // Fillers that were being tried are tried again without being asked for: the journal has a row more.
        let rows =
            |files: &BTreeMap<String, Vec<u8>>| files.get("journal.csv").map_or(0, |journal| lines(journal).len());
        has_retried |= self.plan.is_card() && rows(&found) > rows(&self.plan.files);
        self.compare(&found, has_retried)?;
        Ok(is_disturbed)
    }

    /// A folder in whatever state can be looked at, and shows less than all only if it says so.
    fn look(&self, run: &Path) -> Result<(), String> {
        if !run.join("run.json").exists() {
            return Ok(());
        }
        let analysis = analyze(run).map_err(|error| format!("it cannot be looked at: {error}"))?;
        let tables = Results::load(run).map_err(|error| format!("it cannot be shown: {error}"))?;
        let is_all = analysis.files().into_iter().all(|(name, text)| {
            let expected = self.plan.files.get(name).map(Vec::as_slice);
            expected == text.as_ref().map(String::as_bytes)
        });
        match tables.record.end.is_some() {
            true if !is_all => Err("it passes for complete, and is not".into()),
            // Files that are there with an end are those of that end.
            true if !tables.differing.is_empty() => Err(format!("{:?} are of an earlier state", tables.differing)),
            _ => Ok(()),
        }
    }

    fn compare(&self, found: &BTreeMap<String, Vec<u8>>, has_retried: bool) -> Result<(), String> {
        let expected = &self.plan.files;
        if !found.keys().eq(expected.keys()) {
            return Err(format!("other files: {:?}", found.keys().collect::<Vec<_>>()));
        }
        for (name, content) in expected {
            let is_same = if has_retried && IN_ORDER_OF_TRIES.contains(&name.as_str()) {
                name != "readings.csv" || sorted(&found[name]) == sorted(content)
            } else {
                found[name] == *content
            };
            if !is_same {
                return Err(format!("{name} differs"));
            }
        }
        Ok(())
    }
}

fn lines(content: &[u8]) -> Vec<&[u8]> {
    content.split(|&byte| byte == b'\n').collect()
}

fn sorted(content: &[u8]) -> Vec<&[u8]> {
    let mut lines = lines(content);
    lines.sort_unstable();
    lines
}
