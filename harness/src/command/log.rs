//! Messages about a run apart from its progress: a log in its folder, and with `--verbose` all of it on standard error.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use gcn_model::printable::Printable;
use gcn_model::record::{ExperimentStatus, RunRecord};

use crate::run::{Event, LOG, Stage, now};

/// Lines about a run. They are not part of its measurement: a line that cannot be written does not stop it.
#[derive(Debug)]
pub(super) struct Log {
    is_verbose: bool,
    file: Option<File>,
    /// Messages from before the run had a folder.
    waiting: Vec<String>,
}

impl Log {
    pub(super) fn new(is_verbose: bool) -> Self {
        Self { is_verbose, file: None, waiting: Vec::new() }
    }

    /// A line for whoever reads the log later.
    pub(super) fn line(&mut self, text: &str) {
        let time = now().map_or_else(|_| "no time".to_owned(), |now| now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
        self.waiting.push(format!("{time} {}", one_line(text)));
        self.write();
        self.told(text);
    }

    /// A line for whoever watches closely.
    pub(super) fn told(&self, text: &str) {
        if self.is_verbose {
            // A closed standard error is no reason to stop.
            let _ = writeln!(std::io::stderr(), "{}", one_line(text));
        }
    }

    /// The run's current activity.
    pub(super) fn stage(&mut self, stage: &Stage) {
        match stage {
            Stage::Planned(expected) => self.line(&format!("plan: {expected}")),
            Stage::Assembling { kernels } => self.line(&format!("{kernels} kernels")),
            Stage::Resuming(resuming) => self.line(&resuming.to_string()),
            Stage::Launching { experiments, sweep, of } => {
                self.line(&format!("sweep {} of {of}: {experiments} experiments", sweep + 1));
            }
            Stage::Again { experiments } => self.line(&format!("repeat: {experiments} experiments")),
            Stage::Dangerous { experiments } => self.line(&format!("dangerous: {experiments} experiments")),
        }
    }

    /// Something that happened in the run.
    pub(super) fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Begun { folder, record } => {
                self.open(folder);
                self.begun(record);
            }
            Event::Attempted { round, experiment, launches } => {
                let what = format!("{}, round {round}, {launches} launches", experiment.experiment);
                match experiment.status {
                    ExperimentStatus::Failed => self.line(&format!("failed: {what}: {}", experiment.detail)),
                    ExperimentStatus::Ok => self.told(&format!("{what}: ok")),
                    ExperimentStatus::Skipped | ExperimentStatus::Unsupported => {
                        self.told(&format!("{}: skipped: {}", experiment.experiment, experiment.detail));
                    }
                }
            }
        }
    }

    fn begun(&mut self, record: &RunRecord) {
        let device = &record.device;
        self.line(&format!(
            "{} measures {}: {} ({}) through {}",
            record.tool, device.device, device.name, device.target, device.driver
        ));
        self.line(&format!("code by {}, {} code objects", record.assembler, record.code_objects.len()));
        for object in &record.code_objects {
            self.told(&format!(
                "code object {}: {} kernels, {} bytes, SHA-256 {}",
                object.index, object.kernels, object.bytes, object.sha256
            ));
        }
        // What cannot be put into words is in run.json in any case.
        self.line(&format!("options {}", serde_json::to_string(&record.options).unwrap_or_default()));
    }

    /// Adds to the log in a folder, in which the run has stored something; no link is followed.
    fn open(&mut self, folder: &Path) {
        let path = folder.join(LOG);
        if !path.is_symlink() {
            self.file = OpenOptions::new().append(true).create(true).open(path).ok();
        }
        self.write();
    }

    fn write(&mut self) {
        let Some(file) = &mut self.file else { return };
        for line in self.waiting.drain(..) {
            // The disk may be full: the run says so itself, where it matters.
            let _ = file.write_all(format!("{line}\n").as_bytes());
        }
    }
}

/// Text of drivers and files as one line.
fn one_line(text: &str) -> String {
    Printable(&text.replace('\n', "; ")).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_before_the_folder_exists_are_logged() {
        let folder = tempfile::tempdir().unwrap();
        let mut log = Log::new(false);
        log.line("first");
        assert!(!folder.path().join(LOG).exists(), "nothing was measured yet");
        log.open(folder.path());
        log.line("a driver's\nword\u{1b}[2J");
        log.told("not in it");
        let text = std::fs::read_to_string(folder.path().join(LOG)).unwrap();
        let words: Vec<&str> = text.lines().map(|line| line.split_once(' ').unwrap().1).collect();
        assert_eq!(words, ["first", "a driver's; word\\u{1b}[2J"]);
        assert!(text.lines().all(|line| line.as_bytes()[4] == b'-' && line.contains("Z ")), "{text}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other");
        std::os::unix::fs::symlink(&other, folder.path().join(LOG)).unwrap();
        let mut log = Log::new(false);
        log.open(folder.path());
        log.line("a line");
        assert!(!other.exists());
    }
}
