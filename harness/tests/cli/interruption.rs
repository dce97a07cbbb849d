//! Runs and readers that stop early.

use std::fs;
#[cfg(unix)]
use std::io::Write;
#[cfg(unix)]
use std::os::fd::OwnedFd;
#[cfg(unix)]
use std::os::unix::{net::UnixStream, process::ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, Stdio};
#[cfg(unix)]
use std::sync::{Arc, atomic::AtomicBool};
use std::thread::sleep;
use std::time::{Duration, Instant};

#[cfg(unix)]
use signal_hook::{consts::SIGINT, flag::register_conditional_shutdown};

use super::launched::{LAUNCH, kernel, write};
use super::{CommandOutput, program, run, said, small_run, temporary, text};

/// Waits until a file has that many bytes.
fn wait_for(path: &Path, bytes: u64, child: &mut Child) {
    let start = Instant::now();
    while fs::metadata(path).map_or(0, |file| file.len()) < bytes {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it could be interrupted");
        assert!(start.elapsed() < Duration::from_secs(3600), "{} does not grow", path.display());
        sleep(Duration::from_millis(5));
    }
}

/// Sends a signal, by the name that `kill` knows.
#[cfg(unix)]
fn signal(name: &str, child: &Child) {
    let killed = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
}

/// Measures into a folder until this many bytes of readings are there and a signal comes.
#[cfg(unix)]
fn interrupted(path: &Path, more: &[&str], (bytes, name): (u64, &str)) -> CommandOutput {
    let mut command = program();
    command.args(["measure", "--only", "V_*_F32", "--threads", "1", "--out", text(path)]).args(more);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&path.join("readings.csv"), bytes, &mut child);
    signal(name, &child);
    said(child.wait_with_output().unwrap())
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_stays_usable() {
    let folder = temporary();
    let path = folder.path().join("run");
    let mut bytes = 0;
    for (name, expected, more) in [("INT", 130, &[][..]), ("TERM", 143, &["--resume"])] {
        // The second run goes on with the first one.
        let CommandOutput { code, out, error } = interrupted(&path, more, (bytes + 4096, name));
        bytes = fs::metadata(path.join("readings.csv")).unwrap().len();
        assert_eq!(code, Some(expected), "{out}{error}");
        assert!(error.contains("interrupted"), "{error}");
        let record: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(path.join("run.json")).unwrap()).unwrap();
        assert!(record["end"].is_null());
        let CommandOutput { code, out: analysed, .. } = run(&["analyze", text(&path)]);
        assert_eq!(code, Some(0));
        assert!(analysed.contains("Incomplete run") && analysed.contains(" measured"), "{analysed}");
        if name == "INT" {
            // A job that is ended may be gone before it has said this, or between two experiments of one row.
            assert!(out.contains("Incomplete run") && error.contains(text(&path)), "{out}{error}");
            let timings = fs::read_to_string(path.join("timings.csv")).unwrap();
            assert!(timings.lines().count() > 2 && !timings.contains(",failed,"), "{timings}");
            let measured = timings.lines().nth(1).and_then(|row| row.split(',').next()).unwrap();
            every_view_says_that_it_is_incomplete(text(&path), measured);
        }
    }
}

fn every_view_says_that_it_is_incomplete(run_folder: &str, measured: &str) {
    let site = temporary();
    for command in [
        &["show", measured, run_folder][..],
        &["export", run_folder, "--format", "csv"],
        &["compare", run_folder, run_folder],
        &["report", run_folder],
        &["plot", run_folder],
        &["site", run_folder, "--out", text(&site.path().join("site"))],
        &["validate", run_folder],
    ] {
        let CommandOutput { out, error, .. } = run(command);
        assert!((out + &error).to_lowercase().contains("incomplete"), "{command:?}");
    }
}

/// Gives the programs that this process starts the default of SIGINT: a shell starts jobs in the background with it ignored, which programs
/// inherit, and what a handler catches is the default in them.
#[cfg(unix)]
fn heed_interrupts() {
    let always = Arc::new(AtomicBool::new(true));
    register_conditional_shutdown(SIGINT, 130, always).unwrap();
}

/// One end of a connection that takes nothing more, and the other end, which is not read.
#[cfg(unix)]
fn full() -> (Stdio, UnixStream) {
    let (unread, mut full) = UnixStream::pair().unwrap();
    full.set_nonblocking(true).unwrap();
    while full.write(&[0; 4096]).is_ok() {}
    full.set_nonblocking(false).unwrap();
    (Stdio::from(OwnedFd::from(full)), unread)
}

/// The exit code of a command that can print nothing, and so has no end, when it gets a signal; a shell gives a program that a signal
/// ended the same code.
#[cfg(unix)]
fn code_of_signal(arguments: &[&str], wait: Duration, name: &str) -> i32 {
    let (out, _unread) = full();
    let mut child = program().args(arguments).stdout(out).stderr(Stdio::null()).spawn().unwrap();
    sleep(wait);
    assert!(child.try_wait().unwrap().is_none(), "{arguments:?} ended by itself");
    signal(name, &child);
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code().or(status.signal().map(|signal| 128 + signal)).unwrap();
        }
        assert!(start.elapsed() < Duration::from_secs(120), "{arguments:?} goes on after SIG{name}");
        sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_each_command() {
    heed_interrupts();
    let folder = temporary();
    let [made, copy, page, bundle] = ["made", "copy", "page", "bundle"].map(|name| folder.path().join(name));
    let measured = small_run(&folder);
    let code = write(folder.path(), "k.s", &kernel("hidden_group_size_x"));
    let launch = write(folder.path(), "k.toml", LAUNCH);
    let output = program().args(["bundle", text(&measured), "--out", text(&bundle)]).output().unwrap();
    assert!(output.status.success());
    let commands: [&[&str]; 7] = [
        &["predict", &code, "--gpu", "fiji"],
        &["predict", &code, "--gpu", "fiji", "--launch", &launch],
        &["bundle", text(&measured), "--out", text(&copy)],
        &["bundle", "--check", text(&bundle)],
        &["analyze", text(&measured)],
        &["site", text(&measured), "--out", text(&page)],
        &["measure", "--threads", "1", "--out", text(&made)],
    ];
    for arguments in commands {
        for (name, code) in [("TERM", 143), ("INT", 130)] {
            // Ctrl-C leaves `measure` what it has to print.
            let is_kept = arguments[0] == "measure" && name == "INT";
            for wait in [0, 300].into_iter().filter(|_| !is_kept) {
                assert_eq!(code_of_signal(arguments, Duration::from_millis(wait), name), code, "{arguments:?}");
                for made in [&made, &copy, &page] {
                    let _ = fs::remove_dir_all(made).or_else(|_| fs::remove_file(made));
                }
            }
        }
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    // The list is longer than a pipe holds.
    let mut command = program();
    command.args(["list", "--gpu", "vega10", "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let CommandOutput { code, error, .. } = said(child.wait_with_output().unwrap());
    assert_eq!((code, error.as_str()), (Some(0), ""));
}
