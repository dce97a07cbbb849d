//! AMDHSA code objects: a kernel on disk, as a driver's loader reads it.

mod clover;
mod descriptor;
mod error;
mod image;
mod loadable;
mod metadata;
mod needs;
mod object_file;
mod program_registers;

pub use clover::{CloverKernel, clover_module};
pub use descriptor::KernelDescriptor;
pub use error::CodeObjectError;
pub use image::Image;
pub use loadable::LoadableObject;
pub use metadata::{ArgumentKind, ArgumentMetadata, KernelMetadata, Metadata};
pub use needs::{KernelNeeds, VectorRegisters};
pub use object_file::{CodeObject, Kernel};
pub use program_registers::{ProgramRegisters, VectorFile};
