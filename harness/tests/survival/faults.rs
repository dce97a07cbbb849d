//! Faults of a device: message, exit code, content of the disk, and the end of the run.

use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::{CommandOutput, PATIENCE, Whole, again, said, told};

/// A fault: the signal to the device's process, options of the run, the text on standard error and in the
/// row of the experiment, and whether the run then lacks anything.
struct Fault {
    signal: &'static str,
    options: &'static [&'static str],
    error: &'static [&'static str],
    row: &'static str,
    is_complete: bool,
}

const FAULTS: [Fault; 3] = [
    // A hang.
    Fault {
        signal: "-STOP",
        options: &["--launch-timeout", "12s"],
        error: &["1 of ", "experiments failed", "--retry-failed"],
        row: "did not answer within 12s and was ended",
        is_complete: true,
    },
    // A crash.
    Fault {
        signal: "-KILL",
        options: &[],
        error: &["experiments failed", "--retry-failed"],
        row: "was ended by signal 9",
        is_complete: true,
    },
    // So many crashes that the device counts as lost.
    Fault {
        signal: "-KILL",
        options: &["--max-faults-in-a-row", "1"],
        error: &["the device is lost", "signal 9", "holds the readings so far", "--resume"],
        row: "was ended by signal 9",
        is_complete: false,
    },
];

/// The process that drives the device of a run.
pub(super) fn device_of(run: &Child) -> Option<u32> {
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", run.id())).ok()?;
    let is_device = |id: &str| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains("device-child")
    };
    children.split_whitespace().find(|id| is_device(id))?.parse().ok()
}

fn rows(path: &Path) -> Vec<String> {
    fs::read_to_string(path.join("experiments.csv")).unwrap().lines().skip(1).map(Into::into).collect()
}

fn id(row: &str) -> &str {
    // Of the instructions here no id has a comma in it.
    row.split(',').next().unwrap()
}

#[test]
fn a_fault_costs_one_row_and_the_rest_is_that_of_a_run_without() {
    let whole = Whole::get();
    for fault in FAULTS {
        let folder = whole.another();
        let path = folder.path().join("run");
        let mut run = again(&path, &[&["--isolate"], fault.options].concat()).spawn().unwrap();
        let start = Instant::now();
        // From here on come 30 experiments that no other depends on: those that are depended on would be tried again.
        while fs::read_to_string(path.join("journal.csv")).map_or(0, |text| text.lines().count()) < 54 {
            assert!(start.elapsed() < PATIENCE && run.try_wait().unwrap().is_none());
            sleep(Duration::from_millis(1));
        }
        let device = device_of(&run).expect("a device").to_string();
        assert!(Command::new("kill").args([fault.signal, &device]).status().unwrap().success());
        let CommandOutput { code, error, .. } = told(run.wait_with_output().unwrap());
        assert_eq!(code, Some(1), "{error}");
        for part in fault.error {
            assert!(error.contains(part), "{part}: {error}");
        }
        let found = rows(&path);
        let failed: Vec<_> = found.iter().filter(|row| row.contains(",failed,")).collect();
        assert!(failed.len() == 1 && failed[0].contains(fault.row), "{failed:?}");
        assert_eq!(found.len() == rows(&whole.path()).len(), fault.is_complete, "{}", found.len());
        assert!(!path.join("trying.json").exists());
        // Resuming completes it; a failure by itself stays failed, and one lost with the device does not.
        let CommandOutput { code, error, .. } = said(again(&path, &["--isolate", "--resume"]));
        assert_eq!(code, Some(i32::from(fault.is_complete)), "{error}");
        let (mut ended, expected) = (rows(&path), rows(&whole.path()));
        if !fault.is_complete {
            // Its last row counts.
            let first = ended.iter().position(|row| id(row) == id(failed[0])).unwrap();
            assert!(ended.iter().skip(first + 1).any(|row| id(row) == id(failed[0]) && row.contains(",ok,")));
            ended.remove(ended.iter().rposition(|row| id(row) == id(failed[0])).unwrap());
        }
        assert_eq!(
            ended.iter().map(|row| id(row)).collect::<Vec<_>>(),
            expected.iter().map(|row| id(row)).collect::<Vec<_>>()
        );
        let others = |rows: &[String]| rows.iter().filter(|row| id(row) != id(failed[0])).cloned().collect::<Vec<_>>();
        assert_eq!(others(&ended), others(&expected));
        let readings = |path: &Path| -> Vec<String> {
            let text = fs::read_to_string(path.join("readings.csv")).unwrap();
            text.lines().filter(|line| id(line) != id(failed[0])).map(Into::into).collect()
        };
        assert!(readings(&path) == readings(&whole.path()), "{}: readings of the others", fault.row);
        // If that is asked for, all is as it is without the fault.
        let CommandOutput { code, error, .. } = said(again(&path, &["--isolate", "--resume", "--retry-failed"]));
        assert_eq!(code, Some(0), "{error}");
        let derived = |folder: &Path| {
            ["timings.csv", "throughput.csv", "validation.csv", "TIMINGS.md"]
                .map(|name| fs::read_to_string(folder.join(name)).unwrap())
        };
        assert_eq!(derived(&path), derived(&whole.path()));
    }
}
