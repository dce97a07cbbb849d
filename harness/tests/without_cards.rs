//! A program that was built without a card driver says so, and how to build one that has it.

use std::process::{Command, Stdio};

/// Exit code, and the output with the messages.
fn run(arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gcn-timings"));
    let output = command.args(arguments).stdin(Stdio::null()).output().expect("the program starts");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// The card drivers: name, feature, and whether this build has it.
const DRIVERS: [(&str, &str, bool); 2] =
    [("HIP", "hip", cfg!(feature = "hip")), ("OpenCL", "opencl", cfg!(feature = "opencl"))];

#[test]
fn a_missing_driver_says_how_to_build_it() {
    for (driver, feature, _) in DRIVERS.into_iter().filter(|(.., is_built_in)| !is_built_in) {
        let device = format!("{feature}:0");
        let (code, text) = run(&["measure", "--device", &device]);
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains(&format!("{device}: this gcn-timings was built without {driver}")), "{text}");
        assert!(text.contains(&format!("--features {feature}")), "{text}");
    }
}

#[test]
fn devices_names_each_driver_that_is_not_built_in() {
    let (_, text) = run(&["devices"]);
    for (driver, feature, is_built_in) in DRIVERS {
        let missing = format!("Cards through {driver}: not in this build (cargo build --features {feature}).");
        assert_eq!(text.contains(&missing), !is_built_in, "{text}");
    }
}
