//! Which versions of code objects a version of ROCm loads.

use std::fs;
use std::path::Path;

use gcn_tests::{ABI_VERSION, CardRun, Rocm, RocmVersion, copy_templates, linker, text};

use crate::rocm_versions::tried::Way;

/// Versions, with their byte in the ELF header and the version of their metadata (LLVM `AMDGPUUsage`). Nothing else of these kernels would
/// differ: they have no hidden arguments.
const VERSIONS: [(u32, u8, &str); 3] = [(4, 2, "[1, 1]"), (5, 3, "[1, 2]"), (6, 4, "[1, 2]")];

/// Replaces what stands once in a template.
fn replace(file: &Path, old: &str, new: &str) {
    let template = fs::read_to_string(file).unwrap();
    assert_eq!(template.matches(old).count(), 1, "{}: {old}", file.display());
    fs::write(file, template.replace(old, new)).unwrap();
}

/// The versions of code objects that a version of ROCm loads and runs, for a GPU; the others it refuses before the first launch.
pub(crate) fn loaded(rocm: &Rocm, version: &RocmVersion, gpu: &str) -> Vec<u32> {
    let is_loaded = |&(number, abi_version, metadata): &(u32, u8, &str)| {
        let (templates, run) = (copy_templates(), CardRun::new());
        replace(
            &templates.path().join("metadata.s.hbs"),
            "amdhsa.version: [1, 1]",
            &format!("amdhsa.version: {metadata}"),
        );
        let mut command = Way::Hip.command(rocm, version, gpu, "").unwrap();
        command.args([
            "measure",
            "--device",
            "hip:0",
            "--only",
            "V_ADD_F32",
            "--suite",
            "instructions",
            "--waves",
            "1",
        ]);
        command.args(["--launch-timeout", "1h", "--templates"]).arg(templates.path()).arg("--out").arg(run.path());
        command.env("GCN_TIMINGS_LLD", linker(run.around(), Some((ABI_VERSION, abi_version))));
        let output = command.output().unwrap();
        if output.status.success() {
            assert!(run.file("timings.csv").contains("V_ADD_F32"), "V{number}");
            return true;
        }
        let error = text(&output.stderr);
        assert!(error.contains("hipModuleLoadData: hipErrorSharedObjectInitFailed (303)"), "V{number}: {error}");
        assert!(run.is_empty(), "V{number}: nothing was stored");
        false
    };
    VERSIONS.iter().filter(|version| is_loaded(version)).map(|(number, ..)| *number).collect()
}

#[test]
fn newer_versions_load_newer_code_objects_and_all_load_those_that_the_program_makes() {
    let Some(rocm) = Rocm::find() else { return };
    for version in RocmVersion::all() {
        let expected: &[u32] = if version.name == "5.2" { &[4] } else { &[4, 5, 6] };
        assert_eq!(loaded(rocm, &version, "vega20"), expected, "ROCm {}", version.name);
    }
}
