//! Runs that cannot go on: no room, another process, another run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{CommandOutput, NOISY, PATIENCE, Whole, again, measure, said, told};

/// The same command where no file may grow beyond this many blocks of 512 bytes: the program's view of a full disk, except for
/// the words. (A limit that is met sends a signal, which has to be ignored.)
fn with_room(command: &Command, blocks: u64) -> Command {
    let mut limited = Command::new("sh");
    limited.args(["-c", "trap '' XFSZ; ulimit -f \"$0\"; exec \"$@\"", &blocks.to_string()]);
    limited.arg(command.get_program()).args(command.get_args());
    limited
        .current_dir(command.get_current_dir().unwrap())
        .env_remove("GCN_TIMINGS_LLVM")
        .env_remove("GCN_TIMINGS_LLD");
    limited.stdin(Stdio::null());
    limited
}

#[test]
fn a_full_disk_is_named_and_the_run_is_resumed() {
    let whole = Whole::get();
    let folder = whole.another();
    for (name, share, extra) in [("a", 0.4, None), ("b", 0.8, None), ("c", 0.6, Some("--isolate"))] {
        let path = folder.path().join(name);
        let size = fs::metadata(whole.path().join("readings.csv")).unwrap().len();
        let options: Vec<&str> = extra.into_iter().collect();
        let limited = with_room(&again(&path, &options), (size as f64 * share) as u64 / 512);
        let CommandOutput { code, out, error } = said(limited);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{error}");
        for part in ["readings.csv", "File too large", "--resume"] {
            assert!(error.contains(part), "{error}");
        }
        // The stored data is whole, and can be looked at.
        let CommandOutput { code, out, error } = said({
            let mut analyze = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
            analyze.arg("analyze").arg(&path);
            analyze
        });
        assert!(code == Some(0) && out.contains("Incomplete run"), "{out}{error}");
        assert!(!path.join("trying.json").exists(), "it was not the device");
        let CommandOutput { code, error, .. } = said(again(&path, &[&options[..], &["--resume"]].concat()));
        assert_eq!(code, Some(0), "{error}");
        whole.assert_same(&path);
    }
}

