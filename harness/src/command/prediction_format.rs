//! What `predict` prints its predictions as.

use anyhow::bail;
use clap::ValueEnum;
use gcn_model::gpu::Gpu;
use gcn_predict::{Prediction, TRACE_CYCLES, page_cycles};
use serde::Serialize;

/// What stands above all predictions.
pub(super) const SIMULATED: &str =
    "Simulated: these cycles were not measured on a card. The memory has one latency per kind.";

/// What predictions are printed as; docs/predict.md describes each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    Text,
    Json,
    Html,
    Trace,
    Csv,
}

impl Format {
    /// Refuses what is printed as text or JSON alone in any other format.
    pub(super) fn must_be_plain(self, what: &str) -> anyhow::Result<()> {
        match self {
            Self::Text | Self::Json => Ok(()),
            _ => bail!("{what} is printed as text or JSON: omit --format, or use --json"),
        }
    }

    /// Whether it shows what waves do one after the other.
    pub(super) fn shows_time(self) -> bool {
        matches!(self, Self::Html | Self::Trace)
    }

    /// Default shader cycles of the run that it shows; `None` if it shows none.
    pub(super) fn cycles(self, prediction: &Prediction) -> Option<u64> {
        match self {
            Self::Html => Some(page_cycles(prediction)),
            Self::Trace => Some(TRACE_CYCLES),
            Self::Text | Self::Json | Self::Csv => None,
        }
    }
}

/// What every JSON of a prediction begins with.
#[derive(Serialize)]
pub(super) struct Heading<'a> {
    schema: &'static str,
    version: &'static str,
    /// Always: no figure is a measurement.
    simulated: bool,
    file: String,
    gpu: &'a str,
    target: &'a str,
}

impl<'a> Heading<'a> {
    pub(super) fn new(schema: &'static str, file: String, gpu: &'a Gpu) -> Self {
        let version = env!("CARGO_PKG_VERSION");
        Self { schema, version, simulated: true, file, gpu: &gpu.name, target: gpu.processor().name() }
    }
}
