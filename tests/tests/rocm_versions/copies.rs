//! Large copies of a real HIP: they go through packets whose counts are as wide as the copy engine's generation has them.

use std::path::Path;
use std::process::Command;

use gcn_tests::{Rocm, RocmVersion};
use rayon::prelude::*;

/// A copy engine with counts of 22 bits, and those with 30 bits by generation.
const GPUS: [&str; 5] = ["vega10", "mi210", "rx6800", "rx7900xtx", "rx9070xt"];
/// Above 4 MiB, which 22 bits count: a whole number of pieces, and not.
const SIZES: [&str; 2] = ["5242880", "9437188"];

#[test]
fn a_copy_above_4_mib_is_whole() {
    let Some(rocm) = Rocm::find() else { return };
    let versions = RocmVersion::unpacked();
    if versions.is_empty() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("copies");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rocm_versions/programs/copies.c");
    let built = Command::new("cc").arg("-O1").arg("-o").arg(&program).arg(source).arg("-ldl").status().unwrap();
    assert!(built.success());
    let cells: Vec<_> = versions.iter().flat_map(|version| GPUS.map(|gpu| (version, gpu))).collect();
    cells.into_par_iter().for_each(|(version, gpu)| {
        let mut command = version.foreign(rocm, &program);
        command.env("LD_PRELOAD", rocm.driver()).env("GCN_TIMINGS_GPU", gpu);
        let output = command.arg(version.hip_library()).args(SIZES).output().unwrap();
        let expected: String = SIZES.map(|size| format!("{size} bytes: 0 dwords differ\n")).concat();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(&output.stdout), expected, "{gpu} on ROCm {}: {}", version.name, text(&output.stderr));
    });
}
