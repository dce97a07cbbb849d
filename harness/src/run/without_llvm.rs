//! Kept code objects as the source of a run's.

use super::RunError;
use super::assembling::module;
use super::object_source::{Failures, Object, ObjectSource};
use crate::device::DeviceInformation;
use crate::kept_kernels::{KeptKernels, KeptKernelsError};
use crate::kernel::{KernelPlan, Templates};

/// Kept code objects, for a machine without LLVM.
#[derive(Debug)]
pub struct WithoutLlvm {
    /// What was kept for the device's target.
    pub kept: KeptKernels,
    /// Why there is no LLVM.
    pub llvm: String,
}

impl ObjectSource for WithoutLlvm {
    fn made_by(&self) -> String {
        self.kept.made_by().to_owned()
    }

    fn object(
        &self,
        information: &DeviceInformation,
        templates: &Templates,
        kernels: &[KernelPlan],
    ) -> Result<(Object, Failures), RunError> {
        let module = module(information, templates, kernels)?;
        let Some(bytes) = self.kept.object(&module) else {
            return Err(KeptKernelsError::NotKept { llvm: self.llvm.clone() }.into());
        };
        Ok((Object { bytes: bytes.to_vec(), kernels: kernels.len() as u32 }, Failures::new()))
    }
}
