//! What assembles the kernels.

use super::Finding;
use crate::llvm::{Linker, Llvm};

/// LLVM's library and the linker, wherever they are searched for.
pub fn tools() -> Vec<Finding> {
    let llvm = match Llvm::find(None) {
        Ok(llvm) => llvm,
        Err(error) => {
            return vec![Finding::bad("LLVM", error.to_string(), "docs/install.md says which versions there are")];
        }
    };
    let found = Finding::good("LLVM", format!("{} at {}", llvm.version(), llvm.path().display()));
    let linker = match Linker::find(None, &llvm) {
        Ok(linker) => Finding::good("linker", format!("{} at {}", linker.version(), linker.path().display())),
        Err(error) => Finding::bad("linker", error.to_string(), "install lld, or name one with --lld"),
    };
    vec![found, linker]
}
