//! The OpenCL device on Debian's unmodified clover, with the simulator under the DRM driver's interface.

use std::path::Path;
use std::process::Command;

use gcn_tests::{CardFault, CardRun, OpenCl, ended, every_third, part_of, text};
use rayon::prelude::*;

/// Clover's entry for OpenCL's loader.
const CLOVER: &str = "/etc/OpenCL/vendors/mesa.icd";

/// GPUs and their targets: one of each of GCN 1.0, 1.1 and 1.2, then another of GCN 1.0 and of 1.1.
const GPUS: [(&str, &str); 5] =
    [("tahiti", "gfx600"), ("bonaire", "gfx704"), ("tonga", "gfx802"), ("pitcairn", "gfx601"), ("hawaii", "gfx701")];

/// Launches before the first experiment where a card has no clock of constant rate to warm up by (`harness/src/run/warm_up.rs`).
const WARM_UP: u32 = 200;

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

#[test]
fn each_card_is_listed_with_its_properties() {
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
        assert_eq!(card["compute_units"], 2, "what the simulator simulates");
    }
    insta::assert_snapshot!(listed, @r"
    opencl:0          gfx600      2  AMD Radeon R9 200 / HD 7900 Series; PCI device 0x6798 at 0000:01:00.0; shader clock 925 MHz, wall clock unknown; OpenCL platform Clover (OpenCL 1.1 Mesa [VERSION]), driver [VERSION]; planned by the facts of tahiti
    opencl:0          gfx704      2  AMD Radeon HD 7700 Series; PCI device 0x665c at 0000:01:00.0; shader clock 1000 MHz, wall clock unknown; OpenCL platform Clover (OpenCL 1.1 Mesa [VERSION]), driver [VERSION]; planned by the facts of bonaire
    opencl:0          gfx802      2  AMD Radeon R9 200 Series; PCI device 0x6939 at 0000:01:00.0; shader clock 918 MHz, wall clock unknown; OpenCL platform Clover (OpenCL 1.1 Mesa [VERSION]), driver [VERSION]; planned by the facts of tonga
    opencl:0          gfx601      2  AMD Radeon HD 7800 Series; PCI device 0x6818 at 0000:01:00.0; shader clock 1000 MHz, wall clock unknown; OpenCL platform Clover (OpenCL 1.1 Mesa [VERSION]), driver [VERSION]; planned by the facts of pitcairn
    opencl:0          gfx701      2  AMD Radeon R9 200 Series; PCI device 0x67b1 at 0000:01:00.0; shader clock 947 MHz, wall clock unknown; OpenCL platform Clover (OpenCL 1.1 Mesa [VERSION]), driver [VERSION]; planned by the facts of hawaii
    ");
    let mut command = on_card(opencl, "tahiti", "absent");
    command.arg("devices");
    let said = ended(command, 1);
    assert!(text(&said.stderr).contains("OpenCL sees no device"), "{}", text(&said.stderr));
}

#[test]
fn each_card_gives_the_same_timings_as_the_model_that_it_is() {
    let Some(opencl) = find() else { return };
    // Launches of a card come one after the other, so that each keeps one core busy.
    part_of(&GPUS, 1, "the other cards of Clover").par_iter().for_each(|&(gpu, target)| {
        let (card, model) = (CardRun::new(), CardRun::new());
        let some = every_third(gpu);
        ended(card.measure(on_card(opencl, gpu, ""), "opencl:0", &some), 1);
        card.assert_lost_only_what_the_simulator_refuses();
        let mut without_card = on_card(opencl, gpu, "");
        without_card.env_remove("LD_PRELOAD");
        ended(model.measure(without_card, &format!("sim:{gpu}"), &some), 0);
        card.assert_same_timings(&model, gpu, if some.is_empty() { 500 } else { 150 });

        let record = card.record();
        let device = &record["device"];
        assert_eq!((&device["device"], &device["target"]), (&"opencl:0".into(), &target.into()), "{device}");
        assert_eq!(device["card"]["facts_from"], gpu, "{device}");
        assert_eq!(device["card"]["opencl"]["platform"], "Clover", "{device}");
    });
}

/// Each fault as the card has it: the message, the exit code, the content of the disk, and that the run continues after it.
#[test]
fn each_fault_of_the_card_costs_its_experiment_and_no_more() {
    let Some(opencl) = find() else { return };
    // Ten launches are of the fillers, which are tried again.
    let launch = WARM_UP + 12;
    let failed_event = &["CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"];
    let fails = |fault: &str, reasons| CardFault { fault: format!("{fault}={launch}"), reasons, ..CardFault::ONE };
    // Where the device is lost for good, a retry that fails once more may have no row.
    let lost =
        CardFault { options: &["--max-faults-in-a-row", "2"], completes: false, failed_rows: 1..=2, ..CardFault::ONE };
    let twice = "the device is lost: it failed 2 times in a row";
    let faults = [
        fails("memory@dispatch", failed_event),
        fails("illegal-instruction@dispatch", failed_event),
        CardFault {
            options: &["--launch-timeout", "20s"],
            ..fails("hang@dispatch", &["did not answer within 20s and was ended", "the dispatch does not end"])
        },
        fails("gone@dispatch", &["ended with exit code 1", "the device is gone", "The CS has been rejected (-19)"]),
        CardFault {
            fault: format!("refused@submission={launch}.."),
            says: twice,
            reasons: &["ended with exit code 1", "submission refused", "The CS has been rejected (-22)"],
            ..lost.clone()
        },
        CardFault {
            fault: format!("lost@dispatch={}", WARM_UP + 11),
            says: "OpenCL sees no device",
            reasons: &["the device is gone"],
            ..lost.clone()
        },
        CardFault { fault: format!("memory@dispatch={}..", WARM_UP + 11), says: twice, reasons: failed_event, ..lost },
    ];
    CardFault::check_all(&faults, "opencl:0", |fault| on_card(opencl, "tahiti", fault));
}

#[test]
fn refused_memory_is_reported() {
    let Some(opencl) = find() else { return };
    let run = CardRun::new();
    let mut command = on_card(opencl, "tahiti", "out-of-memory@allocation=1..");
    command.args(["measure", "--device", "opencl:0", "--only", "V_ADD_F32", "--out"]).arg(run.path());
    let error = text(&ended(command, 1).stderr);
    assert!(error.contains("gcn-timings: opencl:0: clCreateCommandQueue: CL_INVALID_DEVICE (-33)"), "{error}");
    assert!(run.is_empty(), "nothing was stored");
}
