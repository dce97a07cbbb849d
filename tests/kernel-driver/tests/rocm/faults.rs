//! Faults, requested and real, as the process sees them.

use crate::preloaded::{End, FaultCase, errors, text};
use crate::program::Built;

/// Kernel of a program without a fault.
const ADD: FaultCase =
    FaultCase { fault: "", kernel: "add", how: "query", end: End::Code(0), says: ["launch 3: hipSuccess\nend", ""] };

const CASES: [FaultCase; 13] = [
    ADD,
    FaultCase {
        fault: "memory@dispatch=2",
        end: End::Aborted,
        says: ["launch 1: hipSuccess\n", "Memory access fault by GPU node-1"],
        ..ADD
    },
    FaultCase { how: "wild", end: End::Aborted, says: ["", "on address 0x123456000"], ..ADD },
    FaultCase {
        fault: "illegal-instruction@kernel=add#2",
        end: End::Aborted,
        says: ["launch 1: hipSuccess\n", "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION"],
        ..ADD
    },
    FaultCase { kernel: "illegal", end: End::Aborted, says: ["", "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION"], ..ADD },
    FaultCase {
        fault: "aperture@dispatch=1",
        end: End::Aborted,
        says: ["", "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION"],
        ..ADD
    },
    FaultCase {
        fault: "invalid-code@dispatch=3..",
        end: End::Aborted,
        says: ["launch 2: hipSuccess\n", "HSA_STATUS_ERROR_INVALID_CODE_OBJECT"],
        ..ADD
    },
    FaultCase { kernel: "unmodelled", end: End::Aborted, says: ["", "a limit of the simulator: unmodelled"], ..ADD },
    FaultCase {
        fault: "hang@dispatch=2",
        end: End::Code(3),
        says: ["launch 2: hipErrorNotReady\n", "the dispatch does not end: add"],
        ..ADD
    },
    FaultCase { fault: "hang@dispatch=2", how: "wait", end: End::Never, says: ["launch 1: done\n", ""], ..ADD },
    FaultCase { kernel: "endless", end: End::Code(3), says: ["launch 1: hipErrorNotReady\n", ""], ..ADD },
    FaultCase {
        fault: "out-of-memory@bytes=67108864..",
        how: "large",
        end: End::Code(2),
        says: ["hipErrorOutOfMemory", ""],
        ..ADD
    },
    FaultCase { fault: "absent", end: End::Code(2), says: ["hipErrorInvalidDevice", ""], ..ADD },
];

#[test]
fn each_fault_is_seen_as_on_a_card() {
    let Some(built) = Built::get() else { return };
    FaultCase::check_all(&CASES, ["fiji", "vega10"], |case, gpu| {
        case.check(gpu, built.command_for(gpu, case.limit("3600")), &built.kernels(gpu));
    });
}

#[test]
fn a_device_that_is_gone_stays_gone() {
    let Some(built) = Built::get() else { return };
    for gpu in ["fiji", "vega10"] {
        let mut command = built.command_for(gpu, "3600");
        command.arg("fault").arg(built.kernels(gpu)).args(["add", "query"]).env("GCN_TIMINGS_FAULT", "gone@dispatch=2");
        let output = command.output().unwrap();
        // Not ready forever, or an assertion of ROCr's about a request that failed: which one is a matter of time.
        assert!(matches!(End::of(&output), End::Code(3) | End::Aborted), "{gpu}: {}{}", text(&output), errors(&output));
        assert!(text(&output).starts_with("launch 1: hipSuccess\n"), "{gpu}: {}", text(&output));
        assert!(errors(&output).contains("the device is gone: add"), "{gpu}: {}", errors(&output));
    }
}

#[test]
fn a_fault_can_happen_in_one_process_only() {
    let Some(built) = Built::get() else { return };
    let folder = tempfile::tempdir().unwrap();
    let ends: Vec<_> = (0..3)
        .map(|_| {
            let mut command = built.command("fiji");
            command.arg("fault").arg(built.kernels("fiji")).args(["add", "query"]);
            command.env("GCN_TIMINGS_FAULT", "illegal-instruction@dispatch=5");
            End::of(&command.env("GCN_TIMINGS_FAULT_COUNTS", folder.path().join("counts")).output().unwrap())
        })
        .collect();
    assert_eq!(ends, [End::Code(0), End::Aborted, End::Code(0)]);
}
