//! The basis of an instruction's timing.

use gcn_model::timing::{InstructionTiming, TimingSource};
use serde::Serialize;

/// The basis of an instruction's cycles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// A run's folder: the user's own card, or a simulated one.
    Measured,
    /// The GPU's file.
    GpuFile,
    /// A row of a published table.
    Published,
    /// A sentence of a published source, or the model of the LDS bus.
    Rule,
    /// Nobody has published it.
    Estimated,
}

impl Basis {
    /// All of them, the surest first.
    pub const ALL: [Self; 5] = [Self::Measured, Self::GpuFile, Self::Published, Self::Rule, Self::Estimated];

    /// A timing's basis, with its place.
    pub(crate) fn of(timing: &InstructionTiming) -> (Self, String) {
        match &timing.source {
            TimingSource::GpuFile { key } => (Self::GpuFile, key.clone()),
            TimingSource::Row { source, section, printed } => {
                (Self::Published, format!("{source}, {section}: {printed}"))
            }
            TimingSource::Rule { source, id, printed } => (Self::Rule, format!("{source}, rule {id}: {printed}")),
            TimingSource::LdsBusModel { exception: None } => (Self::Rule, "the LDS bus model".to_owned()),
            TimingSource::LdsBusModel { exception: Some(_) } => {
                (Self::Rule, "the LDS bus model, with an exception of model/data/timings/lds.csv".to_owned())
            }
            TimingSource::Passes { passes, source } => {
                (Self::Rule, format!("{} passes of 4 cycles ({source})", passes.0))
            }
            TimingSource::Estimate { reason, source } => (Self::Estimated, format!("{reason} ({source})")),
        }
    }

    /// One word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Measured => "measured",
            Self::GpuFile => "GPU file",
            Self::Published => "published",
            Self::Rule => "rule",
            Self::Estimated => "estimated",
        }
    }

    /// One letter, for listings.
    pub fn letter(self) -> char {
        match self {
            Self::Measured => 'M',
            Self::GpuFile => 'G',
            Self::Published => 'P',
            Self::Rule => 'R',
            Self::Estimated => 'E',
        }
    }
}
