//! Kept code objects as the source of a run's.

use std::collections::HashSet;

use gcn_model::code_object::CodeObject;

use super::RunError;
use super::assembling::module;
use super::object_source::{Failures, Object, ObjectSource, Refusal};
use crate::device::DeviceInformation;
use crate::kept_kernels::{KeptKernels, KeptKernelsError};
use crate::kernel::{CheckError, KernelPlan, Templates};

/// Kept code objects, for a machine without LLVM.
#[derive(Debug)]
pub struct WithoutLlvm {
    /// The kept kernels of the device's target.
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
        // Only those that the hazard table forbids are in the module and not in the object.
        let object = CodeObject::read(bytes).map_err(CheckError::from)?;
        let kept: HashSet<&str> = object.kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        let left_out = kernels.iter().filter(|plan| !kept.contains(plan.name.as_str()));
        let left_out: Failures = left_out.map(|plan| (plan.name.clone(), Refusal::Unspaced(String::new()))).collect();
        Ok((Object { bytes: bytes.to_vec(), kernels: kept.len() as u32 }, left_out))
    }
}
