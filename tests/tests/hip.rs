//! The HIP device on the real ROCm libraries, with the reference model behind the kernel driver's interface.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gcn_tests::Rocm;
use tempfile::TempDir;

/// GPUs that ROCm 5 and the simulated driver both know, one of gfx8 and one of gfx9.
const GPUS: [&str; 2] = ["fiji", "vega10"];

/// What both are measured by. Left out are the buffer instructions of 16-bit formats, whose stores the model does not compute: `sim:` leaves
/// the unknown dwords where they are, behind the driver they are memory of the process and so an error. S_SET_GPR_IDX_MODE it does not
/// execute at all.
const MEASURED: [&str; 8] =
    ["V_*", "S_[A-R]*", "S_[T-Z]*", "DS_*", "BUFFER_LOAD_[DSU]*", "BUFFER_ATOMIC_*", "FLAT_*", "S_S[A-DF-Z]*"];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The program on a simulated card, with a fault if there is to be one.
fn on_card(rocm: &Rocm, gpu: &str, fault: &str) -> Command {
    let mut command = rocm.program();
    command.env("LD_PRELOAD", rocm.driver()).env("GCN_TIMINGS_GPU", gpu).env_remove("GCN_TIMINGS_FAULT_COUNTS");
    match fault {
        "" => command.env_remove("GCN_TIMINGS_FAULT"),
        fault => command.env("GCN_TIMINGS_FAULT", fault),
    };
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

#[test]
fn the_card_is_listed_with_what_it_says() {
    let Some(rocm) = Rocm::find() else { return };
    for (gpu, target, generation) in [("fiji", "gfx803", "1.2"), ("vega10", "gfx900:xnack-", "1.4")] {
        let mut command = on_card(rocm, gpu, "");
        command.args(["devices", "--json"]);
        let rows: serde_json::Value = serde_json::from_slice(&ended(command, 0).stdout).unwrap();
        let card = rows.as_array().unwrap().iter().find(|row| row["device"] == "hip:0").expect("hip:0").clone();
        assert_eq!(card["target"], target, "{card}");
        assert_eq!(card["generation"], generation);
        assert_eq!(card["facts_from"], gpu);
        assert_eq!(card["compute_units"], 2, "what the reference model simulates");
        assert!(card["clock_mhz"].as_f64().is_some_and(|clock| clock > 100.0), "{card}");
    }
    let mut command = on_card(rocm, "fiji", "absent");
    command.arg("devices");
    assert!(text(&ended(command, 1).stderr).contains("HIP sees no AMD GPU"));
    let mut command = on_card(rocm, "fiji", "");
    command.args(["measure", "--device", "hip:1"]);
    assert!(text(&ended(command, 1).stderr).contains("there is no hip:1: HIP sees 1 AMD GPU(s)"));
}

/// Measures a card and the reference model with the same options; gives both folders.
fn both(rocm: &Rocm, gpu: &str, options: &[&str]) -> [(TempDir, PathBuf); 2] {
    ["hip:0".to_owned(), format!("sim:{gpu}")].map(|device| {
        let (kept, run) = folder();
        let mut command = on_card(rocm, gpu, "");
        if device.starts_with("sim") {
            command.env_remove("LD_PRELOAD");
        }
        command.args(["measure", "--device", &device, "--launch-timeout", "60s", "--out"]).arg(&run).args(options);
        ended(command, 0);
        (kept, run)
    })
}

#[test]
fn a_card_gives_the_same_timings_as_the_model_that_it_is() {
    let Some(rocm) = Rocm::find() else { return };
    for gpu in GPUS {
        // GCN 1.2 has no GLOBAL instructions.
        let global = (gpu == "vega10").then_some("GLOBAL_*");
        let only: Vec<&str> = MEASURED.into_iter().chain(global).flat_map(|pattern| ["--only", pattern]).collect();
        let options = [&["--suite", "instructions", "--waves", "2"], only.as_slice()].concat();
        let [(_hip, hip), (_sim, sim)] = both(rocm, gpu, &options);
        let (found, expected) = (file(&hip, "timings.csv"), file(&sim, "timings.csv"));
        assert!(expected.lines().count() > 500, "{gpu}: {} rows", expected.lines().count());
        let different = expected.lines().zip(found.lines()).find(|(expected, found)| expected != found);
        assert_eq!((different, found.lines().count()), (None, expected.lines().count()), "{gpu}");

        let record: serde_json::Value = serde_json::from_str(&file(&hip, "run.json")).unwrap();
        let device = &record["device"];
        assert_eq!(device["device"], "hip:0");
        assert!(device["driver"].as_str().is_some_and(|driver| driver.starts_with("HIP ")), "{device}");
        assert_eq!(device["card"]["facts_from"], gpu);
        assert_eq!(device["card"]["likeness"], "product");
        assert_eq!(device["card"]["results_in"], "mapped host memory");
        assert_eq!(record["dp_rate_field"], serde_json::json!([0]));
        // Where waves ran is read from HW_ID, at both ends.
        let header = file(&hip, "readings.csv");
        assert!(header.starts_with("experiment,launch,n,pass,wave,begin,end,hw_id,hw_id_end,"), "{header:.80}");
    }
}

/// What the driver does, further options, exit code, what the program says, what the first failed row says.
type Case<'a> = (&'a str, &'a [&'a str], i32, &'a str, &'a [&'a str]);

/// Each fault as the card has it: the message, the exit code, what is on disk, and that the run goes on behind it.
#[test]
fn each_fault_of_the_card_costs_its_experiment_and_no_more() {
    let Some(rocm) = Rocm::find() else { return };
    let options = ["measure", "--device", "hip:0", "--suite", "instructions", "--only", "V_ADD_F32", "--waves", "1"];
    let (_kept, sound) = folder();
    let mut command = on_card(rocm, "fiji", "");
    command.args(options).arg("--out").arg(&sound);
    ended(command, 0);
    let experiments: Vec<String> = file(&sound, "experiments.csv").lines().map(Into::into).collect();

    let cases: [Case<'_>; 7] = [
        ("memory@dispatch=12", &[], 0, "", &["SIGABRT", "GPU memory access fault"]),
        ("illegal-instruction@dispatch=12", &[], 0, "", &["SIGABRT", "ILLEGAL_INSTRUCTION"]),
        ("aperture@dispatch=12", &[], 0, "", &["SIGABRT", "APERTURE_VIOLATION"]),
        ("invalid-code@dispatch=12", &[], 0, "", &["SIGABRT", "INVALID_CODE_OBJECT"]),
        ("hang@dispatch=12", &["--launch-timeout", "3s"], 0, "", &["did not answer within 3s and was ended"]),
        ("gone@dispatch=12", &["--launch-timeout", "3s"], 0, "", &["did not answer within 3s and was ended"]),
        (
            "memory@dispatch=12..",
            &["--max-faults-in-a-row", "2"],
            1,
            "the device is lost: it failed 2 times in a row",
            &["SIGABRT"],
        ),
    ];
    for (fault, more, code, says, reasons) in cases {
        let (kept, run) = folder();
        let mut command = on_card(rocm, "fiji", fault);
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
    let Some(rocm) = Rocm::find() else { return };
    let (_kept, run) = folder();
    let mut command = on_card(rocm, "fiji", "out-of-memory@allocation=1..");
    command.args(["measure", "--device", "hip:0", "--only", "V_ADD_F32", "--out"]).arg(&run);
    let error = text(&ended(command, 1).stderr);
    assert!(error.starts_with("gcn-timings: ") || error.contains("\ngcn-timings: "), "{error}");
    assert!(!run.exists() || fs::read_dir(&run).unwrap().count() == 0, "nothing was stored");
}
