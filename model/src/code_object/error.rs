//! What can be wrong with a code object.

/// Why a file is not a code object that can be loaded.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CodeObjectError {
    /// The file is no ELF file, or it is cut off.
    #[error("not a readable ELF file ({0}): the code object is damaged or cut off; assemble it again")]
    Elf(String),
    /// The ELF file is for another machine or operating system.
    #[error("{0}")]
    Foreign(String),
    /// The code object version is not one that the loaders of ROCm 4.2 to 7 take.
    #[error("code object version with ELF ABI version {0}: only versions 4 to 6 (ABI versions 2 to 4) are read")]
    Version(u8),
    /// The file holds objects of a compiler as they are before linking.
    #[error("the file is not linked: link it with `ld.lld -shared`")]
    NotLinked,
    /// The file's statements about its kernels are missing or damaged.
    #[error("its metadata: {0}")]
    Metadata(String),
    /// A kernel's descriptor or code lies outside the file.
    #[error("kernel {kernel}: {problem}")]
    Kernel { kernel: String, problem: String },
}
