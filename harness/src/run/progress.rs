//! How a run goes, for whoever watches it.

use std::fmt;
use std::path::Path;

use gcn_model::record::{ExperimentRecord, RunRecord};

use super::Expected;

/// The file of a run's folder in which it is told how the run went.
pub const LOG: &str = "log.txt";

/// The current activity of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// The plan is complete, with its cost on the device; a resumed run has done a part of it.
    Planned(Expected),
    /// Rendering, assembling and checking this many kernels.
    Assembling { kernels: usize },
    /// Rounds on with a run that was cut off.
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

/// The place where an interrupted run is resumed.
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
    pub retried: usize,
    /// The experiment that was being tried on a card when the run died: it is not tried again.
    pub given_up: Option<String>,
}

impl fmt::Display for Resuming {
    /// The complete part, the part that was cut off, and the skipped one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { complete, of, cut_off_rows, cut_off_readings, retried, given_up } = self;
        write!(f, "resuming after {complete} of {of} experiments")?;
        if cut_off_rows + cut_off_readings > 0 {
            write!(
                f,
                "; cut off, since incomplete: {cut_off_rows} lines of experiments.csv, {cut_off_readings} of readings.csv"
            )?;
        }
        if *retried > 0 {
            write!(f, "; {retried} that failed are retried")?;
        }
        match given_up {
            Some(experiment) => {
                write!(f, "; the run died during {experiment}, which is not retried")
            }
            None => Ok(()),
        }
    }
}

/// What happened in a run, for its log.
#[derive(Debug, Clone, Copy)]
pub enum Event<'e> {
    /// The code objects are loaded, and the record is on disk in this folder.
    Begun {
        folder: &'e Path,
        /// `run.json`.
        record: &'e RunRecord,
    },
    /// An experiment was tried to its end, and that is on disk.
    Attempted {
        /// Round of the schedule, counted from 0.
        round: u32,
        /// The experiment, and how it ended.
        experiment: &'e ExperimentRecord,
        /// Launches that it has.
        launches: usize,
    },
}

/// Is told how a run goes.
pub trait Progress {
    /// The run enters a stage.
    fn enter(&mut self, stage: Stage);
    /// So many of the stage's items are done, since the last call.
    fn advance(&mut self, items: usize);
    /// Something happened.
    fn event(&mut self, event: &Event<'_>);
}

/// Does not want to know.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn enter(&mut self, _: Stage) {}
    fn advance(&mut self, _: usize) {}
    fn event(&mut self, _: &Event<'_>) {}
}
