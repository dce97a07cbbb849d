//! Runs that are killed.

use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use super::tier::Tier;
use super::{CommandOutput, Lcg, PATIENCE, Whole, again, files, said};

/// Kills in all, two for each run; quick tests do a quarter.
const KILLS: usize = 100;

/// Kills a run after a share of the time that it takes, or when it has stored a share of its readings.
fn kill(mut run: Child, folder: &Path, share: f64, by_time: bool) {
    let whole = Whole::get();
    let start = Instant::now();
    let size = |folder: &Path| fs::metadata(folder.join("readings.csv")).map_or(0, |file| file.len());
    let bytes = (size(&whole.path()) as f64 * share) as u64;
    while run.try_wait().unwrap().is_none() {
        let is_due =
            if by_time { start.elapsed() > whole.took.mul_f64(1.2 * share) } else { size(folder) >= bytes.max(1) };
        if is_due {
            break;
        }
        sleep(Duration::from_micros(100));
    }
    // It fails only if the run is complete.
    let _ = run.kill();
    run.wait().unwrap();
}

#[test]
fn runs_that_are_killed_a_hundred_times_end_as_if_they_had_not_been() {
    let whole = Whole::get();
    let (unfinished, cut_off) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let kills = if Tier::All.runs("three of four kills") { KILLS } else { KILLS / 4 };
    (0..kills / 2).into_par_iter().for_each(|number| {
        let folder = whole.another();
        let path = folder.path().join("run");
        let mut numbers = Lcg(number as u64);
        numbers.share();
        for by_time in [number % 2 == 0, true] {
            let run = again(&path, &["--resume"]).spawn().unwrap();
            kill(run, &path, numbers.share(), by_time);
            let has_rows = fs::read_to_string(path.join("journal.csv")).is_ok_and(|text| text.lines().count() > 1);
            let has_end = fs::read_to_string(path.join("run.json")).is_ok_and(|text| !text.contains("\"end\": null"));
            unfinished.fetch_add(usize::from(has_rows && !has_end), Ordering::Relaxed);
        }
        let CommandOutput { code, error, .. } = said(again(&path, &["--resume"]));
        assert_eq!(code, Some(0), "{error}");
        cut_off.fetch_add(usize::from(error.contains("cut off")), Ordering::Relaxed);
        whole.assert_same(&path);
    });
    let (unfinished, cut_off) = (unfinished.into_inner(), cut_off.into_inner());
    println!("{unfinished} of {kills} kills hit the measuring itself, {cut_off} left a batch that was not complete");
    assert!(unfinished > kills / 5, "{unfinished} kills hit the measuring itself");
}

/// The first experiment that was being tried when a run died.
fn tried(path: &Path) -> String {
    let note: serde_json::Value = serde_json::from_str(&fs::read_to_string(path.join("trying.json")).unwrap()).unwrap();
    note["experiments"][0].as_str().unwrap().to_owned()
}

/// The simulator at the end of a card's pipes, killed during an attempt.
#[test]
fn the_attempt_of_a_killed_run_fails_and_the_rest_is_measured() {
    let whole = Whole::get();
    let folder = whole.another();
    let path = folder.path().join("run");
    let run = again(&path, &["--isolate"]).spawn().unwrap();
    kill(run, &path, 0.15, false);
    let id = tried(&path);
    let is_stored = fs::read_to_string(path.join("journal.csv")).unwrap().contains(&format!("0,{id},"));
    let CommandOutput { code, error, .. } = said(again(&path, &["--isolate", "--resume"]));
    assert_eq!(code, Some(i32::from(!is_stored)), "{error}");
    assert!(error.contains("resuming after") && !path.join("trying.json").exists(), "{error}");
    let rows = fs::read_to_string(path.join("experiments.csv")).unwrap();
    let failed: Vec<_> = rows.lines().filter(|row| row.contains(",failed,")).collect();
    if is_stored {
        // It was killed between the end of an experiment and the note of the next.
        assert_eq!(failed, [""; 0]);
        return whole.assert_same(&path);
    }
    assert!(error.contains(&format!("the run died during {id}")), "{error}");
    assert_eq!(failed.len(), 1, "{failed:?}");
    assert!(failed[0].starts_with(&format!("{id},")) && failed[0].contains("trying.json"), "{failed:?}");
    // All other readings are those of a run in one go; the first round is compared, since the second rests on all of the first.
    let readings = |folder: &Path| -> Vec<String> {
        let text = String::from_utf8(files(folder)["readings.csv"].clone()).unwrap();
        let prefix = format!("{id},");
        text.lines().filter(|line| !line.starts_with(&prefix)).map(Into::into).collect()
    };
    assert_eq!(readings(&path), readings(&whole.path()));
}

