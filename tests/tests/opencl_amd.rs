//! The OpenCL device on a strict driver in the place of AMD's own, behind the real ICD loader, with the reference model as the card.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use gcn_tests::OpenCl;
use tempfile::TempDir;

/// GPUs that AMD's driver and the reference model both know, one of gfx8 and one of gfx9, with their target ids.
const GPUS: [(&str, &str); 2] = [("fiji", "gfx803"), ("vega10", "gfx900:xnack-")];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder whose `.icd` file names the strict driver.
fn vendors(opencl: &OpenCl) -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let make = || {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("gcn.icd"), format!("{}\n", opencl.strict_driver().display())).unwrap();
        folder
    };
    FOLDER.get_or_init(make).path()
}

/// The program on a simulated card, with a fault if there is to be one.
fn on_card(opencl: &OpenCl, gpu: &str, fault: &str) -> Command {
    let mut command = opencl.program(vendors(opencl));
    command.env("GCN_TIMINGS_GPU", gpu);
    for variable in
        ["GCN_TIMINGS_FAULT", "GCN_TIMINGS_FAULT_COUNTS", "GCN_TIMINGS_OPENCL_LENIENT", "GCN_TIMINGS_OPENCL_LOG"]
    {
        command.env_remove(variable);
    }
    if !fault.is_empty() {
        command.env("GCN_TIMINGS_FAULT", fault);
    }
    command
}

/// A folder that does not exist yet, in one that goes with the test.
fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    (folder, run)
}

