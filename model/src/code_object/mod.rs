//! AMDHSA code objects: what a kernel is on disk, as a driver's loader reads it.

mod descriptor;
mod error;
mod object_file;

pub use descriptor::KernelDescriptor;
pub use error::CodeObjectError;
pub use object_file::{CodeObject, Kernel};