/// Ctrl-C, and what Slurm and `kill` send.
#[test]
fn an_interrupted_run_on_a_card_is_resumed_without_loss() {
    let whole = Whole::get();
    for signal in ["-INT", "-TERM"] {
        let folder = whole.another();
        let path = folder.path().join("run");
        let mut run = again(&path, &["--isolate"]).spawn().unwrap();
        let start = Instant::now();
        while fs::metadata(path.join("readings.csv")).map_or(0, |file| file.len()) < 100_000 {
            assert!(start.elapsed() < PATIENCE && run.try_wait().unwrap().is_none());
            sleep(Duration::from_millis(1));
        }
        assert!(Command::new("kill").args([signal, &run.id().to_string()]).status().unwrap().success());
        let CommandOutput { code, out, error } = super::told(run.wait_with_output().unwrap());
        assert!(
            [Some(130), Some(143)].contains(&code) && error.contains("interrupted") && error.contains("--resume"),
            "{signal}: {error}"
        );
        assert!(out.contains("Incomplete run"), "{signal}: {out}");
        // Each stored experiment is whole: the current attempt is rolled back.
        let rows = |name: &str| fs::read_to_string(path.join(name)).unwrap().lines().count();
        assert_eq!(rows("journal.csv"), rows("experiments.csv"), "{signal}");
        assert!(rows("journal.csv") > 2 && !path.join("trying.json").exists(), "{signal}");
        let CommandOutput { code, error, .. } = said(again(&path, &["--isolate", "--resume"]));
        assert_eq!(code, Some(0), "{signal}: {error}");
        assert!(error.contains("resuming after") && !error.contains("cut off"), "{signal}: {error}");
        whole.assert_same(&path);
    }
}

/// The second signal does not wait for the launch under way, which may be one that never ends.
#[test]
fn a_second_signal_ends_a_run_at_once_and_one_to_terminate_soon() {
    let whole = Whole::get();
    for (signal, code, is_repeated) in [("-INT", 130, true), ("-TERM", 143, true), ("-TERM", 143, false)] {
        let folder = whole.another();
        let path = folder.path().join("run");
        let mut run = again(&path, &["--isolate", "--launch-timeout", "1h"]).spawn().unwrap();
        let start = Instant::now();
        let send = |signal: &str, id: u32| {
            assert!(Command::new("kill").args([signal, &id.to_string()]).status().unwrap().success());
        };
        let device = loop {
            assert!(start.elapsed() < PATIENCE && run.try_wait().unwrap().is_none());
            // Behind the fillers.
            let has_rows = fs::read_to_string(path.join("journal.csv")).is_ok_and(|text| text.lines().count() > 12);
            match super::faults::device_of(&run) {
                Some(device) if has_rows => break device,
                _ => sleep(Duration::from_millis(1)),
            }
        };
        // The device hangs: half a second later the run waits for it, and no longer for the disk.
        send("-STOP", device);
        sleep(Duration::from_millis(500));
        send(signal, run.id());
        sleep(Duration::from_millis(100));
        assert!(run.try_wait().unwrap().is_none(), "{signal}: the launch under way is waited for");
        // A signal that comes before the first was taken is the same signal.
        while run.try_wait().unwrap().is_none() {
            if is_repeated {
                send(signal, run.id());
            }
            sleep(Duration::from_millis(20));
        }
        assert_eq!(super::told(run.wait_with_output().unwrap()).code, Some(code), "{signal}");
        let id = tried(&path);
        let CommandOutput { code, error, .. } = said(again(&path, &["--isolate", "--resume"]));
        // A baseline is tried again, and stands then: which experiment the signal meets depends on the machine.
        let is_again = whole.is_depended_on(&id);
        let says = if is_again { "; 1 that failed are retried" } else { "the run died during" };
        assert_eq!(code, Some(i32::from(!is_again)), "{signal}: {id}: {error}");
        assert!(error.contains(says), "{signal}: {id}: {error}");
    }
}
