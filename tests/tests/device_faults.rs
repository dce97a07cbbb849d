//! A device in a process of its own that fails: content of the disk, its message, and that the run continues.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Parser;
use gcn_analysis::FailedTry;
use gcn_harness::device::{ChildDevice, ChildLimits, ChildProgram, Device, DeviceError, SimulatedDevice};
use gcn_harness::experiment::MeasureOptions;
use gcn_harness::kernel::Templates;
use gcn_harness::run::{Measured, RunFolder, Silent, measure};
use gcn_model::gpu::Gpu;
use gcn_tests::{MeasuredRun, assembler, files, measure_on, only, whole_summary, without_times};

/// A shipped GPU of the newest generation.
const GPU: &str = "vega10";
/// A thousand times the launch of the simulator.
const LIMIT: Duration = Duration::from_secs(15);

fn start(fault: &str, first: u64, last: u64, limits: ChildLimits) -> Result<ChildDevice, DeviceError> {
    let arguments = [GPU, fault, &first.to_string(), &last.to_string()].map(Into::into).to_vec();
    ChildDevice::start(ChildProgram { program: env!("CARGO_BIN_EXE_faulty-device").into(), arguments }, limits)
}

fn faulty(fault: &str, first: u64, last: u64) -> MeasuredRun {
    let limits = ChildLimits { launch: LIMIT, faults_in_a_row: 2, ..ChildLimits::default() };
    let device = start(fault, first, last, limits).unwrap();
    measure_on(&device, &only(&["V_ADD_F32"], &[1]))
}

fn sound() -> MeasuredRun {
    let gpu = Gpu::named(GPU).unwrap();
    measure_on(&SimulatedDevice::new(&format!("sim:{GPU}"), &gpu), &only(&["V_ADD_F32"], &[1]))
}

/// Rows of a file of a run, without its header.
fn rows(run: &MeasuredRun, file: &str) -> Vec<String> {
    let text = String::from_utf8(files(run.folder())[file].clone()).unwrap();
    text.lines().skip(1).map(Into::into).collect()
}

/// Readings of launches that did not fail.
fn readings_of(rows: &[String], experiments: &[&str]) -> Vec<String> {
    let is_of = |row: &&String| experiments.iter().any(|experiment| row.starts_with(&format!("{experiment},")));
    rows.iter().filter(is_of).cloned().collect()
}

/// The first launch of an experiment, by its place in the run.
fn first_launch(run: &MeasuredRun, place: usize) -> u64 {
    let experiments = rows(run, "experiments.csv");
    let readings = readings_of(&rows(run, "readings.csv"), &ids(&experiments)[place..=place]);
    readings[0].split(',').nth(1).unwrap().parse().unwrap()
}

fn ids(rows: &[String]) -> Vec<&str> {
    rows.iter().map(|row| row.split(',').next().unwrap()).collect()
}

#[test]
fn a_run_through_a_process_of_its_own_is_the_same_run() {
    let run = faulty("none", u64::MAX, u64::MAX);
    assert_eq!(without_times(run.folder()), without_times(sound().folder()));
}

#[test]
fn each_fault_costs_one_row_and_the_run_continues() {
    let sound = sound();
    let experiments = rows(&sound, "experiments.csv");
    let readings = rows(&sound, "readings.csv");
    // Not one of the fillers, which are tried again.
    let launch = first_launch(&sound, 2);
    for (fault, reasons) in [
        ("abort", vec!["was ended by signal 6 (SIGABRT)", "Memory access fault by GPU node-1 on address 0xdead000."]),
        ("exit", vec!["ended with exit code 7"]),
        ("hang", vec!["did not answer within 15s"]),
        ("spin", vec!["did not answer within 15s"]),
        ("lost", vec!["the device was lost", "no ROCm-capable device"]),
        ("kernel", vec!["the kernel failed, the device did not"]),
        ("garbled", vec!["a malformed reply", "`HSA_`"]),
        ("short", vec!["Results with 4 bytes"]),
    ] {
        let run = faulty(fault, launch, launch);
        assert!(run.measured.lost.is_none() && run.measured.record.end.is_some(), "{fault}: {:?}", run.measured);
        let found = rows(&run, "experiments.csv");
        assert_eq!(ids(&found), ids(&experiments), "{fault}: no row is missing");
        let failed: Vec<_> = found.iter().filter(|row| row.contains(",failed,")).collect();
        let [failed] = failed.as_slice() else { panic!("{fault}: {failed:?}") };
        for reason in reasons {
            assert!(failed.contains(reason), "{fault}: {failed}");
        }
        let others: Vec<_> = ids(&found).into_iter().filter(|id| !failed.starts_with(&format!("{id},"))).collect();
        assert_eq!(rows(&run, "readings.csv"), readings_of(&readings, &others), "{fault}: the others' readings");
        assert!(!run.folder().join("trying.json").exists(), "{fault}");
    }
}

