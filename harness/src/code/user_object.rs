//! An ELF file for AMDGPU that a user brings, by itself or in an offload bundle.

use gcn_model::gpu::Gpu;
use gcn_model::isa::Processor;

use super::function::Function;
use super::label::Label;
use super::{CodeError, object_code};

/// An ELF file for AMDGPU, linked or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserObject<'data> {
    pub bytes: &'data [u8],
    /// The byte of the file of bundles at which it begins, if it came in one.
    pub at: Option<u64>,
    /// Its target, as far as it names it.
    pub processor: Option<Processor>,
    /// Its functions, by section and address; at least one.
    pub functions: Vec<Function>,
    /// The labels in them.
    pub labels: Vec<Label>,
}

impl<'data> UserObject<'data> {
    /// Reads an ELF file that is not in a bundle, whatever it is for.
    ///
    /// # Errors
    /// Not for AMDGPU, or for an unknown processor, or damaged, or without code.
    pub fn read(bytes: &'data [u8]) -> Result<Self, CodeError> {
        let object = object_code::read(bytes)?;
        let processor = Processor::of_mach(object.mach);
        // Code without a target is for the given GPU.
        if processor.is_none() && object.mach != 0 {
            let mach = object.mach;
            let problem = format!("a code object for a processor that is not known (EF_AMDGPU_MACH {mach:#x})");
            return Err(CodeError::Object(format!("{problem}: compile it for another target, such as gfx1201")));
        }
        Ok(Self { bytes, at: None, processor, functions: object.functions, labels: object.labels })
    }

    /// Reads an ELF file that a bundle has for a GPU.
    ///
    /// # Errors
    /// Those of [`Self::read`], with its place; it is for another processor than the bundle says.
    pub(super) fn of_bundle(bytes: &'data [u8], at: u64, gpu: &Gpu) -> Result<Self, CodeError> {
        let wrong = |problem: String| CodeError::Object(format!("the code at byte {at}: {problem}"));
        let object = Self::read(bytes).map_err(|error| wrong(error.to_string()))?;
        match object.other_processor(gpu) {
            Some(_) => Err(wrong(format!("it is not for {}, as the bundle says", gpu.processor().name()))),
            None => Ok(Self { at: Some(at), ..object }),
        }
    }

    /// Whether a GPU can run it.
    ///
    /// # Errors
    /// It is for another processor.
    pub(super) fn check(&self, gpu: &Gpu) -> Result<(), CodeError> {
        let Some(other) = self.other_processor(gpu) else { return Ok(()) };
        Err(CodeError::OtherProcessor {
            of_file: other.name().to_owned(),
            gpu: gpu.name.clone(),
            of_gpu: gpu.processor().name().to_owned(),
        })
    }

    fn other_processor(&self, gpu: &Gpu) -> Option<Processor> {
        self.processor.filter(|processor| !gpu.processor().runs(*processor))
    }
}
