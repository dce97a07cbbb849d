//! A store out of bounds by a kernel of HIP's: the report says where it happened.

use std::fs;
use std::process::Command;

use gcn_tests::{Rocm, RocmVersion, assembler, object_of, text};

use super::source;

/// The store, as LLVM writes it.
const STORE: &str = "global_store_b32 v0, v0, s[0:1]";

#[test]
fn the_report_names_kernel_wave_instruction_and_address() {
    let Some(rocm) = Rocm::find() else { return };
    let Some(version) = RocmVersion::unpacked().into_iter().find(|version| version.name == "7.2") else { return };
    let folder = tempfile::tempdir().unwrap();
    let [program, object] = ["program", "object"].map(|name| folder.path().join(name));
    let built = Command::new("cc").arg("-o").arg(&program).arg(source("out_of_bounds.c")).arg("-ldl").status().unwrap();
    assert!(built.success());
    let text_of_kernel = fs::read_to_string(source("out_of_bounds.s")).unwrap();
    let code = assembler().linker().link(&[object_of("gfx1100", &text_of_kernel)]).unwrap();
    fs::write(&object, code).unwrap();
    let mut command = version.foreign(rocm, &program);
    command.arg(version.hip_library()).arg(&object);
    command.env("LD_PRELOAD", rocm.driver()).env("GCN_TIMINGS_GPU", "rx7900xtx");
    let output = command.output().unwrap();
    let (printed, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(printed.contains("hipModuleLaunchKernel: hipSuccess\n"), "{printed}{errors}");
    assert!(!printed.contains("hipDeviceSynchronize: hipSuccess"), "{printed}{errors}");
    let report = errors.lines().find(|line| line.contains("memory fault")).unwrap_or_else(|| panic!("{errors}"));
    // Two waves of 32 lanes in each group: the third is the first of the second group.
    for part in ["out_of_bounds: ", "wave 2, ", STORE, "4 bytes at 0x"] {
        assert!(report.contains(part), "{part}: {report}");
    }
}