fn file(run: &Path, name: &str) -> String {
    fs::read_to_string(run.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn ended(mut command: Command, code: i32) -> Output {
    let output = command.output().unwrap();
    let (out, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{command:?}\n{out}\n{error}");
    output
}

/// Runs the program to its end; the driver must have nothing to say, in none of its processes. What it may say is that an atomic has
/// stored a register which the one before was still to fill: on a card some value, which nobody reads; in the model none. It is an
/// experiment of a case (`cycles_glc`), which is no part of `timings.csv`.
fn ended_well(mut command: Command) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    command.env("GCN_TIMINGS_OPENCL_LOG", &log);
    let output = ended(command, 0);
    let said = fs::read_to_string(log).unwrap_or_default();
    let is_limit = |line: &str| {
        line.contains("_cycles_glc: ") && line.contains("is unknown to the reference model")
            || line.ends_with("CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)")
    };
    let wrong: Vec<&str> = said.lines().filter(|line| !is_limit(line)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    output
}

#[test]
fn the_card_is_listed_with_what_it_says() {
    let Some(opencl) = OpenCl::find() else { return };
    for (gpu, target) in GPUS {
        let mut command = on_card(opencl, gpu, "");
        command.args(["devices", "--json"]);
        let output = ended_well(command);
        let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let card = rows.as_array().unwrap().iter().find(|row| row["device"] == "opencl:0").expect("opencl:0").clone();
        assert_eq!(card["target"], target, "{card}");
        assert_eq!(card["facts_from"], gpu);
        assert_eq!(card["compute_units"], 2, "what the reference model simulates");
    }
    let mut command = on_card(opencl, "fiji", "");
    command.arg("devices");
    let output = text(&ended(command, 0).stdout);
    let cards: Vec<&str> = output.lines().filter(|line| line.starts_with("opencl:")).collect();
    insta::assert_snapshot!("devices", cards.join("\n"));
    let mut command = on_card(opencl, "fiji", "absent");
    command.arg("devices");
    let error = text(&ended(command, 1).stderr);
    assert!(error.contains("platforms without one: AMD Accelerated Parallel Processing"), "{error}");
}

#[test]
fn a_card_gives_the_same_timings_as_the_model_that_it_is() {
    let Some(opencl) = OpenCl::find() else { return };
    for (gpu, target) in GPUS {
        let [(_card, card), (_sim, sim)] = ["opencl:0".to_owned(), format!("sim:{gpu}")].map(|device| {
            let (kept, run) = folder();
            let mut command = on_card(opencl, gpu, "");
            command.args(["measure", "--device", &device, "--launch-timeout", "60s", "--out"]).arg(&run);
            command.args(["--suite", "instructions", "--waves", "2", "--samples", "4"]);
            ended_well(command);
            (kept, run)
        });
        let (found, expected) = (file(&card, "timings.csv"), file(&sim, "timings.csv"));
        assert!(expected.lines().count() > 900, "{gpu}: {} rows", expected.lines().count());
        assert!(!expected.contains("failed"), "{gpu}: what fails on both is no evidence");
        let different = expected.lines().zip(found.lines()).find(|(expected, found)| expected != found);
        assert_eq!((different, found.lines().count()), (None, expected.lines().count()), "{gpu}");

        let record: serde_json::Value = serde_json::from_str(&file(&card, "run.json")).unwrap();
        let device = &record["device"];
        assert_eq!(device["device"], "opencl:0");
        assert_eq!(device["card"]["target_id"], target);
        assert_eq!(device["card"]["facts_from"], gpu);
        assert_eq!(device["card"]["opencl"]["platform"], "AMD Accelerated Parallel Processing");
    }
}

/// What the driver does, further options, exit code, what the program says, what the first failed row says.
type Case<'a> = (&'a str, &'a [&'a str], i32, &'a str, &'a [&'a str]);

/// Each fault as the card has it: the message, the exit code, what is on disk, and that the run goes on behind it.
#[test]
fn each_fault_of_the_card_costs_its_experiment_and_no_more() {
    let Some(opencl) = OpenCl::find() else { return };
    let options = ["measure", "--device", "opencl:0", "--suite", "instructions", "--only", "V_ADD_F32", "--waves", "1"];
    let (_kept, sound) = folder();
    let mut command = on_card(opencl, "fiji", "");
    command.args(options).arg("--out").arg(&sound);
    ended(command, 0);
    let experiments: Vec<String> = file(&sound, "experiments.csv").lines().map(Into::into).collect();

    let cases: [Case<'_>; 6] = [
        ("memory@dispatch=12", &[], 0, "", &["CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"]),
        ("illegal-instruction@dispatch=12", &[], 0, "", &["CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"]),
        ("refused@submission=12", &[], 0, "", &["CL_OUT_OF_RESOURCES"]),
        ("hang@dispatch=12", &["--launch-timeout", "3s"], 0, "", &["did not answer within 3s and was ended"]),
        ("gone@dispatch=12", &[], 0, "", &["CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"]),
        (
            "memory@dispatch=12..",
            &["--max-faults-in-a-row", "2"],
            1,
            "the device is lost: it failed 2 times in a row",
            &[],
        ),
    ];
    for (fault, more, code, says, reasons) in cases {
        let (kept, run) = folder();
        let mut command = on_card(opencl, "fiji", fault);
        command.env("GCN_TIMINGS_FAULT_COUNTS", kept.path().join("counts"));
        command.args(options).args(more).arg("--out").arg(&run);
        let output = ended(command, code);
        assert!(text(&output.stderr).contains(says), "{fault}: {}", text(&output.stderr));
        let found = file(&run, "experiments.csv");
        let (failed, others): (Vec<&str>, Vec<&str>) = found.lines().partition(|row| row.contains(",failed,"));
        assert_eq!(failed.len(), if code == 0 { 1 } else { 2 }, "{fault}: {failed:?}");
        for reason in reasons {
            assert!(failed[0].contains(reason), "{fault}: {failed:?}");
        }
        // The others are what they are without the fault, and the run came to its end if it was to.
        assert!(others.iter().all(|row| experiments.iter().any(|sound| sound == row)), "{fault}");
        assert_eq!(found.lines().count() == experiments.len(), code == 0, "{fault}");
        let record: serde_json::Value = serde_json::from_str(&file(&run, "run.json")).unwrap();
        assert_eq!(record["end"].is_null(), code == 1, "{fault}");
        assert!(run.join("timings.csv").exists() && !run.join("trying.json").exists(), "{fault}");
    }
}

#[test]
fn memory_that_is_refused_is_said() {
    let Some(opencl) = OpenCl::find() else { return };
    let (_kept, run) = folder();
    let mut command = on_card(opencl, "fiji", "out-of-memory@allocation=1..");
    command.args(["measure", "--device", "opencl:0", "--only", "V_ADD_F32", "--out"]).arg(&run);
    let error = text(&ended(command, 1).stderr);
    assert!(error.contains("CL_MEM_OBJECT_ALLOCATION_FAILURE"), "{error}");
    assert!(!run.exists() || fs::read_dir(&run).unwrap().count() == 0, "nothing was stored");
}
