//! Compiling OpenCL C with the system's clang, and launching the result.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use gcn_model::code_object::LoadableObject;
use gcn_model::gpu::Gpu;
use gcn_predict::{Argument, LaunchArguments, Launched, launch};
use gcn_tests::assembler;

/// The targets and clang versions of the kernels, and the GPUs that run them.
const TARGETS: [(&str, &str, &str, &[&str]); 8] = [
    ("clang", "gfx803", "fiji", &[]),
    ("clang", "gfx900", "vega10", &[]),
    // The clang of older Debian knows no gfx1201.
    ("clang-22", "gfx1030", "rx6800", &[]),
    ("clang-22", "gfx1030", "rx6800", &["-mwavefrontsize64"]),
    ("clang-22", "gfx1100", "rx7900xtx", &[]),
    ("clang-22", "gfx1100", "rx7900xtx", &["-mwavefrontsize64"]),
    ("clang-22", "gfx1201", "rx9070xt", &[]),
    ("clang-22", "gfx1201", "rx9070xt", &["-mwavefrontsize64"]),
];
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

/// Whether there is such a clang for AMD GPUs; if not, the tests say so and pass, unless `GCN_TIMINGS_NEED_CLANG` or
/// `GCN_TIMINGS_NEED_CLANG_22` is set.
fn is_there(name: &str) -> bool {
    let mut clang = Command::new(name);
    clang.args(OPTIONS).args(["-mcpu=gfx803", "-o", "/dev/null", "-"]).stdin(Stdio::null());
    let is_there = clang.output().is_ok_and(|output| output.status.success());
    if !is_there {
        let variable = format!("GCN_TIMINGS_NEED_{}", name.to_ascii_uppercase().replace('-', "_"));
        assert!(env::var_os(variable).is_none(), "no {name} for amdgcn is installed");
        println!("SKIPPED: no {name} for amdgcn is installed");
    }
    is_there
}

/// Compiles `kernels/NAME.cl` for each target, launches its kernel and checks its results; the instructions whose values are
/// approximate are these.
pub(super) fn run(
    name: &str,
    (grid, group): ([u32; 3], [u32; 3]),
    arguments: Vec<Argument>,
    approximate: &[&str],
    check: impl Fn(&Launched),
) {
    let arguments = LaunchArguments { grid, group, arguments, cycle_limit: 50_000_000 };
    for (clang, target, gpu, options) in TARGETS.into_iter().filter(|(clang, ..)| is_there(clang)) {
        for level in ["-O1", "-O3"] {
            let object = compiled(clang, name, target, &[&[level], options].concat());
            let launched = launch(&Gpu::named(gpu).unwrap(), &object, name, &arguments);
            let launched = launched.unwrap_or_else(|error| panic!("{target} {level}: {error}"));
            let prediction = &launched.prediction;
            println!(
                "{name} {target} {options:?} {level}: {} cycles, {} instructions",
                prediction.cycles.0, prediction.executed
            );
            let approximate: Vec<String> = approximate.iter().map(|name| name.to_uppercase()).collect();
            assert_eq!(prediction.approximate(), approximate, "{target} {level}");
            check(&launched);
        }
    }
}

fn compiled(clang: &str, name: &str, target: &str, options: &[&str]) -> LoadableObject {
    let folder = tempfile::tempdir().unwrap();
    let object = folder.path().join("kernel.o");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/predict/kernels").join(format!("{name}.cl"));
    let mut clang = Command::new(clang);
    clang.args(OPTIONS).arg(format!("-mcpu={target}")).args(options).arg(&source).arg("-o").arg(&object);
    let output = clang.output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let linked = assembler().linker().link(&[std::fs::read(&object).unwrap()]).unwrap();
    LoadableObject::read(&linked).unwrap()
}

/// A buffer of single precision.
pub(super) fn floats(launched: &Launched, number: usize) -> Vec<f32> {
    let bytes = launched.buffer(number).unwrap_or_else(|error| panic!("{error}"));
    bytes.chunks_exact(4).map(|word| f32::from_le_bytes(word.try_into().unwrap())).collect()
}
