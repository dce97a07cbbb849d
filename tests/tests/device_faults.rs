//! A device in a process of its own that fails: what is on disk, what it says, and that the run goes on.

use std::time::Duration;

use gcn_harness::device::{ChildDevice, ChildLimits, ChildProgram, DeviceError, SimulatedDevice};
use gcn_model::gpu::Gpu;
use gcn_tests::{MeasuredRun, files, measure_on, only, without_times};

/// A shipped GPU of the newest generation.
const GPU: &str = "vega10";
/// A thousand times what a launch of the reference model takes.
const LIMIT: Duration = Duration::from_secs(15);

fn start(fault: &str, first: u64, last: u64, limits: ChildLimits) -> Result<ChildDevice, DeviceError> {
    let arguments = [GPU, fault, &first.to_string(), &last.to_string()].map(Into::into).to_vec();
    ChildDevice::start(ChildProgram { program: env!("CARGO_BIN_EXE_faulty-device").into(), arguments }, limits)
}

fn faulty(fault: &str, first: u64, last: u64) -> MeasuredRun {
    let limits = ChildLimits { launch: LIMIT, faults_in_a_row: 3, ..ChildLimits::default() };
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
fn each_fault_costs_one_row_and_the_run_goes_on() {
    let sound = sound();
    let experiments = rows(&sound, "experiments.csv");
    let readings = rows(&sound, "readings.csv");
    for (fault, reasons) in [
        ("abort", vec!["was ended by signal 6 (SIGABRT)", "Memory access fault by GPU node-1 on address 0xdead000."]),
        ("exit", vec!["ended with exit code 7"]),
        ("hang", vec!["did not answer within 15s"]),
        ("spin", vec!["did not answer within 15s"]),
        ("lost", vec!["the device was lost", "no ROCm-capable device"]),
        ("kernel", vec!["the kernel failed, the device did not"]),
        ("garbled", vec!["a reply that is none", "`HSA_`"]),
        ("short", vec!["Results with 4 bytes"]),
    ] {
        let run = faulty(fault, 1, 1);
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
fn so_many_faults_in_a_row_end_the_run_and_leave_it_usable() {
    let sound = sound();
    let run = faulty("abort", first_launch(&sound, 1), u64::MAX);
    let lost = run.measured.lost.as_deref().expect("the device is lost");
    assert!(lost.contains("3 times in a row") && lost.contains("Memory access fault"), "{lost}");
    assert!(run.measured.record.end.is_none());
    let found = rows(&run, "experiments.csv");
    assert_eq!(found.iter().filter(|row| row.contains(",failed,")).count(), 3, "{found:?}");
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
    let [first, second] = [1, 2].map(|place| first_launch(&sound, place));
    let device = start("exit", first, first, limits).unwrap();
    let run = measure_on(&device, &only(&["V_ADD_F32"], &[1]));
    assert!(run.measured.lost.is_none());
    let device = start("exit", first, second, limits).unwrap();
    let run = measure_on(&device, &only(&["V_ADD_F32"], &[1]));
    assert!(run.measured.lost.is_some_and(|why| why.contains("2 times in a row")));
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
