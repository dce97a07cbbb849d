//! The HIP device on the real ROCm libraries, with the simulator under the kernel driver's interface.

use std::fs;
use std::process::Command;

use gcn_harness::device::{ChildDevice, ChildLimits, ChildProgram, Device, DeviceError};
use gcn_tests::{ABI_VERSION, CardFault, CardRun, Rocm, ended, every_third, linker, part_of, text};
use rayon::prelude::*;

/// GPUs that ROCm 5 and the simulated driver both know, one of gfx8 and one of gfx9.
const GPUS: [&str; 2] = ["vega10", "fiji"];

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

#[test]
fn the_card_is_listed_with_its_properties() {
    let Some(rocm) = Rocm::find() else { return };
    for (gpu, target, generation) in [("fiji", "gfx803", "1.2"), ("vega10", "gfx900:xnack-", "1.4")] {
        let mut command = on_card(rocm, gpu, "");
        command.args(["devices", "--json"]);
        let rows: serde_json::Value = serde_json::from_slice(&ended(command, 0).stdout).unwrap();
        let card = rows.as_array().unwrap().iter().find(|row| row["device"] == "hip:0").expect("hip:0").clone();
        assert_eq!(card["target"], target, "{card}");
        assert_eq!(card["generation"], generation);
        assert_eq!(card["facts_from"], gpu);
        assert_eq!(card["compute_units"], 2, "what the simulator simulates");
        assert!(card["clock_mhz"].as_f64().is_some_and(|clock| clock > 100.0), "{card}");
    }
    let mut command = on_card(rocm, "fiji", "absent");
    command.arg("devices");
    assert!(text(&ended(command, 1).stderr).contains("HIP sees no AMD GPU"));
    let mut command = on_card(rocm, "fiji", "");
    command.args(["measure", "--device", "hip:1"]);
    assert!(text(&ended(command, 1).stderr).contains("there is no hip:1: HIP sees 1 AMD GPU(s)"));
}

#[test]
fn doctor_finds_the_driver_and_its_nodes() {
    let Some(rocm) = Rocm::find() else { return };
    let output = on_card(rocm, "vega10", "").args(["doctor", "--json"]).output().unwrap();
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let found = found.as_array().unwrap();
    for (subject, says) in [
        ("kernel's driver", "amdgpu is loaded"),
        ("/dev/kfd", "this user can open it"),
        ("/dev/dri/renderD128", "this user can open it"),
    ] {
        let row = found.iter().find(|row| row["subject"] == subject).unwrap_or_else(|| panic!("{subject}: {found:?}"));
        assert_eq!((&row["health"], &row["says"]), (&"good".into(), &says.into()), "{row}");
    }
}

#[test]
fn a_card_gives_the_same_timings_as_the_model_that_it_is() {
    let Some(rocm) = Rocm::find() else { return };
    // Launches of a card come one after the other, so that each keeps one core busy.
    part_of(&GPUS, 1, "gfx8, which the strict OpenCL driver runs").par_iter().for_each(|&gpu| {
        let (card, model) = (CardRun::new(), CardRun::new());
        let some = every_third(gpu);
        ended(card.measure(on_card(rocm, gpu, ""), "hip:0", &some), 0);
        ended(model.measure(rocm.program(), &format!("sim:{gpu}"), &some), 0);
        card.assert_same_timings(&model, gpu, if some.is_empty() { 900 } else { 280 });

        let record = card.record();
        let device = &record["device"];
        assert_eq!(device["device"], "hip:0");
        assert!(
            device["driver"].as_str().is_some_and(|driver| driver.starts_with("simulated driver: HIP ")),
            "{device}"
        );
        assert_eq!(device["card"]["facts_from"], gpu);
        assert_eq!(device["card"]["match_quality"], "product");
        assert_eq!(device["card"]["results_in"], "mapped host memory");
        assert_eq!(record["dp_rate_field"], serde_json::json!([0]));
        // Where waves ran is read from HW_ID, at both ends.
        let header = card.file("readings.csv");
        assert!(header.starts_with("experiment,launch,n,pass,wave,begin,end,hw_id,hw_id_end,"), "{header:.80}");
    });
}

