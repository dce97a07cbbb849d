//! Wrong uses of the API: each is caught, with its line and its code.

use crate::code_object::{ARGUMENTS, CodeObject};
use crate::host::{Ended, ended, has_loader, host};

/// SIGABRT.
const ABORTED: Option<i32> = Some(6);

/// A mistake, the call that shows it, its error code, and a part of the message.
type Case<'a> = (&'a str, &'a str, (&'a str, i32), &'a str);

const CASES: [Case<'_>; 24] = [
    (
        "buffer-released-early",
        "clEnqueueNDRangeKernel",
        ("CL_INVALID_KERNEL_ARGS", -52),
        "argument 2: buffer 1 is used after its release",
    ),
    (
        "buffer-released-twice",
        "clReleaseMemObject",
        ("CL_INVALID_MEM_OBJECT", -38),
        "buffer 1 is used after its release",
    ),
    ("argument-size", "clSetKernelArg", ("CL_INVALID_ARG_SIZE", -51), "argument 1 of kernel xor: 8 bytes"),
    ("argument-index", "clSetKernelArg", ("CL_INVALID_ARG_INDEX", -49), "argument 4 of kernel xor, which has 4"),
    ("argument-missing", "clEnqueueNDRangeKernel", ("CL_INVALID_KERNEL_ARGS", -52), "argument 2: it was not set"),
    ("argument-kind", "clSetKernelArg", ("CL_INVALID_MEM_OBJECT", -38), "command queue 1 is no buffer"),
    ("local-value", "clSetKernelArg", ("CL_INVALID_ARG_VALUE", -50), "not null"),
    ("local-empty", "clSetKernelArg", ("CL_INVALID_ARG_SIZE", -51), "0 bytes of local memory"),
    ("local-too-large", "clEnqueueNDRangeKernel", ("CL_OUT_OF_RESOURCES", -5), "65792 bytes of local memory"),
    ("group-too-large", "clEnqueueNDRangeKernel", ("CL_INVALID_WORK_ITEM_SIZE", -55), "[512]"),
    ("ragged", "clEnqueueNDRangeKernel", ("CL_INVALID_WORK_GROUP_SIZE", -54), "[255] work-items are no multiple"),
    ("dimensions", "clEnqueueNDRangeKernel", ("CL_INVALID_WORK_DIMENSION", -53), "4 dimensions"),
    ("not-built", "clCreateKernel", ("CL_INVALID_PROGRAM_EXECUTABLE", -45), "was not built"),
    ("build-options", "clBuildProgram", ("CL_INVALID_BUILD_OPTIONS", -43), "-cl-fast-relaxed-math"),
    ("kernel-name", "clCreateKernel", ("CL_INVALID_KERNEL_NAME", -46), "no kernel other"),
    ("read-beyond", "clEnqueueReadBuffer", ("CL_INVALID_VALUE", -30), "1025 bytes from 0 on"),
    ("flags-exclusive", "clCreateBuffer", ("CL_INVALID_VALUE", -30), "two kinds of kernel access"),
    ("host-pointer-missing", "clCreateBuffer", ("CL_INVALID_HOST_PTR", -37), "a host pointer that is null"),
    ("buffer-empty", "clCreateBuffer", ("CL_INVALID_BUFFER_SIZE", -61), "0 bytes"),
    ("wait-list", "clEnqueueNDRangeKernel", ("CL_INVALID_EVENT_WAIT_LIST", -57), "1 events is null"),
    (
        "other-context",
        "clSetKernelArg",
        ("CL_INVALID_CONTEXT", -34),
        "argument 2 of kernel xor: the buffer is of another",
    ),
    ("queue-released", "clEnqueueReadBuffer", ("CL_INVALID_COMMAND_QUEUE", -36), "command queue 1 is used after its"),
    (
        "times-not-kept",
        "clGetEventProfilingInfo",
        ("CL_PROFILING_INFO_NOT_AVAILABLE", -7),
        "without CL_QUEUE_PROFILING",
    ),
    ("mapped", "clEnqueueNDRangeKernel", ("CL_INVALID_OPERATION", -59), "argument 0: buffer 2 is mapped"),
];

/// That the driver wrote a line on a call, with its code and this.
fn assert_said(ended: &Ended, call: &str, code: &str, says: &str, of: &str) {
    let start = format!("strict OpenCL driver: {call}: ");
    let line = ended.error.lines().find(|line| line.starts_with(&start));
    let line = line.unwrap_or_else(|| panic!("{of}: no line on {call}: {ended:?}"));
    assert!(line.contains(says) && line.ends_with(&format!("({code})")), "{of}: {line}");
}