#[test]
fn many_faults_in_a_row_end_the_run_and_leave_it_usable() {
    let sound = sound();
    let run = faulty("abort", first_launch(&sound, 2), u64::MAX);
    let lost = run.measured.lost.as_deref().expect("the device is lost");
    assert!(lost.contains("2 times in a row") && lost.contains("Memory access fault"), "{lost}");
    assert!(run.measured.record.end.is_none());
    let found = rows(&run, "experiments.csv");
    assert_eq!(found.iter().filter(|row| row.contains(",failed,")).count(), 2, "{found:?}");
    assert_eq!(ids(&found), ids(&rows(&sound, "experiments.csv"))[..found.len()], "the rows so far, in their order");
    // What came before is there, and its analysis was written.
    let whole: Vec<_> = found.iter().filter(|row| !row.contains(",failed,")).cloned().collect();
    assert!(!whole.is_empty());
    let readings = rows(&sound, "readings.csv");
    assert_eq!(rows(&run, "readings.csv"), readings_of(&readings, &ids(&whole)));
    assert!(run.folder().join("timings.csv").exists());
}

#[test]
fn a_fault_between_launches_that_work_is_not_in_a_row() {
    let limits = ChildLimits { launch: LIMIT, faults_in_a_row: 2, ..ChildLimits::default() };
    let sound = sound();
    let [first, second] = [2, 3].map(|place| first_launch(&sound, place));
    let device = start("exit", first, first, limits).unwrap();
    let run = measure_on(&device, &only(&["V_ADD_F32"], &[1]));
    assert!(run.measured.lost.is_none());
    let device = start("exit", first, second, limits).unwrap();
    let run = measure_on(&device, &only(&["V_ADD_F32"], &[1]));
    assert!(run.measured.lost.is_some_and(|why| why.contains("2 times in a row")));
}

/// The device of a program that fails this many times, and no more.
fn faulty_times(fault: &str, launches: RangeInclusive<u64>, times: u64, folder: &Path) -> ChildDevice {
    let (first, last) = (launches.start().to_string(), launches.end().to_string());
    let mut arguments: Vec<OsString> = [GPU, fault, &first, &last, &times.to_string()].map(Into::into).to_vec();
    arguments.push(folder.join("faults").into());
    let program = ChildProgram { program: env!("CARGO_BIN_EXE_faulty-device").into(), arguments };
    ChildDevice::start(program, ChildLimits { launch: LIMIT, faults_in_a_row: 10, ..ChildLimits::default() }).unwrap()
}

/// Goes on with a run on a device.
fn go_on(run: &MeasuredRun, device: &dyn Device, retry_failed: bool) -> Measured {
    let options = MeasureOptions { retry_failed, ..only(&["V_ADD_F32"], &[1]) };
    let mut folder = RunFolder::resume(run.folder()).unwrap();
    let (templates, never) = (Templates::shipped().unwrap(), AtomicBool::new(false));
    measure(device, assembler(), &templates, &options, &mut folder, &never, &mut Silent).unwrap()
}

