//! The HIP device on the real ROCm libraries, with the reference model behind the kernel driver's interface.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use gcn_harness::device::{ChildDevice, ChildLimits, ChildProgram, Device, DeviceError};
use gcn_harness::llvm::{Linker, Llvm};
use gcn_tests::Rocm;
use tempfile::TempDir;

/// GPUs that ROCm 5 and the simulated driver both know, one of gfx8 and one of gfx9.
const GPUS: [&str; 2] = ["fiji", "vega10"];

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
        let [(_hip, hip), (_sim, sim)] =
            both(rocm, gpu, &["--suite", "instructions", "--waves", "2", "--samples", "4"]);
        let (found, expected) = (file(&hip, "timings.csv"), file(&sim, "timings.csv"));
        assert!(expected.lines().count() > 900, "{gpu}: {} rows", expected.lines().count());
        assert!(!expected.contains("failed"), "{gpu}: what fails on both is no evidence");
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

/// A linker that keeps its last output beside itself, after writing a byte into it if one is given: (offset, value). A byte of the ELF
/// header is all that tells the version and the target of a code object.
fn linker(folder: &Path, byte: Option<(u32, u8)>) -> PathBuf {
    let own = Linker::find(None, &Llvm::find(None).unwrap()).unwrap().path().to_owned();
    let flavor = if own.ends_with("rust-lld") { "-flavor gnu" } else { "" };
    let change = byte.map_or(String::new(), |(offset, value)| {
        format!("printf '\\{value:03o}' | dd of=linked bs=1 seek={offset} conv=notrunc status=none\n")
    });
    let script = format!(
        "#!/bin/sh\n'{}' {flavor} \"$@\" || exit\n[ -f linked ] || exit 0\n{change}cp linked '{}'\n",
        own.display(),
        folder.join("linked").display()
    );
    let path = folder.join("linker");
    fs::write(&path, script).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// `e_ident[EI_ABIVERSION]`, 2 for code objects of version 4, and the processor's byte of `e_flags` (LLVM `AMDGPUUsage`, "ELF header").
const ABI_VERSION: u32 = 8;
const PROCESSOR: u32 = 48;
const VERSION_5: u8 = 3;
const GFX900: u8 = 0x2c;

#[test]
fn a_code_object_of_a_wrong_version_or_target_ends_the_run_before_its_first_launch() {
    let Some(rocm) = Rocm::find() else { return };
    let own_check = "the code object is for gfx900, not for gfx803";
    for (byte, says) in [
        (Some((ABI_VERSION, VERSION_5)), "hipModuleLoadData: hipErrorSharedObjectInitFailed (303)"),
        (Some((PROCESSOR, GFX900)), own_check),
    ] {
        let (kept, run) = folder();
        let mut command = on_card(rocm, "fiji", "");
        command.env("GCN_TIMINGS_LLD", linker(kept.path(), byte));
        command.args(["measure", "--device", "hip:0", "--only", "V_ADD_F32", "--waves", "1", "--out"]).arg(&run);
        let error = text(&ended(command, 1).stderr);
        assert!(error.contains(says), "{error}");
        assert!(!run.exists() || fs::read_dir(&run).unwrap().count() == 0, "nothing was stored");
    }
}

#[test]
fn hip_refuses_the_code_object_of_another_target_and_works_as_before() {
    let Some(rocm) = Rocm::find() else { return };
    let object = |gpu: &str| {
        let (kept, run) = folder();
        let mut command = rocm.program();
        command.env("GCN_TIMINGS_LLD", linker(kept.path(), None)).args(["measure", "--device", &format!("sim:{gpu}")]);
        command.args(["--suite", "instructions", "--only", "V_ADD_F32", "--waves", "1", "--out"]).arg(run);
        ended(command, 0);
        fs::read(kept.path().join("linked")).unwrap()
    };
    let (own, others) = (object("fiji"), object("vega10"));
    let settings = [("LD_PRELOAD", rocm.driver().as_os_str()), ("GCN_TIMINGS_GPU", "fiji".as_ref())];
    let settings = settings.map(|(name, value)| [name.as_ref(), value].join(std::ffi::OsStr::new("=")));
    let program = rocm.program();
    let command = [program.get_program(), "device-child".as_ref(), "--device".as_ref(), "hip:0".as_ref()];
    let arguments = settings.into_iter().chain(command.map(Into::into)).collect();
    let limits = ChildLimits::default();
    let device = ChildDevice::start(ChildProgram { program: "env".into(), arguments }, limits).unwrap();
    let refusal = |object: &[u8]| match device.load(object).map(drop) {
        Err(DeviceError::CodeObject(why)) => why,
        other => panic!("{other:?}"),
    };
    let said = refusal(&others);
    assert!(
        said.contains("hipModuleLoadData: ") && said.contains("this is HIP ") && said.ends_with(", gfx803"),
        "{said}"
    );
    assert!(refusal(&own[..own.len() / 2]).contains("code object"), "{}", refusal(&own[..own.len() / 2]));
    device.load(&own).map(drop).unwrap();
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
