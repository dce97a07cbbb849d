//! The text to be assembled.

use super::Text;

/// A code object as text.
///
/// In each text the sections, descriptors and symbols are as `llvm-mc` takes them. Each part starts in `.text`. The header
/// and the footer hold directives only.
#[derive(Debug, Clone, Default)]
pub struct ModuleSource {
    /// LLVM's name of the target, such as `gfx803`.
    pub target: String,
    /// What stands before the kernels: `.amdgcn_target`, `.amdhsa_code_object_version`.
    pub header: Text,
    /// The kernels, in the order in which they are to lie in the code object.
    pub kernels: Vec<KernelSource>,
    /// What stands after the kernels: `.amdgpu_metadata`, exactly once.
    pub footer: Text,
}

/// One kernel as text.
#[derive(Debug, Clone, Default)]
pub struct KernelSource {
    /// The label of its first instruction and the name in its `.amdhsa_kernel`.
    pub name: String,
    /// Its code and its `.amdhsa_kernel` block. Labels that start with `.L` are its own; others are the module's.
    pub text: Text,
}