/// The derived files of a run, and its readings in whatever order.
fn outcome(run: &MeasuredRun) -> (Vec<(&'static str, Option<String>)>, Vec<String>) {
    let mut readings = rows(run, "readings.csv");
    readings.sort_unstable();
    (gcn_analysis::analyze(run.folder()).unwrap().files(), readings)
}

fn ids_of(tries: &[FailedTry]) -> Vec<&str> {
    tries.iter().map(|tried| tried.experiment.as_str()).collect()
}

/// The fillers price all other experiments: a fault in one of them must not cost those.
#[test]
fn experiments_that_others_need_are_retried_until_they_pass() {
    let sound = sound();
    let marks = tempfile::tempdir().unwrap();
    let device = faulty_times("abort", 0..=0, 3, marks.path());
    let run = measure_on(&device, &only(&["V_ADD_F32"], &[1]));
    assert_eq!(outcome(&run), outcome(&sound));
    assert_eq!(ids_of(&run.analysis.retried), ["V_MOV_B32/filler"], "and there is a word about it");
    assert!(
        whole_summary(&run.analysis).contains("failed, then passed: V_MOV_B32/filler: the device's process was ended")
    );
    assert!(run.analysis.failed.is_empty() && run.measured.record.end.is_some());
}

/// Not forever: five times. On a device that works, resuming repairs it without a request.
#[test]
fn needed_experiments_that_never_pass_are_lost_until_resumed() {
    let sound = sound();
    let marks = tempfile::tempdir().unwrap();
    let device = faulty_times("exit", 0..=0, u64::MAX, marks.path());
    let run = measure_on(&device, &only(&["V_ADD_F32"], &[1]));
    let journal = rows(&run, "journal.csv");
    assert_eq!(journal.iter().filter(|row| row.contains("ended with exit code 7")).count(), 5, "{journal:#?}");
    assert_eq!(ids_of(&run.analysis.failed), ["V_MOV_B32/filler"]);
    assert!(run.measured.record.end.is_some() && outcome(&run) != outcome(&sound));
    let gpu = Gpu::named(GPU).unwrap();
    let measured = go_on(&run, &SimulatedDevice::new(&format!("sim:{GPU}"), &gpu), true);
    assert!(measured.record.end.is_some());
    assert_eq!(outcome(&run), outcome(&sound));
}

/// Experiments that failed in a row until the card was lost may have been sound.
#[test]
fn experiments_lost_with_a_card_are_retried_once_on_resume() {
    let sound = sound();
    let first = first_launch(&sound, 2);
    let run = faulty("abort", first, u64::MAX);
    let lost = run.measured.record.lost.clone();
    assert!(run.measured.lost.is_some() && lost.len() == 2, "{lost:?}");
    // On a card that works all is there.
    let copy = run.copy();
    let device = start("none", u64::MAX, u64::MAX, ChildLimits::default()).unwrap();
    let measured = go_on(&copy, &device, false);
    assert!(measured.record.end.is_some() && measured.record.lost.is_empty(), "{:?}", measured.record);
    assert_eq!(outcome(&copy), outcome(&sound));
    // On one that does not, they have had their second try, and stay failed unless that is asked for.
    let limits = ChildLimits { launch: LIMIT, faults_in_a_row: 2, ..ChildLimits::default() };
    let device = start("abort", first, u64::MAX, limits).unwrap();
    let measured = go_on(&run, &device, false);
    assert!(measured.lost.is_some() && measured.record.lost.is_empty(), "{:?}", measured.record.lost);
    let device = start("none", u64::MAX, u64::MAX, ChildLimits::default()).unwrap();
    assert!(go_on(&run, &device, false).record.end.is_some());
    let analysis = gcn_analysis::analyze(run.folder()).unwrap();
    let mut failed = ids_of(&analysis.failed);
    failed.sort_unstable();
    let mut expected: Vec<&str> = lost.iter().map(String::as_str).collect();
    expected.sort_unstable();
    assert_eq!(failed, expected);
    assert!(go_on(&run, &device, true).record.end.is_some());
    assert_eq!(outcome(&run), outcome(&sound));
}

#[test]
fn failures_are_retried_on_request() {
    let sound = sound();
    for place in [2, 3] {
        let launch = first_launch(&sound, place);
        let run = faulty("kernel", launch, launch);
        assert_eq!(run.analysis.failed.len(), 1);
        let device = start("none", u64::MAX, u64::MAX, ChildLimits::default()).unwrap();
        let before = files(run.folder());
        assert_eq!(go_on(&run, &device, false).spent.launches, 0, "not if it is not");
        assert!(files(run.folder()) == before);
        let measured = go_on(&run, &device, true);
        assert!(measured.spent.launches > 0 && measured.record.end.is_some());
        assert_eq!(outcome(&run), outcome(&sound));
        // Then nothing is left to try.
        assert_eq!(go_on(&run, &device, true).spent.launches, 0);
    }
}

#[test]
fn a_device_that_cannot_be_opened_says_why() {
    let limits = ChildLimits::default();
    let error = start("closed", 0, 0, limits).unwrap_err();
    assert_eq!(error, DeviceError::NoDevice("no AMD GPU".into()));
    let program = |program: &str| ChildProgram { program: program.into(), arguments: Vec::new() };
    let error = ChildDevice::start(program("no-such-program"), limits).unwrap_err();
    assert!(matches!(&error, DeviceError::NoDevice(why) if why.contains("no-such-program does not start")), "{error}");
    let error = ChildDevice::start(program(env!("CARGO_BIN_EXE_faulty-device")), limits).unwrap_err();
    assert!(matches!(&error, DeviceError::NoDevice(why) if why.contains("GPU FAULT FIRST LAST")), "{error}");
}

#[cfg(unix)]
#[test]
fn a_process_that_hangs_does_not_outlive_its_run() {
    // `sleep` never answers: the limit ends it.
    let limits = ChildLimits { start: Duration::from_millis(300), ..ChildLimits::default() };
    let program = ChildProgram { program: "sleep".into(), arguments: vec!["3600".into()] };
    let error = ChildDevice::start(program, limits).unwrap_err();
    assert!(error.to_string().contains("did not answer within 300ms and was ended"), "{error}");
}

/// The program's answer to a command, with its exit code.
fn command(arguments: &[&str]) -> anyhow::Result<String> {
    let arguments = std::iter::once("gcn-timings").chain(arguments.iter().copied());
    gcn_harness::command::run(gcn_harness::command::Arguments::parse_from(arguments)).map(|code| format!("{code:?}"))
}

#[test]
fn a_dpfactor_and_a_merged_run_that_lack_an_experiment_end_with_exit_code_1() {
    let factor = |options: &MeasureOptions, fault: &str, launch: u64| {
        let device = start(fault, launch, launch, ChildLimits { launch: LIMIT, ..ChildLimits::default() }).unwrap();
        measure_on(&device, options)
    };
    let [failure, success] = [ExitCode::FAILURE, ExitCode::SUCCESS].map(|code| format!("{code:?}"));
    let options = only(&["V_ADD_F64", "V_FMA_F64"], &[]);
    let whole = factor(&options, "none", u64::MAX);
    let experiments = rows(&whole, "experiments.csv");
    let place = experiments.iter().position(|row| row.starts_with("V_FMA_F64/cycles")).expect("cycles of V_FMA_F64");
    let launch = first_launch(&whole, place);
    let lacking = factor(&options, "kernel", launch);
    assert_eq!(lacking.analysis.failed.len(), 1, "{:?}", &lacking.analysis.failed);
    for (run, code) in [(&whole, &success), (&lacking, &failure)] {
        assert_eq!(&command(&["dpfactor", run.folder().to_str().unwrap()]).unwrap(), code);
    }

    let folder = tempfile::tempdir().unwrap();
    for (fault, launch, name) in [("none", u64::MAX, "sound"), ("kernel", launch, "lacking")] {
        let of = |index: u32| MeasureOptions { shard: Some(format!("{index}/2").parse().unwrap()), ..options.clone() };
        let parts = [factor(&of(1), fault, launch), factor(&of(2), fault, launch)];
        let out = folder.path().join(name);
        let paths = [parts[0].folder(), parts[1].folder(), &out].map(|path| path.to_str().unwrap().to_owned());
        let merged = command(&["merge", &paths[0], &paths[1], "--out", &paths[2]]);
        match fault {
            "none" => assert_eq!(merged.unwrap(), success),
            _ => {
                let why = merged.expect_err("an experiment is lost").to_string();
                assert!(why.contains("1 of") && why.contains("--retry-failed"), "{why}");
                assert!(out.join("timings.csv").exists(), "the tables are written");
            }
        }
    }
}
