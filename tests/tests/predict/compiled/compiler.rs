//! Compiling OpenCL C with the system's clang, and launching the result.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use gcn_model::code_object::LoadableObject;
use gcn_model::gpu::Gpu;
use gcn_predict::{Argument, LaunchArguments, Launched, launch};
use gcn_tests::assembler;

/// What the kernels are compiled for, and the GPUs that run them.
const TARGETS: [(&str, &str); 2] = [("gfx803", "fiji"), ("gfx900", "vega10")];
const OPTIONS: [&str; 9] = [
    "-x",
    "cl",
    "-cl-std=CL2.0",
    "-target",
    "amdgcn-amd-amdhsa",
    "-nogpulib",
    "-mcode-object-version=4",
    "-ffp-contract=off",
    "-c",
];

/// Whether there is a clang for AMD GPUs; if not, the tests say so and pass, unless `GCN_TIMINGS_NEED_CLANG` is set.
fn is_there() -> bool {
    let mut clang = Command::new("clang");
    clang.args(OPTIONS).args(["-mcpu=gfx803", "-o", "/dev/null", "-"]).stdin(Stdio::null());
    let is_there = clang.output().is_ok_and(|output| output.status.success());
    if !is_there {
        assert!(env::var_os("GCN_TIMINGS_NEED_CLANG").is_none(), "no clang for amdgcn is installed");
        println!("SKIPPED: no clang for amdgcn is installed");
    }
    is_there
}

/// Compiles `kernels/NAME.cl` for each target, launches its kernel and looks at what it left; the instructions whose values are
/// approximate are these.
pub(super) fn run(
    name: &str,
    (grid, group): ([u32; 3], [u32; 3]),
    arguments: Vec<Argument>,
    approximate: &[&str],
    check: impl Fn(&Launched),
) {
    if !is_there() {
        return;
    }
    let arguments = LaunchArguments { grid, group, arguments, cycle_limit: 50_000_000 };
    for (target, gpu) in TARGETS {
        for level in ["-O1", "-O3"] {
            let object = compiled(name, target, level);
            let launched = launch(&Gpu::named(gpu).unwrap(), &object, name, &arguments);
            let launched = launched.unwrap_or_else(|error| panic!("{target} {level}: {error}"));
            let prediction = &launched.prediction;
            println!("{name} {target} {level}: {} cycles, {} instructions", prediction.cycles.0, prediction.executed);
            assert_eq!(prediction.approximate(), approximate, "{target} {level}");
            check(&launched);
        }
    }
}

fn compiled(name: &str, target: &str, level: &str) -> LoadableObject {
    let folder = tempfile::tempdir().unwrap();
    let object = folder.path().join("kernel.o");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/predict/kernels").join(format!("{name}.cl"));
    let mut clang = Command::new("clang");
    let output =
        clang.args(OPTIONS).arg(format!("-mcpu={target}")).arg(level).arg(&source).arg("-o").arg(&object).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let linked = assembler().linker().link(&[std::fs::read(&object).unwrap()]).unwrap();
    LoadableObject::read(&linked).unwrap()
}

/// A buffer of single precision.
pub(super) fn floats(launched: &Launched, number: usize) -> Vec<f32> {
    let bytes = launched.buffer(number).unwrap_or_else(|error| panic!("{error}"));
    bytes.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
}
