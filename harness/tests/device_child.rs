//! The program whose device lives in a process of its own, as a user meets it when that process ends or hangs.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

// Instructions of one dword need no line-start probes: others depend on those, and they are retried when they fail.
fn program(folder: &Path, options: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    command.env_remove("GCN_TIMINGS_LLVM").env_remove("GCN_TIMINGS_LLD").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.args([
        "measure",
        "--isolate",
        "--device",
        "sim:fiji",
        "--suite",
        "instructions",
        "--only",
        "V_[AM][DU][DL]_F[13]*",
    ]);
    command.args(["--waves", "1", "--out"]).arg(folder).args(options);
    command
}

/// The process that drives the device of a run, if there is one.
fn device_of(run: &Child) -> Option<u32> {
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", run.id())).ok()?;
    let is_device = |id: &str| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("device-child")
    };
    children.split_whitespace().find(|id| is_device(id))?.parse().ok()
}

fn signal(id: u32, signal: &str) {
    assert!(Command::new("kill").args([signal, &id.to_string()]).status().unwrap().success());
}

fn wait_for<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(start.elapsed() < Duration::from_secs(3600), "{what} does not come");
        sleep(Duration::from_millis(2));
    }
}

/// Starts a run and sends its device a signal as soon as an attempt begins; returns the attempt.
fn disturbed(name: &str, options: &[&str]) -> (TempDir, PathBuf, Child, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let run = program(&path, options).spawn().unwrap();
    let trying = |path: &Path| fs::read_to_string(path.join("trying.json")).ok().filter(|text| text.ends_with('\n'));
    // Behind the fillers, which others rest on: those would be tried again.
    wait_for("a launch", || trying(&path).filter(|text| !text.contains("/filler")));
    let device = wait_for("the device", || device_of(&run));
    signal(device, name);
    // Of a device that hangs, the current or the next attempt: nothing follows it.
    let (mut text, mut looks) = (trying(&path), 0);
    while name == "-STOP" && looks < 20 {
        sleep(Duration::from_millis(20));
        let now = trying(&path);
        looks = if now == text { looks + 1 } else { 0 };
        text = now;
    }
    let text = text.unwrap_or_default();
    (folder, path, run, text)
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn failed(path: &Path) -> Vec<String> {
    let rows = fs::read_to_string(path.join("experiments.csv")).unwrap();
    rows.lines().filter(|row| row.contains(",failed,")).map(Into::into).collect()
}

#[test]
fn a_device_that_is_killed_costs_one_row() {
    let (_folder, path, run, _) = disturbed("-KILL", &[]);
    let output = run.wait_with_output().unwrap();
    // Something is lost.
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(text(&output).contains("1 of ") && text(&output).contains("experiments failed"), "{}", text(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("  lost          1 of "));
    let failed = failed(&path);
    // Killed between two launches, the next one finds it gone.
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].contains("was ended by signal 9 (SIGKILL)"), "{failed:?}");
    assert!(!path.join("trying.json").exists());
    let timings = fs::read_to_string(path.join("timings.csv")).unwrap();
    assert!(timings.contains("V_ADD_F32") && timings.contains("V_MUL_F16"), "{timings}");
}

#[test]
fn a_device_that_hangs_is_noted_and_given_up() {
    let (_folder, path, run, trying) = disturbed("-STOP", &["--launch-timeout", "10s"]);
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    let error = typed(&text(&output), &path);
    assert_eq!(
        (error.status.code(), text(&error).contains("1 that failed are retried")),
        (Some(0), true),
        "{}",
        text(&error)
    );
    let failed = failed(&path);
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].contains("did not answer within 10s"), "{failed:?}");
    // The note names the experiment while it is tried, so that a run that was cut off there can be understood.
    let note: serde_json::Value = serde_json::from_str(&trying).expect("the note is whole");
    let id = failed[0].split(',').next().unwrap();
    assert_eq!(note["experiments"], serde_json::json!([id]), "{note}");
}

#[test]
fn a_device_that_fails_too_often_ends_the_run_with_its_readings() {
    let (_folder, path, run, _) = disturbed("-KILL", &["--max-faults-in-a-row", "1"]);
    let output = run.wait_with_output().unwrap();
    let error = text(&output);
    assert_eq!(output.status.code(), Some(1), "{error}");
    for part in ["the device is lost", "it failed once", "signal 9", "holds the readings so far"] {
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(failed(&path).len(), 1);
    let record: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join("run.json")).unwrap()).unwrap();
    assert!(record["end"].is_null());
    // And it can be analysed again.
    let again = Command::new(env!("CARGO_BIN_EXE_gcn-timings")).arg("analyze").arg(&path).output().unwrap();
    assert_eq!(again.status.code(), Some(0), "{}", text(&again));
}

#[test]
fn a_device_ends_with_its_run() {
    let (_folder, path, mut run, _) = disturbed("-CONT", &["--only", "V_C*"]);
    let device = wait_for("the device", || device_of(&run));
    run.kill().unwrap();
    run.wait().unwrap();
    wait_for("the end of the device", || (!Path::new(&format!("/proc/{device}/exe")).exists()).then_some(()));
    assert!(path.join("trying.json").exists(), "what was being tried is still there");
}

#[test]
fn ctrl_c_is_for_the_run_and_not_for_its_device() {
    let (_folder, path, run, _) = disturbed("-CONT", &["--only", "V_C*"]);
    // The terminal sends it to every process of the run's group.
    let device = wait_for("the device", || device_of(&run));
    let group = |id: u32| {
        let stat = fs::read_to_string(format!("/proc/{id}/stat")).unwrap();
        stat.rsplit(')').next().unwrap().split_whitespace().nth(2).unwrap().to_owned()
    };
    assert_ne!(group(device), group(run.id()));
    signal(run.id(), "-INT");
    let output = run.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(text(&output).contains("interrupted"), "{}", text(&output));
    assert!(failed(&path).is_empty());
    // The printed text can be typed.
    let output = typed(&text(&output), &path);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).contains("resuming after"), "{}", text(&output));
}

/// Types the command that a program printed for a folder: between the last two backticks, as a shell takes it.
fn typed(said: &str, folder: &Path) -> Output {
    let command = said.rsplit('`').nth(1).expect("a command in backticks");
    assert!(
        command.starts_with("gcn-timings measure --resume ") && command.contains(folder.to_str().unwrap()),
        "{command}"
    );
    let program = Path::new(env!("CARGO_BIN_EXE_gcn-timings")).parent().unwrap();
    let path = std::env::join_paths([program, Path::new("/usr/bin"), Path::new("/bin")]).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).env("PATH", path).env_remove("GCN_TIMINGS_LLVM").env_remove("GCN_TIMINGS_LLD");
    shell.stdin(Stdio::null()).output().unwrap()
}

#[test]
fn a_malformed_time_is_wrong_use() {
    for time in ["0s", "-1s", "ten", "10"] {
        let output = Command::new(env!("CARGO_BIN_EXE_gcn-timings"))
            .args(["measure", &format!("--launch-timeout={time}")])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{time}: {}", text(&output));
    }
}
