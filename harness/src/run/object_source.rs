//! Where the code objects of a run are from.

use std::collections::HashMap;
use std::fmt;

use gcn_model::record::ExperimentStatus;

use super::RunError;
use crate::device::DeviceInformation;
use crate::kernel::{CheckError, KernelPlan, Templates};

/// A linked code object that was checked.
#[derive(Debug)]
pub struct Object {
    pub(super) bytes: Vec<u8>,
    pub(super) kernels: u32,
}

/// Why a kernel is not launched.
#[derive(Debug)]
pub enum Refusal {
    /// LLVM does not assemble a line of its timed code: which, and what LLVM says.
    Line(String),
    /// Its timed code needs wait states: which, where that is known.
    Unspaced(String),
    /// The code around its timed code is not safe to launch: a defect of the templates.
    Unsafe(CheckError),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(why) => f.write_str(why),
            Self::Unspaced(which) => {
                f.write_str("it needs wait states in the timed code, whose cost no experiment subtracts yet")?;
                if which.is_empty() { Ok(()) } else { write!(f, ": {which}") }
            }
            Self::Unsafe(error) => error.fmt(f),
        }
    }
}

impl Refusal {
    /// The end of an experiment that needs the kernel: an error in the templates counts as a failure.
    pub(super) fn status(&self) -> ExperimentStatus {
        match self {
            Self::Line(_) | Self::Unspaced(_) => ExperimentStatus::Unsupported,
            Self::Unsafe(_) => ExperimentStatus::Failed,
        }
    }
}

/// Kernels that are not launched, by name.
pub type Failures = HashMap<String, Refusal>;

/// Where the checked code objects of a run are from.
pub trait ObjectSource {
    /// What made them, for `run.json`.
    fn made_by(&self) -> String;

    /// The code object of these kernels without those that are refused, and why they are.
    ///
    /// # Errors
    /// A line of the templates does not assemble, the code differs from the plan, or it was not kept.
    fn object(
        &self,
        information: &DeviceInformation,
        templates: &Templates,
        kernels: &[KernelPlan],
    ) -> Result<(Object, Failures), RunError>;
}
