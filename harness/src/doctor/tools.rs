//! What assembles the kernels.

use std::path::Path;

use super::Finding;
use crate::llvm::{Linker, Llvm};

/// What kept kernels are enough for.
const KEPT_ARE_ENOUGH_FOR: &str = "those are what `measure`, `measure --quick` and `dpfactor` launch; LLVM 18 or newer with its linker assembles all others";

/// LLVM's library and the linker, wherever they are searched for; without LLVM, the folder of kept kernels, if there is one.
pub fn tools(kept: Option<&Path>) -> Vec<Finding> {
    let has_kept = kept.is_some_and(Path::is_dir);
    let note =
        |subject| Finding::note(subject, "missing; the kernels next to the program are used", KEPT_ARE_ENOUGH_FOR);
    let llvm = match Llvm::find(None) {
        Ok(llvm) => llvm,
        Err(_) if has_kept => return vec![note("LLVM")],
        Err(error) => {
            // Where was looked is told by the commands that need it.
            let says = error.to_string();
            let first = says.lines().next().unwrap_or_default().to_owned();
            return vec![Finding::bad("LLVM", first, "docs/install.md says which versions there are")];
        }
    };
    let found = Finding::good("LLVM", format!("{} at {}", llvm.version(), llvm.path().display()));
    let linker = match Linker::find(None, &llvm) {
        Ok(linker) => Finding::good("linker", format!("{} at {}", linker.version(), linker.path().display())),
        // As ROCm's libraries alone are: LLVM is one of them, and its linker is not.
        Err(_) if has_kept => note("linker"),
        Err(error) => Finding::bad("linker", error.to_string(), "install lld, or name one with --lld"),
    };
    vec![found, linker]
}
