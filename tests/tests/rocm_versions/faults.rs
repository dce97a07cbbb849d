//! The cost of a card's fault on each version.

use gcn_tests::{CardFault, Rocm, RocmVersion, Tier};

use crate::rocm_versions::tried::Way;

/// ROCm 5 and 6 abort the process of the device; ROCm 7 gives an error to whoever waits, and the device is lost with it.
#[test]
fn a_fault_costs_its_experiment_and_no_more() {
    let Some(rocm) = Rocm::find() else { return };
    for version in RocmVersion::unpacked() {
        let is_newest = version.name == "7.2";
        if !is_newest && !Tier::All.runs("faults with ROCm 6.4, which aborts as ROCm 5 does") {
            continue;
        }
        // Four launches warm up, ten are of the fillers, which are tried again; these are the first of the instruction.
        let fails = |fault: &str, reasons| CardFault { fault: fault.into(), reasons, ..CardFault::ONE };
        let [memory, illegal]: [&[&str]; 2] =
            if is_newest { [&["hipErrorIllegalAddress"], &["hipErrorLaunchFailure"]] } else { [&["SIGABRT"]; 2] };
        let faults = [
            fails("memory@dispatch=16", memory),
            fails("illegal-instruction@dispatch=16", illegal),
            CardFault {
                options: &["--launch-timeout", "20s"],
                ..fails("hang@dispatch=16", &["did not answer within 20s and was ended"])
            },
        ];
        CardFault::check_all(&faults, "hip:0", |fault| Way::Hip.command(rocm, &version, "vega20", fault).unwrap());
        // Of a queue that stopped, AMD's OpenCL of ROCm 7 says nothing: results are missing, of this launch and of some after it.
        let illegal = if is_newest {
            CardFault { failed_rows: 1..=4, ..fails("illegal-instruction@dispatch=16", &["did not store its results"]) }
        } else {
            fails("illegal-instruction@dispatch=16", &["SIGABRT"])
        };
        let faults = [fails("memory@dispatch=16", &["SIGABRT"]), illegal];
        CardFault::check_all(&faults, "opencl:0", |fault| {
            Way::OpenCl.command(rocm, &version, "vega10", fault).unwrap()
        });
    }
}
