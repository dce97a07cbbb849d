//! How a run goes, for whoever watches it.

use super::Expected;

/// What a run is busy with.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// The plan stands, and this is what it asks of the device; a run that is gone on with has some of it behind it.
    Planned(Expected),
    /// Rendering, assembling and checking this many kernels.
    Assembling { kernels: usize },
    /// Going on with a run that was cut off.
    Resuming(Resuming),
    /// Launching again the experiments whose readings did not settle.
    Again { experiments: usize },
    /// Launching the experiments.
    Launching {
        /// Experiments, those without a launch included.
        experiments: usize,
        /// Sweep through the plan, counted from 0.
        sweep: u32,
        /// Sweeps.
        of: u32,
    },
    /// Launching what can hang the card.
    Dangerous { experiments: usize },
}

/// Where a run that was cut off is gone on with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resuming {
    /// Experiments that are complete.
    pub complete: usize,
    /// Experiments of the run.
    pub of: usize,
    /// Rows of `experiments.csv` that were cut off because they were not complete.
    pub cut_off_rows: u64,
    /// Rows of `readings.csv` that were cut off, of which no complete experiment has need.
    pub cut_off_readings: u64,
    /// Experiments that failed and are tried again.
    pub tried_again: usize,
    /// The experiment that was being tried on a card when the run died: it is not tried again.
    pub given_up: Option<String>,
}

/// Is told how a run goes.
pub trait Progress {
    /// The run enters a stage.
    fn enter(&mut self, stage: Stage);
    /// So many of the stage's items are done, since the last call.
    fn advance(&mut self, items: usize);
}

/// Does not want to know.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn enter(&mut self, _: Stage) {}
    fn advance(&mut self, _: usize) {}
}
