//! What can go wrong with LLVM and its linker.

use super::Diagnostic;
use super::api::OLDEST;
use std::fmt::{Display, Formatter};
use std::path::PathBuf;

/// A searched place, and why its file does not do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The file, folder or pattern that was looked at.
    pub place: String,
    /// Why it was not taken.
    pub reason: String,
}

struct Refusals<'a>(&'a [Refusal]);

impl Display for Refusals<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|Refusal { place, reason }| write!(f, "\n  {place}: {reason}"))
    }
}

/// No usable LLVM library.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LlvmError {
    /// Nothing in the usual places.
    #[error(
        "LLVM not found: no shared library with the AMDGPU assembler. Looked at:{}\n\
         Install LLVM {} or newer (Debian and Ubuntu: apt install libllvm19; or a Rust toolchain from rustup, or ROCm), \
         or name the library with --llvm PATH or GCN_TIMINGS_LLVM=PATH",
        Refusals(refused),
        OLDEST
    )]
    NotFound {
        /// Every place looked at.
        refused: Vec<Refusal>,
    },
    /// The library that the user named does not do.
    #[error("the chosen LLVM library cannot be used:{}", Refusals(refused))]
    Explicit {
        /// The file, or the files of the folder, and why not.
        refused: Vec<Refusal>,
    },
}

/// Text that LLVM does not assemble.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AssembleError {
    /// LLVM does not know the target.
    #[error("{target} is not an AMDGPU target that {llvm} knows")]
    UnknownTarget {
        /// As asked for.
        target: String,
        /// The library and its version.
        llvm: String,
    },
    /// Lines that are wrong.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Text(Vec<Diagnostic>),
    /// LLVM failed as a whole.
    #[error("LLVM emitted no object for {target}: {message}")]
    Emit {
        /// As asked for.
        target: String,
        /// LLVM's message.
        message: String,
    },
    /// The object is not what LLVM is known to emit.
    #[error("the object that LLVM emitted for {target} is not understood: {message}")]
    Object {
        /// As asked for.
        target: String,
        /// Its oddity.
        message: String,
    },
    /// The process that assembles cannot do so: no library, or no process.
    #[error("{0}")]
    Process(String),
    /// The text takes more than it may.
    #[error("{0}")]
    Limit(String),
}

/// No disassembler for a target.
#[derive(Debug, Clone, thiserror::Error)]
pub enum DisassemblerError {
    /// LLVM has no disassembler before GCN 1.2.
    #[error("LLVM has no disassembler for {0} (only for gfx8 and later); use the model's own decoder")]
    TooOld(String),
    /// LLVM does not know the target.
    #[error("{target} is not an AMDGPU target that {llvm} knows")]
    UnknownTarget {
        /// As asked for.
        target: String,
        /// The library and its version.
        llvm: String,
    },
}

/// No usable linker.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LinkerError {
    /// Nothing in the usual places.
    #[error(
        "LLD not found. Looked at:{}\nInstall lld (Debian and Ubuntu: apt install lld; or a Rust toolchain from rustup, \
         which has rust-lld), or name ld.lld with --lld PATH or GCN_TIMINGS_LLD=PATH",
        Refusals(refused)
    )]
    NotFound {
        /// Every place looked at.
        refused: Vec<Refusal>,
    },
    /// The linker that the user named does not do.
    #[error("the chosen linker cannot be used:{}", Refusals(refused))]
    Explicit {
        /// The file and why not.
        refused: Vec<Refusal>,
    },
}

/// Objects that do not link.
#[derive(Debug, thiserror::Error)]
pub enum LinkError {
    /// The temporary folder or the process.
    #[error("cannot run {linker}: {source}")]
    Io {
        linker: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// The linker's own message.
    #[error("{linker} failed: {message}")]
    Failed {
        linker: PathBuf,
        /// Standard error of the linker.
        message: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_every_place_and_the_packages() {
        let refused = |place: &str, reason: &str| Refusal { place: place.to_owned(), reason: reason.to_owned() };
        let places =
            vec![refused("/opt/rocm*/lib/llvm/lib", "no libLLVM"), refused("/usr/lib/libLLVM-14.so.1", "too old")];
        insta::assert_snapshot!(LlvmError::NotFound { refused: places }, @r#"
        LLVM not found: no shared library with the AMDGPU assembler. Looked at:
          /opt/rocm*/lib/llvm/lib: no libLLVM
          /usr/lib/libLLVM-14.so.1: too old
        Install LLVM 18 or newer (Debian and Ubuntu: apt install libllvm19; or a Rust toolchain from rustup, or ROCm), or name the library with --llvm PATH or GCN_TIMINGS_LLVM=PATH
        "#);
    }
}
