//! The progress bar of a run.

use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};

use crate::run::{Progress, Resuming, Stage};

/// A bar on standard error, if that is a terminal.
pub(super) struct Bar(ProgressBar);

impl Bar {
    pub(super) fn new() -> Self {
        Self(ProgressBar::hidden())
    }

    pub(super) fn finish(&self) {
        self.0.finish_and_clear();
    }
}

impl Progress for Bar {
    fn enter(&mut self, stage: Stage) {
        self.0.finish_and_clear();
        let sweeps;
        let (what, items) = match stage {
            Stage::Resuming(resuming) => return tell(&resuming),
            Stage::Assembling { kernels } => ("assembling", kernels),
            Stage::Again { experiments } => ("once more", experiments),
            Stage::Launching { experiments, sweep, of } => {
                sweeps = format!("sweep {} of {of}", sweep + 1);
                (sweeps.as_str(), experiments)
            }
            Stage::Dangerous { experiments } => ("dangerous", experiments),
        };
        let style = ProgressStyle::with_template("{msg:>12} [{bar:40}] {pos}/{len}, {eta} left");
        self.0 = ProgressBar::new(items as u64).with_message(what.to_owned());
        if let Ok(style) = style {
            self.0.set_style(style.progress_chars("=> "));
        }
    }

    fn advance(&mut self, items: usize) {
        self.0.inc(items as u64);
    }
}

/// What is there already, what was cut off, and what is not tried again.
fn tell(resuming: &Resuming) {
    let Resuming { complete, of, cut_off_rows, cut_off_readings, tried_again, given_up } = resuming;
    let mut text = format!("going on after {complete} of {of} experiments");
    if cut_off_rows + cut_off_readings > 0 {
        text += &format!(
            "; cut off, since incomplete: {cut_off_rows} lines of experiments.csv, {cut_off_readings} of readings.csv"
        );
    }
    if *tried_again > 0 {
        text += &format!("; {tried_again} that failed are tried again");
    }
    if let Some(experiment) = given_up {
        text += &format!("; {experiment} was being tried when the run died, and is not tried again");
    }
    // A closed standard error is no reason to stop.
    let _ = writeln!(std::io::stderr(), "{text}");
}
