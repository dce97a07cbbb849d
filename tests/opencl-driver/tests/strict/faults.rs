//! Faults: of kernels, and those that are asked for.

use crate::code_object::CodeObject;
use crate::host::{ended, has_loader, host, short_host};

/// SIGKILL, which `timeout` sends to a program that waits forever.
const KILLED: Option<i32> = Some(9);

#[test]
fn a_forbidden_access_stops_its_queue() {
    if !has_loader() {
        return;
    }
    let object = CodeObject::of("gfx803");
    let cases =
        [("wild", "memory fault"), ("overrun", "memory fault"), ("unknown", "stored what the model does not know")];
    for (kernel, says) in cases {
        let mut command = host(&object, kernel, None);
        command.env("GCN_TIMINGS_OPENCL_LENIENT", "1");
        let ended = ended(command);
        assert_eq!((ended.code, ended.out.as_str()), (Some(3), "finish gave -5\n"), "{kernel}: {ended:?}");
        assert!(ended.error.contains(says), "{kernel}: {ended:?}");
    }
}

#[test]
fn faults_happen_on_demand() {
    if !has_loader() {
        return;
    }
    let object = CodeObject::of("gfx803");
    let cases = [
        ("out-of-memory@allocation=2", "buffer gave -4\n", "clCreateBuffer"),
        ("refused@submission=1", "launch gave -5\n", "clEnqueueNDRangeKernel"),
        ("memory@dispatch=1", "finish gave -5\n", "memory fault"),
        ("illegal-instruction@kernel=xor", "finish gave -5\n", "queue error 0x40000000"),
        ("gone@dispatch=1", "finish gave -5\n", "the device is gone"),
        ("absent", "devices gave -1\n", ""),
        ("memory@dispatch=2", "right results\n", ""),
    ];
    for (fault, out, says) in cases {
        let mut command = host(&object, "xor", None);
        command.env("GCN_TIMINGS_FAULT", fault).env("GCN_TIMINGS_OPENCL_LENIENT", "1");
        let ended = ended(command);
        assert_eq!(ended.out, out, "{fault}: {ended:?}");
        assert!(ended.error.contains(says), "{fault}: {ended:?}");
    }
}

#[test]
fn a_command_that_hangs_keeps_the_program() {
    if !has_loader() {
        return;
    }
    let object = CodeObject::of("gfx803");
    let mut command = short_host(&object, "xor");
    command.env("GCN_TIMINGS_FAULT", "hang@dispatch=1");
    let ended = ended(command);
    assert_eq!((ended.signal, ended.out.as_str()), (KILLED, ""), "{ended:?}");
    assert!(ended.error.contains("clFinish: does not return: kernel xor: hang"), "{ended:?}");
}
