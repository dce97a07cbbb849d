//! `gcn-timings predict --trip` and `--start`.

use anyhow::bail;
use clap::Args;
use gcn_predict::{Card, Code, PredictError, Prediction, Start, Trip};

use super::prediction_format::Format;

/// The number of iterations, and the state at the start.
#[derive(Debug, Args)]
#[command(next_help_heading = "Runs from start to end")]
pub(super) struct TripOptions {
    /// Time of this many iterations of each wave, from the start of the first wave to the end of the last
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "launch")]
    trip: Option<u32>,
    /// Content of the instruction cache when --trip or --launch starts: `warm` is the code, `cold` nothing; cold=CYCLES,
    /// cold=LOW..HIGH or cold=dram, as measured on an R9 Nano, say how long a missing line takes [default: cold, with the
    /// cycles of the GPU]
    #[arg(long, value_name = "warm|cold|cold=CYCLES")]
    start: Option<Start>,
}

impl TripOptions {
    /// The instruction cache at the start.
    pub(super) fn start(&self) -> Start {
        self.start.clone().unwrap_or_default()
    }

    /// Refuses what does not go together, of a prediction that is no launch.
    pub(super) fn check(&self, format: Format, has_table: bool) -> anyhow::Result<()> {
        match self.trip {
            None if self.start.is_some() => bail!("--start says how a run begins: add --trip N, or --launch"),
            None => Ok(()),
            Some(_) if has_table && format == Format::Text => {
                bail!("--trip does not fit the table of --waves all: give a number of waves, or --json")
            }
            Some(_) => format.must_be_plain("--trip"),
        }
    }

    /// The time of a prediction's iterations, if it was asked for.
    pub(super) fn answer(
        &self,
        card: &Card,
        code: &Code,
        prediction: &Prediction,
    ) -> Result<Option<Trip>, PredictError> {
        self.trip.map(|iterations| Trip::of(card, code, prediction, iterations, &self.start())).transpose()
    }
}
