//! The OpenCL device on Debian's unmodified clover, with the reference model behind the DRM driver's interface.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gcn_tests::OpenCl;
use tempfile::TempDir;

/// Clover's entry for OpenCL's loader.
const CLOVER: &str = "/etc/OpenCL/vendors/mesa.icd";

/// GPUs and their targets: two of GCN 1.0 and 1.1 each, one of GCN 1.2.
const GPUS: [(&str, &str); 5] =
    [("tahiti", "gfx600"), ("pitcairn", "gfx601"), ("bonaire", "gfx704"), ("hawaii", "gfx701"), ("tonga", "gfx802")];

/// Launches before the first experiment where a card has no clock of constant rate to warm up by (`harness/src/run/warm_up.rs`).
const WARM_UP: u32 = 200;

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The program and clover; `None`, with a line that says so, where one of them is not there.
fn find() -> Option<&'static OpenCl> {
    let opencl = OpenCl::find()?;
    if !Path::new(CLOVER).exists() {
        assert!(std::env::var_os("GCN_TIMINGS_NEED_OPENCL").is_none(), "{CLOVER} is not there");
        println!("SKIPPED: {CLOVER} is not there (GCN_TIMINGS_NEED_OPENCL=1 makes this a failure)");
        return None;
    }
    Some(opencl)
}

