//! The content of the archive: the program with its card drivers, and the kernels of a target.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use gcn_tests::{Rocm, ended};
use tempfile::TempDir;

/// The GPU whose kernels are packed: that of a target which every version of ROCm takes.
pub(crate) const GPU: &str = "vega10";
pub(crate) const TARGET: &str = "gfx900";
/// Where the archive is unpacked.
pub(crate) const PLACE: &str = "opt/gcn-timings";
/// The program there.
pub(crate) const PROGRAM: &str = "/opt/gcn-timings/bin/gcn-timings";

/// The program on this machine, which has LLVM.
pub(crate) fn here(rocm: &Rocm) -> Command {
    let mut command = rocm.program();
    command.env_remove("GCN_TIMINGS_KERNELS");
    command
}

/// The kernels of the GPU that the tests launch, assembled once.
fn kernels(rocm: &Rocm) -> &'static TempDir {
    static KERNELS: OnceLock<TempDir> = OnceLock::new();
    KERNELS.get_or_init(|| {
        // A static is not dropped: the folder goes with the build's.
        let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        let mut command = here(rocm);
        command.args(["assemble", "--quick", "--gpu", GPU, "--out"]).arg(folder.path());
        ended(command, 0);
        folder
    })
}

/// Unpacks it into a root, as `packaging/build` lays it out.
pub(crate) fn unpack(rocm: &Rocm, root: &Path) {
    let (bin, share) = (root.join(PLACE).join("bin"), root.join(PLACE).join("share/gcn-timings/kernels"));
    fs::create_dir_all(&bin).unwrap();
    fs::create_dir_all(&share).unwrap();
    let program = bin.join("gcn-timings");
    fs::copy(rocm.program().get_program(), &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    for kept in fs::read_dir(kernels(rocm).path()).unwrap() {
        let kept = kept.unwrap();
        fs::copy(kept.path(), share.join(kept.file_name())).unwrap();
    }
}
