//! Faults, requested and real, as the process sees them.

use crate::preloaded::{End, FaultCase, text};
use crate::program::Built;

/// Kernel of a program without a fault.
const PLUS: FaultCase =
    FaultCase { fault: "", kernel: "plus", how: "wait", end: End::Code(0), says: ["launch 3: done\nend", ""] };
/// `CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST`.
const FAILED: &str = "clWaitForEvents(1, &event): error -14";

const CASES: [FaultCase; 14] = [
    PLUS,
    FaultCase { how: "query", says: ["launch 3: status 0\nend", ""], ..PLUS },
    FaultCase {
        fault: "refused@submission=2",
        end: End::Code(1),
        says: ["launch 1: done\n", "The CS has been rejected (-22)"],
        ..PLUS
    },
    FaultCase {
        fault: "out-of-memory@bytes=67108864..",
        how: "large",
        end: End::Code(2),
        says: ["clFinish(queue): error -14", "Failed to allocate a buffer"],
        ..PLUS
    },
    FaultCase {
        fault: "out-of-memory@allocation",
        end: End::Code(2),
        says: ["clCreateCommandQueue: error -33", "Failed to create a context"],
        ..PLUS
    },
    FaultCase {
        fault: "hang@dispatch=2",
        how: "query",
        end: End::Code(3),
        says: ["launch 1: status 0\nlaunch 2: status 2\n", "the dispatch does not end"],
        ..PLUS
    },
    FaultCase {
        fault: "hang@dispatch=2",
        end: End::Never,
        says: ["launch 1: done\n", "the dispatch does not end"],
        ..PLUS
    },
    FaultCase { fault: "memory@dispatch=2", end: End::Code(2), says: [FAILED, "memory fault at 0xdead0000"], ..PLUS },
    FaultCase {
        fault: "illegal-instruction@dispatch=1",
        end: End::Code(2),
        says: [FAILED, "GCN_TIMINGS_FAULT"],
        ..PLUS
    },
    FaultCase {
        fault: "gone@dispatch=2",
        end: End::Code(1),
        says: ["launch 1: done\n", "The CS has been rejected (-19)"],
        ..PLUS
    },
    FaultCase { fault: "absent", end: End::Code(2), says: ["no device", ""], ..PLUS },
    FaultCase { kernel: "illegal", end: End::Code(2), says: [FAILED, "is not an instruction of GCN"], ..PLUS },
    FaultCase { kernel: "wild", end: End::Code(2), says: [FAILED, "memory fault: 4 bytes at 0xf12345000"], ..PLUS },
    FaultCase { kernel: "endless", end: End::Never, says: ["", ""], ..PLUS },
];

#[test]
fn each_fault_is_seen_as_on_a_card() {
    let Some(built) = Built::get() else { return };
    FaultCase::check_all(&CASES, ["tahiti", "hawaii"], |case, gpu| {
        case.check(gpu, built.command(gpu, case.limit("3600")), &built.kernels(gpu));
    });
}

#[test]
fn a_device_that_is_lost_is_lost_to_the_next_process() {
    let Some(built) = Built::get() else { return };
    let folder = tempfile::tempdir().unwrap();
    let ends: Vec<_> = (0..2)
        .map(|_| {
            let mut command = built.command("tahiti", "3600");
            command.arg("fault").arg(built.kernels("tahiti")).args(["plus", "wait"]);
            command.env("GCN_TIMINGS_FAULT", "lost@dispatch=2");
            let output = command.env("GCN_TIMINGS_FAULT_COUNTS", folder.path().join("counts")).output().unwrap();
            (End::of(&output), text(&output).lines().last().unwrap_or_default().to_owned())
        })
        .collect();
    assert_eq!(ends, [(End::Code(1), "launch 1: done".into()), (End::Code(2), "no device".into())]);
}
