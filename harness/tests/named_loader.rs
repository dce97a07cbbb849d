//! The program under a dynamic loader that was named: its device's process is started under that loader again.
#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The loader of this test, which is that of the program.
fn loader() -> PathBuf {
    let maps = fs::read_to_string("/proc/self/maps").unwrap();
    let files = maps.split_whitespace().map(Path::new);
    let is_loader = |file: &&Path| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ld-linux"));
    files.filter(|file| file.is_absolute()).find(is_loader).expect("a loader is mapped").to_owned()
}

/// The timings that a command measures on a simulated device with a process of its own.
fn measured(mut command: Command) -> String {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    command
        .args(["measure", "--isolate", "--device", "sim:fiji", "--only", "V_ADD_F32", "--waves", "1", "--out"])
        .arg(&run);
    command.env_remove("GCN_TIMINGS_LLVM").env_remove("GCN_TIMINGS_LLD").stdin(Stdio::null());
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    fs::read_to_string(run.join("timings.csv")).unwrap()
}

#[test]
fn the_device_is_started_under_the_same_loader() {
    let program = env!("CARGO_BIN_EXE_gcn-timings");
    let by_itself = measured(Command::new(program));
    assert!(by_itself.contains("V_ADD_F32"), "{by_itself}");
    for options in [&[][..], &["--library-path", "/usr/lib"], &["--argv0", "another"]] {
        let mut command = Command::new(loader());
        command.args(options).arg(program);
        assert_eq!(measured(command), by_itself, "{options:?}");
    }
}