/// Each fault as the card has it: the message, the exit code, the content of the disk, and that the run continues after it.
#[test]
fn each_fault_of_the_card_costs_its_experiment_and_no_more() {
    let Some(rocm) = Rocm::find() else { return };
    // Four launches warm up, ten are of the fillers, which are tried again; these are the first of the instruction.
    let aborts = |fault: &str, reasons| CardFault { fault: fault.into(), reasons, ..CardFault::ONE };
    let hangs = |fault: &str| CardFault {
        options: &["--launch-timeout", "20s"],
        ..aborts(fault, &["did not answer within 20s and was ended"])
    };
    let faults = [
        aborts("memory@dispatch=16", &["SIGABRT", "GPU memory access fault"]),
        aborts("illegal-instruction@dispatch=16", &["SIGABRT", "ILLEGAL_INSTRUCTION"]),
        aborts("aperture@dispatch=16", &["SIGABRT", "APERTURE_VIOLATION"]),
        aborts("invalid-code@dispatch=16", &["SIGABRT", "INVALID_CODE_OBJECT"]),
        hangs("hang@dispatch=16"),
        hangs("gone@dispatch=16"),
        CardFault {
            options: &["--max-faults-in-a-row", "2"],
            completes: false,
            says: "the device is lost: it failed 2 times in a row",
            failed_rows: 2..=2,
            ..aborts("memory@dispatch=15..", &["SIGABRT"])
        },
    ];
    CardFault::check_all(&faults, "hip:0", |fault| on_card(rocm, "fiji", fault));
}

/// The processor's byte of `e_flags` (LLVM `AMDGPUUsage`, "ELF header").
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
        let run = CardRun::new();
        let mut command = on_card(rocm, "fiji", "");
        command.env("GCN_TIMINGS_LLD", linker(run.around(), byte));
        command.args(["measure", "--device", "hip:0", "--only", "V_ADD_F32", "--waves", "1", "--out"]).arg(run.path());
        let error = text(&ended(command, 1).stderr);
        assert!(error.contains(says), "{error}");
        assert!(run.is_empty(), "nothing was stored");
    }
}

#[test]
fn hip_refuses_the_code_object_of_another_target_and_works_as_before() {
    let Some(rocm) = Rocm::find() else { return };
    let object = |gpu: &str| {
        let run = CardRun::new();
        let mut command = rocm.program();
        command.env("GCN_TIMINGS_LLD", linker(run.around(), None)).args(["measure", "--device", &format!("sim:{gpu}")]);
        command.args(["--suite", "instructions", "--only", "V_ADD_F32", "--waves", "1", "--out"]).arg(run.path());
        ended(command, 0);
        fs::read(run.around().join("linked")).unwrap()
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
        said.contains("hipModuleLoadData: ")
            && said.contains("this is simulated driver: HIP ")
            && said.ends_with(", gfx803"),
        "{said}"
    );
    assert!(refusal(&own[..own.len() / 2]).contains("code object"), "{}", refusal(&own[..own.len() / 2]));
    device.load(&own).map(drop).unwrap();
}

#[test]
fn refused_memory_is_reported() {
    let Some(rocm) = Rocm::find() else { return };
    let run = CardRun::new();
    let mut command = on_card(rocm, "fiji", "out-of-memory@allocation=1..");
    command.args(["measure", "--device", "hip:0", "--only", "V_ADD_F32", "--out"]).arg(run.path());
    let error = text(&ended(command, 1).stderr);
    assert!(error.starts_with("gcn-timings: ") || error.contains("\ngcn-timings: "), "{error}");
    assert!(run.is_empty(), "nothing was stored");
}