/// A file system that is really full: a small one in memory, mounted where only the run sees it, and copied from when the run has ended.
#[test]
fn a_full_file_system_is_named_and_the_run_is_resumed() {
    let mount = ["--map-root-user", "--mount", "sh", "-c"];
    let is_possible = Command::new("unshare").args(mount).arg("mount -t tmpfs tmpfs /tmp").output();
    if !is_possible.is_ok_and(|tried| tried.status.success()) {
        println!("SKIPPED: nothing can be mounted here");
        return;
    }
    let whole = Whole::get();
    let folder = whole.another();
    let (small, path) = (folder.path().join("small"), folder.path().join("run"));
    fs::create_dir(&small).unwrap();
    let script = r#"small=$1 copy=$2; mount -t tmpfs -o size="$0"k tmpfs "$small" || exit 99; shift 2; "$@"; code=$?; cp -r "$small/run" "$copy"; exit $code"#;
    let command = again(&small.join("run"), &[]);
    let mut limited = Command::new("unshare");
    let size = fs::metadata(whole.path().join("readings.csv")).unwrap().len() / 2048;
    limited.args(mount).arg(script).arg(size.to_string()).args([&small, &path]);
    limited.arg(command.get_program()).args(command.get_args());
    limited.current_dir(command.get_current_dir().unwrap()).stdin(Stdio::null());
    limited.env_remove("GCN_TIMINGS_LLVM").env_remove("GCN_TIMINGS_LLD");
    let CommandOutput { code, out, error } = said(limited);
    assert_eq!((code, out.as_str()), (Some(1), ""), "{error}");
    for part in ["No space left on device", "--resume"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert!(!path.join("trying.json").exists(), "it was not the device");
    let CommandOutput { code, error, .. } = said(again(&path, &["--resume"]));
    assert_eq!(code, Some(0), "{error}");
    assert!(error.contains("resuming after"), "{error}");
    whole.assert_same(&path);
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    // Nobody can make folders there, whoever he is.
    let CommandOutput { code, out, error } = said(again(Path::new("/sys/gcn-timings-run"), &["--resume"]));
    assert_eq!((code, out.as_str()), (Some(1), ""), "{error}");
    assert!(error.contains("cannot write /sys/gcn-timings-run: "), "{error}");
}

#[test]
fn two_processes_do_not_measure_into_one_folder_and_a_third_may_read() {
    let whole = Whole::get();
    let folder = whole.another();
    let path = folder.path().join("run");
    let mut run = again(&path, &["--isolate"]).spawn().unwrap();
    let start = Instant::now();
    while fs::read_to_string(path.join("journal.csv")).map_or(0, |text| text.lines().count()) < 10 {
        assert!(start.elapsed() < PATIENCE && run.try_wait().unwrap().is_none());
        sleep(Duration::from_millis(1));
    }
    // It stands still while the others look.
    let signal = |name: &str| Command::new("kill").args([name, &run.id().to_string()]).status().unwrap();
    assert!(signal("-STOP").success());
    let CommandOutput { code, out, error } = said(again(&path, &["--resume"]));
    let mut analyze = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    let analyzed = told(analyze.arg("analyze").arg(&path).output().unwrap());
    assert!(signal("-CONT").success());
    assert_eq!((code, out.as_str()), (Some(1), ""), "{error}");
    assert!(error.contains("another gcn-timings") && error.contains("--out"), "{error}");
    assert!(analyzed.code == Some(0) && analyzed.out.contains("Incomplete run"), "{}", analyzed.error);
    let CommandOutput { code, error, .. } = told(run.wait_with_output().unwrap());
    assert_eq!(code, Some(0), "{error}");
    whole.assert_same(&path);
}

#[test]
fn a_run_that_is_complete_is_left_alone_and_its_tables_are_made_again() {
    let whole = Whole::get();
    let folder = whole.another();
    let path = folder.path().join("run");
    assert_eq!(said(again(&path, &["--resume"])).code, Some(0));
    let record = fs::read(path.join("run.json")).unwrap();
    fs::remove_file(path.join("timings.csv")).unwrap();
    let CommandOutput { code, error, .. } = said(again(&path, &["--resume"]));
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(fs::read(path.join("run.json")).unwrap() == record);
    whole.assert_same(&path);
}

#[test]
fn another_run_is_not_resumed() {
    let whole = Whole::get();
    let before = fs::read(whole.path().join("run.json")).unwrap();
    let differs = |options: &[&str], what: &[&str]| {
        let CommandOutput { code, out, error } = said(again(&whole.path(), &[options, &["--resume"]].concat()));
        assert_eq!((code, out.as_str()), (Some(1), ""), "{error}");
        for part in what {
            assert!(error.contains(part), "{part}: {error}");
        }
    };
    differs(&["--samples", "19"], &["options.samples is 19 now and 20 in run.json"]);
    differs(&["--dangerous"], &["options.dangerous is true now"]);
    differs(&["--only", "V_ADD_F64"], &["options.only", "V_ADD_F64"]);
    differs(&["--shard", "1/2"], &["shard is {", "now and null in run.json"]);
    // A file of the same name that says something else.
    let other = whole.another();
    fs::write(other.path().join("noisy.toml"), NOISY.replace("seed = 3", "seed = 4")).unwrap();
    let CommandOutput { code, error, .. } = said(measure(other.path(), &whole.path(), &["--resume"]));
    assert!(code == Some(1) && error.contains("device.facts_sha256"), "{error}");
    fs::write(other.path().join("noisy.toml"), NOISY.replace("\"fiji\"", "\"tahiti\"")).unwrap();
    let CommandOutput { code, error, .. } = said(measure(other.path(), &whole.path(), &["--resume"]));
    assert!(code == Some(1) && error.contains("device.target is \"gfx600\" now and \"gfx803\" in run.json"), "{error}");
    assert!(fs::read(whole.path().join("run.json")).unwrap() == before);
    // A folder of something else.
    fs::write(other.path().join("thesis.txt"), "x").unwrap();
    let CommandOutput { code, error, .. } = said(again(other.path(), &["--resume"]));
    assert!(code == Some(1) && error.contains("not empty"), "{error}");
    // A folder that does not exist or is empty, without a device: neither a slip of the pen nor an early end starts a run on the default device.
    let (missing, empty) = (other.path().join("missing"), other.path().join("empty"));
    fs::create_dir(&empty).unwrap();
    for folder in [&missing, &empty] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
        command.args(["measure", "--resume", "--out"]).arg(folder);
        let CommandOutput { code, error, .. } = said(command);
        assert!(code == Some(1) && error.contains("no run to resume") && error.contains("--device"), "{error}");
    }
    assert!(!missing.exists() && fs::read_dir(&empty).unwrap().next().is_none());
    // And without a folder there is nothing to resume.
    let mut command = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    assert_eq!(
        said({
            command.args(["measure", "--resume"]);
            command
        })
        .code,
        Some(2)
    );
}