#[test]
fn each_wrong_use_ends_the_program_or_gives_its_code() {
    if !has_loader() {
        return;
    }
    let object = CodeObject::of("gfx803");
    for (mistake, call, (name, code), says) in CASES {
        let strict = ended(host(&object, "xor", Some(mistake)));
        assert_eq!(strict.signal, ABORTED, "{mistake}: {strict:?}");
        assert_said(&strict, call, name, says, mistake);
        let mut command = host(&object, "xor", Some(mistake));
        command.env("GCN_TIMINGS_OPENCL_LENIENT", "1");
        let lenient = ended(command);
        assert_eq!(lenient.code, Some(3), "{mistake}: {lenient:?}");
        assert!(lenient.out.ends_with(&format!("gave {code}\n")), "{mistake}: {lenient:?}");
        assert_said(&lenient, call, name, says, mistake);
    }
}

#[test]
fn unreleased_objects_are_reported_at_exit() {
    if !has_loader() {
        return;
    }
    let object = CodeObject::of("gfx803");
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let mut command = host(&object, "xor", Some("leak"));
    command.env("GCN_TIMINGS_OPENCL_LOG", &log);
    let strict = ended(command);
    let said = "strict OpenCL driver: at exit: 1 buffer(s) of 3 never released: 2\n\
                strict OpenCL driver: at exit: 1 kernel(s) of 1 never released: 1\n";
    assert_eq!((strict.signal, strict.out.as_str(), strict.error.as_str()), (ABORTED, "right results\n", said));
    assert_eq!(std::fs::read_to_string(log).unwrap(), said);
    let mut command = host(&object, "xor", Some("leak"));
    command.env("GCN_TIMINGS_OPENCL_LENIENT", "1");
    let lenient = ended(command);
    assert_eq!((lenient.code, lenient.error.as_str()), (Some(0), said));
}

/// A code object that is not for the device never becomes a program.
#[test]
fn a_code_object_for_another_target_is_refused() {
    if !has_loader() {
        return;
    }
    let cases = [
        ("fiji", "gfx900", "the code object is for gfx900, and the device is gfx803"),
        ("vega10", "gfx803", "the code object is for gfx803, and the device is gfx900:xnack-"),
        ("vega10", "gfx900:xnack+", "xnack: the code object was made with it on, and the device is gfx900:xnack-"),
    ];
    for (gpu, target, says) in cases {
        let object = CodeObject::of(target);
        let mut command = host(&object, "xor", None);
        command.env("GCN_TIMINGS_GPU", gpu);
        let ended = ended(command);
        assert_eq!(ended.signal, ABORTED, "{target} on {gpu}: {ended:?}");
        assert_said(&ended, "clCreateProgramWithBinary", "CL_INVALID_BINARY", says, target);
    }
    let object = CodeObject::of("gfx900:xnack-");
    let mut command = host(&object, "xor", None);
    command.env("GCN_TIMINGS_GPU", "vega10");
    assert_eq!(ended(command).code, Some(0), "the device's own setting");
    let object = CodeObject::of("gfx803");
    object.overwrite(|bytes| bytes.truncate(100));
    assert_said(&ended(host(&object, "xor", None)), "clCreateProgramWithBinary", "CL_INVALID_BINARY", "ELF", "cut off");
}

/// Metadata that is missing, wrong, or says something else than the descriptor.
#[test]
fn metadata_that_is_wrong_is_refused() {
    if !has_loader() {
        return;
    }
    let cases: [(&str, &str, &str); 10] = [
        (".value_kind: by_value", ".value_kind: image", "unknown variant `image`"),
        (
            ".wavefront_size: 64\n",
            ".wavefront_size: 64\n    .workgroup_processor_mode: 1\n",
            "unknown field `.workgroup_processor_mode`",
        ),
        ("    .max_flat_workgroup_size: 256\n", "    .max_flat_workgroup_size: 0\n", "is 0, not 1 to 1024"),
        (".kernarg_segment_size: 32", ".kernarg_segment_size: 40", "is 40, and its descriptor says 32"),
        (".group_segment_fixed_size: 256", ".group_segment_fixed_size: 0", "is 0, and its descriptor says 256"),
        (".sgpr_count: 24", ".sgpr_count: 99", ".sgpr_count is 99, and its descriptor allocates 24"),
        ("{.offset: 16,", "{.offset: 12,", "argument 2: .size 8 at .offset 12"),
        (".address_space: global}", ".address_space: local}", "argument 0: .address_space is local"),
        ("{.offset: 24, .size: 4,", "{.offset: 40, .size: 4,", "argument 3: it ends at 44"),
        ("amdhsa.version: [1, 1]", "amdhsa.version: [1, 0]", "amdhsa.version [1, 0]"),
    ];
    for (from, to, says) in cases {
        let object = CodeObject::with_metadata("gfx803", |text| text.replace(from, to));
        let ended = ended(host(&object, "xor", None));
        assert_eq!(ended.signal, ABORTED, "{to}: {ended:?}");
        assert_said(&ended, "clBuildProgram", "CL_BUILD_PROGRAM_FAILURE", says, to);
    }
    let object = CodeObject::with_metadata("gfx803", |text| text.replace(ARGUMENTS, ""));
    assert_said(
        &ended(host(&object, "xor", None)),
        "clSetKernelArg",
        "CL_INVALID_ARG_INDEX",
        "which has 0",
        "no .args",
    );
}
