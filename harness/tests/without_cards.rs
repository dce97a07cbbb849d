//! A program that was built without a card driver says so, and how to build one that has it.

use std::process::{Command, Stdio};

/// Exit code, and the output with the messages.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    let output = command.args(arguments).stdin(Stdio::null()).output().expect("the program starts");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[cfg(not(feature = "opencl"))]
#[test]
fn opencl_says_how_to_build_it() {
    let (code, text) = run(&["measure", "--device", "opencl:0"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("opencl:0: this gcn-timings was built without OpenCL"), "{text}");
    assert!(text.contains("--features opencl"), "{text}");
}

#[cfg(not(feature = "hip"))]
#[test]
fn hip_says_how_to_build_it() {
    let (code, text) = run(&["measure", "--device", "hip:0"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("hip:0: this gcn-timings was built without HIP"), "{text}");
    assert!(text.contains("--features hip"), "{text}");
}

#[test]
fn devices_names_each_driver_that_is_not_built_in() {
    let (_, text) = run(&["devices"]);
    for (driver, feature, is_built_in) in
        [("HIP", "hip", cfg!(feature = "hip")), ("OpenCL", "opencl", cfg!(feature = "opencl"))]
    {
        let missing = format!("Cards through {driver}: not in this build (cargo build --features {feature}).");
        assert_eq!(text.contains(&missing), !is_built_in, "{text}");
    }
}
