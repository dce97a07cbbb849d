//! The OpenCL device on a strict driver instead of AMD's own (`rocm_versions` has that one, which lists no gfx8), under the real ICD loader, with the simulator as the card.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::OnceLock;

use gcn_tests::{CardFault, CardRun, OpenCl, ended, every_third, text};
use tempfile::TempDir;

/// GPUs that AMD's driver and the simulator both know, one of gfx8 and one of gfx9, with their target ids.
const GPUS: [(&str, &str); 2] = [("fiji", "gfx803"), ("vega10", "gfx900:xnack-")];

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

/// Runs the program to its end; the driver must have no message, in any of its processes. An allowed message is that an atomic has
/// stored a register which the one before was still to fill: on a card some value without a reader; in the model none. It is an
/// experiment of a case (`cycles_glc`), which is no part of `timings.csv`.
fn ended_well(mut command: Command, code: i32) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    command.env("GCN_TIMINGS_OPENCL_LOG", &log);
    let output = ended(command, code);
    let said = fs::read_to_string(log).unwrap_or_default();
    let is_limit = |line: &str| {
        line.contains("_cycles_glc: ") && line.contains("is unknown to the simulator")
            || line.ends_with("CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)")
    };
    let wrong: Vec<&str> = said.lines().filter(|line| !is_limit(line)).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    output
}

#[test]
fn the_card_is_listed_with_its_properties() {
    let Some(opencl) = OpenCl::find() else { return };
    for (gpu, target) in GPUS {
        let mut command = on_card(opencl, gpu, "");
        command.args(["devices", "--json"]);
        let output = ended_well(command, 0);
        let rows: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let card = rows.as_array().unwrap().iter().find(|row| row["device"] == "opencl:0").expect("opencl:0").clone();
        assert_eq!(card["target"], target, "{card}");
        assert_eq!(card["facts_from"], gpu);
        assert_eq!(card["compute_units"], 2, "what the simulator simulates");
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
    // On gfx9 AMD's own driver runs it (`rocm_versions`), the whole suite with GCN_TIMINGS_ALL_ROCM.
    let (gpu, target) = GPUS[0];
    let (card, model) = (CardRun::new(), CardRun::new());
    let some = every_third(gpu);
    ended_well(card.measure(on_card(opencl, gpu, ""), "opencl:0", &some), 1);
    card.assert_lost_only_what_the_simulator_refuses();
    ended_well(model.measure(on_card(opencl, gpu, ""), &format!("sim:{gpu}"), &some), 0);
    card.assert_same_timings(&model, gpu, if some.is_empty() { 900 } else { 280 });

    let record = card.record();
    let device = &record["device"];
    assert_eq!(device["device"], "opencl:0");
    assert_eq!(device["card"]["target_id"], target);
    assert_eq!(device["card"]["facts_from"], gpu);
    assert_eq!(device["card"]["opencl"]["platform"], "AMD Accelerated Parallel Processing");
}

/// Each fault as the card has it: the message, the exit code, the content of the disk, and that the run continues after it.
#[test]
fn each_fault_of_the_card_costs_its_experiment_and_no_more() {
    let Some(opencl) = OpenCl::find() else { return };
    let fails = |fault: &str, reasons| CardFault { fault: fault.into(), reasons, ..CardFault::ONE };
    let failed_event = &["CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"];
    let faults = [
        fails("memory@dispatch=16", failed_event),
        fails("illegal-instruction@dispatch=16", failed_event),
        fails("refused@submission=16", &["CL_OUT_OF_RESOURCES"]),
        CardFault {
            options: &["--launch-timeout", "20s"],
            ..fails("hang@dispatch=16", &["did not answer within 20s and was ended"])
        },
        fails("gone@dispatch=16", failed_event),
        CardFault {
            options: &["--max-faults-in-a-row", "2"],
            completes: false,
            says: "the device is lost: it failed 2 times in a row",
            failed_rows: 2..=2,
            ..fails("memory@dispatch=15..", &[])
        },
    ];
    CardFault::check_all(&faults, "opencl:0", |fault| on_card(opencl, "fiji", fault));
}

#[test]
fn refused_memory_is_reported() {
    let Some(opencl) = OpenCl::find() else { return };
    let run = CardRun::new();
    let mut command = on_card(opencl, "fiji", "out-of-memory@allocation=1..");
    command.args(["measure", "--device", "opencl:0", "--only", "V_ADD_F32", "--out"]).arg(run.path());
    let error = text(&ended(command, 1).stderr);
    assert!(error.contains("CL_MEM_OBJECT_ALLOCATION_FAILURE"), "{error}");
    assert!(run.is_empty(), "nothing was stored");
}
