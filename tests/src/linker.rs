//! A linker that keeps its inputs, or spoils them.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use gcn_harness::llvm::{Linker, Llvm};

/// Offset of `e_ident[EI_ABIVERSION]`, the version of a code object: 2 for version 4, 3 for 5, 4 for 6 (LLVM `AMDGPUUsage`, "ELF header").
pub const ABI_VERSION: u32 = 8;

/// A linker that keeps its last output in its own folder, after writing a byte into it if one is given: (offset, value). A byte of the ELF
/// header is all that tells the version and the target of a code object.
///
/// # Panics
/// If the machine has no linker, or the script cannot be written.
pub fn linker(folder: &Path, byte: Option<(u32, u8)>) -> PathBuf {
    let own = Linker::find(None, &Llvm::find(None).expect("LLVM")).expect("a linker").path().to_owned();
    let flavor = if own.ends_with("rust-lld") { "-flavor gnu" } else { "" };
    let change = byte.map_or(String::new(), |(offset, value)| {
        format!("printf '\\{value:03o}' | dd of=linked bs=1 seek={offset} conv=notrunc status=none\n")
    });
    let script = format!(
        "#!/bin/sh\n'{}' {flavor} \"$@\" || exit\n[ -f linked ] || exit 0\n{change}cp linked '{}'\n",
        own.display(),
        folder.join("linked").display()
    );
    let path = folder.join("linker");
    fs::write(&path, script).expect("a script");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a program");
    path
}
