//! Small plans that have every kind of experiment between them, and their runs without a disturbance.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A measurement: a name, the options, and how many points of it are tried if not all are.
pub(crate) type Options = (&'static str, &'static [&'static str], usize);

/// All of them. The last one goes the way of a card: a process of its own for the device, each launch on disk before the next.
pub(crate) const ALL: [Options; 5] = [
    (
        "instructions and scheduling",
        &[
            "--suite",
            "instructions",
            "--suite",
            "scheduling",
            "--only",
            "V_ADD_F32",
            "--only",
            "V_ADD_F64",
            "--only",
            "S_LOAD_DWORD",
            "--only",
            "S_CBRANCH_SCC0",
        ],
        40,
    ),
    ("alignment", &["--suite", "alignment", "--only", "V_MOV_B32", "--only", "S_CBRANCH_SCC0"], 16),
    ("residence", &["--suite", "occupancy", "--only", "S_SLEEP"], 12),
    (
        "issue and LDS",
        &[
            "--suite",
            "occupancy",
            "--suite",
            "lds",
            "--only",
            "V_ADD_F32",
            "--only",
            "S_CBRANCH_SCC0",
            "--only",
            "DS_READ_B32",
        ],
        20,
    ),
    ("a card", &["--isolate", "--suite", "instructions", "--only", "V_ADD_F32"], 60),
];

/// A plan and its run in one go.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) name: &'static str,
    pub(crate) options: &'static [&'static str],
    /// Points of it that are tried if not all are.
    pub(crate) some: usize,
    /// Steps that its run takes on the disk.
    pub(crate) steps: u64,
    /// What its folder then holds.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    _folder: TempDir,
}

impl Plan {
    /// Measures it.
    pub(crate) fn new((name, options, some): &Options) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (run, steps) = (folder.path().join("run"), folder.path().join("steps"));
        let mut command = program(&run, options, &[]);
        under(&mut command, &run).env("GCN_DISK_STEPS", &steps);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let steps = fs::read_to_string(steps).unwrap().lines().count() as u64;
        Self { name, options, some: *some, steps, files: files(&run), _folder: folder }
    }

    /// Whether it is measured through a process of the device's own.
    pub(crate) fn is_card(&self) -> bool {
        self.options.contains(&"--isolate")
    }
}

/// The program on a folder.
pub(crate) fn program(run: &Path, options: &[&str], more: &[&str]) -> Command {
    let own = PathBuf::from(env!("CARGO_BIN_EXE_gcn-timings-to-be-killed"));
    // Another build, for comparison.
    let path = std::env::var_os("GCN_TIMINGS_PROGRAM").map_or(own, PathBuf::from);
    let mut command = Command::new(path);
    command.env_remove("LD_PRELOAD").env_remove("GCN_TIMINGS_LLVM").env_remove("GCN_TIMINGS_LLD").stdin(Stdio::null());
    command.args(["measure", "--device", "sim:tahiti", "--waves", "1", "--samples", "4", "--threads", "1", "--out"]);
    command.arg(run).args(options).args(more);
    command
}

/// With the library in front of it.
pub(crate) fn under<'c>(command: &'c mut Command, run: &Path) -> &'c mut Command {
    let library = std::env::current_exe().unwrap().with_file_name("libgcn_disk_faults.so");
    assert!(library.exists(), "{} is not there", library.display());
    command.env("LD_PRELOAD", library).env("GCN_DISK_FOLDER", run)
}

/// The files of a run without times, and so without the checksum of `run.json`.
pub(crate) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let content = |name: &str| {
        let content = fs::read(folder.join(name)).unwrap();
        if name != "run.json" {
            return content;
        }
        let mut record: serde_json::Value = serde_json::from_slice(&content).unwrap();
        for key in ["start", "end", "sha256", "resumed", "tries"] {
            record.as_object_mut().unwrap().remove(key);
        }
        record.to_string().into_bytes()
    };
    // The log tells how a run went, which may be another way.
    names.filter(|name| name != "log.txt").map(|name| (name.clone(), content(&name))).collect()
}
