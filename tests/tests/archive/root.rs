//! A root of its own for a program: a folder that it takes for the whole file system.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use gcn_tests::{ended, text};
use tempfile::TempDir;

/// Set to make it a failure that this system gives no root, instead of skipped tests. `.ci/run` sets it where `unshare` works.
const NEED: &str = "GCN_TIMINGS_NEED_NAMESPACES";

/// Mounts the program's requirements and goes there: `sh -c IN_ROOT sh ROOT [FOLDER PLACE]… -- WORD…`.
const IN_ROOT: &str = r#"set -e
root="$1"; shift
mount --rbind /proc "$root/proc"
mount --bind /dev/null "$root/dev/null"
while [ "$1" != -- ]; do
    mount --rbind "$1" "$root/$2"
    shift 2
done
shift
chroot "$root" "$@"
exit "$?""#;

/// Parts of names by which LLVM, compilers, linkers and ROCm are known, in small letters.
const TOOLS: [&str; 9] = ["llvm", "clang", "lld", "rustc", "rocm", "amdhip", "hsa-runtime", "amd_comgr", "opencl"];

/// A root of its own. It goes with the test.
#[derive(Debug)]
pub(crate) struct Root {
    folder: TempDir,
    /// Folders of this system, and where they are seen.
    seen: Vec<(PathBuf, &'static str)>,
}

/// The command that starts another one where it may mount.
fn unshare() -> Command {
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount"]);
    command
}

/// Whether this system lets a test have a root of its own. Where it does not, a line says why.
fn has_roots() -> bool {
    let tried = unshare().args(["sh", "-c", "mount --rbind /proc /proc"]).output();
    let why = match tried {
        Ok(output) if output.status.success() => return true,
        Ok(output) => text(&output.stderr).trim().to_owned(),
        Err(error) => format!("unshare: {error}"),
    };
    assert!(env::var_os(NEED).is_none(), "{NEED} is set, and there is no root of its own for a program: {why}");
    println!("SKIPPED: no root of its own for a program: {why} ({NEED}=1 makes this a failure)");
    false
}

impl Root {
    /// An empty one; `None`, with a line that says why, where the system gives none.
    pub(crate) fn new() -> Option<Self> {
        if !has_roots() {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        for name in ["proc", "dev", "tmp", "runs", "usr", "etc"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        fs::write(folder.path().join("dev/null"), "").unwrap();
        Some(Self { folder, seen: Vec::new() })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Shows what `.ci/rocm-roots` unpacked as the system.
    pub(crate) fn see_system(&mut self, unpacked: &Path) {
        self.seen.push((unpacked.join("usr"), "usr"));
        // A copy: a test may write there.
        ended(copy_of(&unpacked.join("etc"), self.path()), 0);
        for name in ["lib", "lib64"] {
            symlink(Path::new("usr").join(name), self.path().join(name)).unwrap();
        }
    }

    /// Copies the libraries that the dynamic loader finds for a program, each to the place where it is here.
    pub(crate) fn copy_libraries_of(&self, program: &Path) {
        let listed = text(&Command::new("ldd").arg(program).output().expect("ldd").stdout);
        let words = listed.lines().flat_map(|line| line.split_whitespace().find(|word| word.starts_with('/')));
        let libraries: BTreeSet<&Path> = words.map(Path::new).collect();
        assert!(libraries.len() > 1, "{listed}");
        for library in libraries {
            let copy = self.path().join(library.strip_prefix("/").unwrap());
            fs::create_dir_all(copy.parent().unwrap()).unwrap();
            fs::copy(library, copy).unwrap();
        }
    }

    /// Files of the root, links not followed, whose names are those of LLVM, a compiler, a linker or ROCm.
    pub(crate) fn tools(&self) -> Vec<PathBuf> {
        let is_tool = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            TOOLS.iter().any(|tool| name.contains(tool))
        };
        let seen = self.seen.iter().map(|(folder, _)| folder.clone());
        let files = seen.chain([self.path().to_owned()]).flat_map(|folder| files_below(&folder));
        files.filter(is_tool).collect()
    }

    /// A program in the root, with no variable but those that are added.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = unshare();
        command.env_clear().env("PATH", env::var_os("PATH").unwrap_or_default());
        command.args(["sh", "-c", IN_ROOT, "sh"]).arg(self.path());
        for (folder, place) in &self.seen {
            command.arg(folder).arg(place);
        }
        command.args(["--", program]);
        command
    }
}

fn copy_of(folder: &Path, into: &Path) -> Command {
    let mut command = Command::new("cp");
    command.arg("-a").arg(folder).arg(into);
    command
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let below = |entry: fs::DirEntry| match entry.file_type().unwrap().is_dir() {
        true => files_below(&entry.path()),
        false => vec![entry.path()],
    };
    entries.flat_map(below).collect()
}
