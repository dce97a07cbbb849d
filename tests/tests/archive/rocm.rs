//! In a root with ROCm 7.2's libraries, with the simulator under the kernel driver's interface.

use std::fs;

use gcn_tests::{Rocm, RocmVersion, ended, text};

use crate::archive::packed::{GPU, PROGRAM, TARGET, here, unpack};
use crate::archive::root::Root;

/// The place of the library that replaces the kernel driver.
const DRIVER: &str = "opt/driver.so";
/// The version that the root has.
const VERSION: &str = "7.2";

/// ROCm has LLVM's library and no linker: the kernels are the kept ones, on a card as on the simulator, and so are the timings.
#[test]
fn a_card_is_measured_by_kept_kernels() {
    let Some(rocm) = Rocm::find() else { return };
    let Some(version) = RocmVersion::unpacked().into_iter().find(|version| version.name == VERSION) else { return };
    let Some(mut root) = Root::new() else { return };
    root.see_system(version.root().expect("it is unpacked"));
    unpack(rocm, root.path());
    let is_linker = |name: &str| name.contains("lld") || name.contains("rustc");
    let found = root.tools();
    let linker = found.iter().find(|path| path.file_name().is_some_and(|name| is_linker(&name.to_string_lossy())));
    assert_eq!(linker, None, "without a linker, nothing can be assembled");
    fs::copy(rocm.driver(), root.path().join(DRIVER)).unwrap();
    fs::write(root.path().join("etc/ld.so.preload"), format!("/{DRIVER}\n")).unwrap();
    let on_card = |words: &[&str]| {
        let mut command = root.command(PROGRAM);
        command.args(words).env("GCN_TIMINGS_GPU", GPU).env("AMD_COMGR_CACHE_DIR", "/runs/compiled");
        command
    };

    let rows: serde_json::Value = serde_json::from_slice(&ended(on_card(&["devices", "--json"]), 0).stdout).unwrap();
    let card = rows.as_array().unwrap().iter().find(|row| row["device"] == "hip:0").expect("hip:0").clone();
    assert!(card["target"].as_str().is_some_and(|target| target.starts_with(TARGET)), "{card}");

    let output = on_card(&["measure", "--quick", "--device", "hip:0", "--launch-timeout", "1h", "--out", "/runs/run"]);
    let output = output_of(output);
    let run = root.path().join("runs/run");
    let file =
        |name: &str| fs::read_to_string(run.join(name)).unwrap_or_else(|error| panic!("{name}: {error}\n{output}"));
    let record: serde_json::Value = serde_json::from_str(&file("run.json")).unwrap();
    let driver = record["device"]["driver"].as_str().unwrap_or_default();
    assert!(driver.starts_with(&format!("simulated driver: HIP {VERSION}.")), "{driver}");
    let made = tempfile::tempdir().unwrap();
    let mut model = here(rocm);
    model.args(["measure", "--quick", "--device", &format!("sim:{GPU}"), "--out"]).arg(made.path().join("run"));
    ended(model, 0);
    let model = fs::read_to_string(made.path().join("run/timings.csv")).unwrap();
    assert!(model.lines().count() > 20, "{model}");
    assert_eq!(file("timings.csv"), model, "{output}");

    let refused = output_of(on_card(&["measure", "--device", "hip:0", "--only", "V_ADD_F32", "--out", "/runs/other"]));
    assert!(refused.contains("not among the kept ones"), "{refused}");
}

/// The output of a command, wherever and however it ends.
fn output_of(mut command: std::process::Command) -> String {
    let output = command.output().expect("the program starts");
    format!("{}\n{}\n{}", output.status, text(&output.stdout), text(&output.stderr))
}
