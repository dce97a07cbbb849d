//! A code object with all that a launch of its kernels needs.

use object::LittleEndian as LE;
use object::elf::{ET_REL, FileHeader64};
use object::read::elf::FileHeader as _;

use super::{CodeObject, CodeObjectError, Image, KernelNeeds, Metadata};

/// A code object that can be launched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadableObject {
    pub object: CodeObject,
    pub image: Image,
    pub metadata: Metadata,
}

impl LoadableObject {
    /// Reads a linked code object.
    ///
    /// # Errors
    /// A file that is damaged, for another machine, not linked, or that says nothing of its kernels' arguments.
    pub fn read(bytes: &[u8]) -> Result<Self, CodeObjectError> {
        if Self::wants_linking(bytes) {
            return Err(CodeObjectError::NotLinked);
        }
        let object = CodeObject::read(bytes)?;
        Ok(Self { object, image: Image::of_file(bytes)?, metadata: Metadata::of_file(bytes)? })
    }

    /// The needs of a kernel; `None` if no kernel has the name.
    pub fn needs(&self, kernel: &str) -> Option<KernelNeeds> {
        let descriptor = self.object.kernel(kernel)?.descriptor;
        Some(KernelNeeds { descriptor: Some(descriptor), metadata: self.metadata.kernel(kernel).cloned() })
    }

    /// Whether an ELF file has not been linked.
    pub fn wants_linking(bytes: &[u8]) -> bool {
        FileHeader64::<LE>::parse(bytes).is_ok_and(|header| header.e_type(LE) == ET_REL)
    }
}
