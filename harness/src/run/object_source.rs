//! Where the code objects of a run are from.

use std::collections::HashMap;

use super::RunError;
use crate::device::DeviceInformation;
use crate::kernel::{KernelPlan, Templates};

/// A linked code object that was checked.
#[derive(Debug)]
pub struct Object {
    pub(super) bytes: Vec<u8>,
    pub(super) kernels: u32,
}

/// Kernels that do not assemble, by name, with the reason.
pub type Failures = HashMap<String, String>;

/// Where the checked code objects of a run are from.
pub trait ObjectSource {
    /// What made them, for `run.json`.
    fn made_by(&self) -> String;

    /// The code object of these kernels; of those that do not assemble, why.
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
