//! The progress bar of a run.

use indicatif::{ProgressBar, ProgressStyle};

use crate::run::{Progress, Stage};

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
        let (what, items) = match stage {
            Stage::Assembling { kernels } => ("assembling", kernels),
            Stage::Again { experiments } => ("once more", experiments),
            Stage::Launching { experiments } => ("measuring", experiments),
        };
        let style = ProgressStyle::with_template("{msg:>10} [{bar:40}] {pos}/{len}, {eta} left");
        self.0 = ProgressBar::new(items as u64).with_message(what);
        if let Ok(style) = style {
            self.0.set_style(style.progress_chars("=> "));
        }
    }

    fn advance(&mut self, items: usize) {
        self.0.inc(items as u64);
    }
}