/// The program on a simulated card, with a fault if there is to be one.
fn on_card(opencl: &OpenCl, gpu: &str, fault: &str) -> Command {
    let mut command = opencl.program(Path::new(CLOVER));
    command.env("LD_PRELOAD", opencl.driver()).env("GCN_TIMINGS_GPU", gpu).env_remove("GCN_TIMINGS_FAULT_COUNTS");
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
fn each_card_is_listed_with_what_it_says() {
    let Some(opencl) = find() else { return };
    let mut listed = String::new();
    for (gpu, target) in GPUS {
        let mut command = on_card(opencl, gpu, "");
        command.arg("devices");
        let output = text(&ended(command, 0).stdout);
        let row = output.lines().find(|line| line.starts_with("opencl:0")).unwrap_or_else(|| panic!("{output}"));
        let version = row.split("Mesa ").nth(1).and_then(|rest| rest.split(')').next()).unwrap_or("no version of Mesa");
        listed += &row.replace(version, "[VERSION]");
        listed += "\n";
        let mut command = on_card(opencl, gpu, "");
        command.args(["devices", "--json"]);
        let rows: serde_json::Value = serde_json::from_slice(&ended(command, 0).stdout).unwrap();
        let card = rows.as_array().unwrap().iter().find(|row| row["device"] == "opencl:0").expect("opencl:0");
        assert_eq!((&card["target"], &card["facts_from"]), (&target.into(), &gpu.into()), "{card}");
        assert_eq!(card["compute_units"], 2, "what the reference model simulates");
    }
    insta::assert_snapshot!(listed, @r"
    opencl:0          gfx600   1.0      2  AMD Radeon R9 200 / HD 7900 Series; PCI device 0x6798 at 0000:01:00.0; shader clock 925 MHz, wall clock unknown; OpenCL platform Clover (OpenCL 1.1 Mesa [VERSION]), driver [VERSION]; planned by the facts of tahiti
    opencl:0          gfx601   1.0      2  AMD Radeon HD 7800 Series; PCI device 0x6818 at 0000:01:00.0; shader clock 1000 MHz, wall clock unknown; OpenCL platform Clover (OpenCL 1.1 Mesa [VERSION]), driver [VERSION]; planned by the facts of pitcairn
    opencl:0          gfx704   1.1      2  AMD Radeon HD 7700 Series; PCI device 0x665c at 0000:01:00.0; shader clock 1000 MHz, wall clock unknown; OpenCL platform Clover (OpenCL 1.1 Mesa [VERSION]), driver [VERSION]; planned by the facts of bonaire
    opencl:0          gfx701   1.1      2  AMD Radeon R9 200 Series; PCI device 0x67b1 at 0000:01:00.0; shader clock 947 MHz, wall clock unknown; OpenCL platform Clover (OpenCL 1.1 Mesa [VERSION]), driver [VERSION]; planned by the facts of hawaii
    opencl:0          gfx802   1.2      2  AMD Radeon R9 200 Series; PCI device 0x6939 at 0000:01:00.0; shader clock 918 MHz, wall clock unknown; OpenCL platform Clover (OpenCL 1.1 Mesa [VERSION]), driver [VERSION]; planned by the facts of tonga
    ");
    let mut command = on_card(opencl, "tahiti", "absent");
    command.arg("devices");
    let said = ended(command, 1);
    assert!(text(&said.stderr).contains("OpenCL sees no device"), "{}", text(&said.stderr));
}

#[test]
fn each_card_gives_the_same_timings_as_the_model_that_it_is() {
    let Some(opencl) = find() else { return };
    for (gpu, target) in GPUS {
        let [(_opencl, card), (_sim, sim)] = ["opencl:0".to_owned(), format!("sim:{gpu}")].map(|device| {
            let (kept, run) = folder();
            let mut command = on_card(opencl, gpu, "");
            if device.starts_with("sim") {
                command.env_remove("LD_PRELOAD");
            }
            command.args(["measure", "--device", &device, "--launch-timeout", "60s", "--out"]).arg(&run);
            command.args(["--suite", "instructions", "--waves", "2", "--samples", "4"]);
            ended(command, 0);
            (kept, run)
        });
        let (found, expected) = (file(&card, "timings.csv"), file(&sim, "timings.csv"));
        assert!(expected.lines().count() > 500, "{gpu}: {} rows", expected.lines().count());
        let different = expected.lines().zip(found.lines()).find(|(expected, found)| expected != found);
        assert_eq!((different, found.lines().count()), (None, expected.lines().count()), "{gpu}");

        let record: serde_json::Value = serde_json::from_str(&file(&card, "run.json")).unwrap();
        let device = &record["device"];
        assert_eq!((&device["device"], &device["target"]), (&"opencl:0".into(), &target.into()), "{device}");
        assert_eq!(device["card"]["facts_from"], gpu, "{device}");
        assert_eq!(device["card"]["opencl"]["platform"], "Clover", "{device}");
    }
}

/// What the driver does, further options, exit code, what the program says, what the first failed row says.
type Case<'a> = (String, &'a [&'a str], i32, &'a str, &'a [&'a str]);

/// Each fault as the card has it: the message, the exit code, what is on disk, and that the run goes on behind it.
#[test]
fn each_fault_of_the_card_costs_its_experiment_and_no_more() {
    let Some(opencl) = find() else { return };
    let options = ["measure", "--device", "opencl:0", "--suite", "instructions", "--only", "V_ADD_F32", "--waves", "1"];
    let (_kept, sound) = folder();
    let mut command = on_card(opencl, "tahiti", "");
    command.args(options).arg("--out").arg(&sound);
    ended(command, 0);
    let experiments: Vec<String> = file(&sound, "experiments.csv").lines().map(Into::into).collect();

    let launch = WARM_UP + 4;
    let failed_event = "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
    let few: &[&str] = &["--max-faults-in-a-row", "2"];
    let cases: [Case<'_>; 7] = [
        (format!("memory@dispatch={launch}"), &[], 0, "", &[failed_event]),
        (format!("illegal-instruction@dispatch={launch}"), &[], 0, "", &[failed_event]),
        (
            format!("hang@dispatch={launch}"),
            &["--launch-timeout", "3s"],
            0,
            "",
            &["did not answer within 3s and was ended", "the dispatch does not end"],
        ),
        (
            format!("gone@dispatch={launch}"),
            &[],
            0,
            "",
            &["ended with exit code 1", "the device is gone", "The CS has been rejected (-19)"],
        ),
        (
            format!("refused@submission={launch}.."),
            few,
            1,
            "the device is lost: it failed 2 times in a row",
            &["ended with exit code 1", "submission refused", "The CS has been rejected (-22)"],
        ),
        (format!("lost@dispatch={launch}"), few, 1, "OpenCL sees no device", &["the device is gone"]),
        (
            format!("memory@dispatch={launch}.."),
            few,
            1,
            "the device is lost: it failed 2 times in a row",
            &[failed_event],
        ),
    ];
    for (fault, more, code, says, reasons) in cases {
        let (kept, run) = folder();
        let mut command = on_card(opencl, "tahiti", &fault);
        command.env("GCN_TIMINGS_FAULT_COUNTS", kept.path().join("counts"));
        command.args(options).args(more).arg("--out").arg(&run);
        let output = ended(command, code);
        assert!(text(&output.stderr).contains(says), "{fault}: {}", text(&output.stderr));
        let found = file(&run, "experiments.csv");
        let (failed, others): (Vec<&str>, Vec<&str>) = found.lines().partition(|row| row.contains(",failed,"));
        // Where the device is lost for good, what is tried again and fails once more may have no row.
        let rows = if code == 0 { 1..=1 } else { 1..=2 };
        assert!(rows.contains(&failed.len()), "{fault}: {failed:?}");
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
    let Some(opencl) = find() else { return };
    let (_kept, run) = folder();
    let mut command = on_card(opencl, "tahiti", "out-of-memory@allocation=1..");
    command.args(["measure", "--device", "opencl:0", "--only", "V_ADD_F32", "--out"]).arg(&run);
    let error = text(&ended(command, 1).stderr);
    assert!(error.contains("gcn-timings: opencl:0: clCreateCommandQueue: CL_INVALID_DEVICE (-33)"), "{error}");
    assert!(!run.exists() || fs::read_dir(&run).unwrap().count() == 0, "nothing was stored");
}
