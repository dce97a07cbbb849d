//! AMD's tools of management, which read sysfs: they list the card with its clock.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use gcn_tests::{Rocm, RocmVersion, ended, text};
use serde_json::Value;

/// Libraries of `amd-smi` that the loader of another version's folder does not find.
const LIBRARIES: [&str; 5] =
    ["libmnl.so.0", "libnl-3.so.200", "libnl-genl-3.so.200", "libe_smi64.so.1", "libamd_smi.so.27"];

/// A script of the tools, on a card.
fn tool(rocm: &Rocm, gpu: &str, script: &str, libraries: &[&str]) -> Option<Command> {
    let tools = RocmVersion::folder("smi")?;
    let version = RocmVersion::unpacked().into_iter().find(|version| version.name == "7.2")?;
    let library = |name: &&str| tools.join("usr/lib/x86_64-linux-gnu").join(name);
    let preloaded = [rocm.driver().to_owned()].into_iter().chain(libraries.iter().map(library));
    let preloaded: Vec<PathBuf> = preloaded.collect();
    let mut command = version.foreign(rocm, Path::new("/usr/bin/python3"));
    command.arg(tools.join("usr/libexec").join(script));
    command.env("LD_PRELOAD", env::join_paths(preloaded).unwrap()).env("GCN_TIMINGS_GPU", gpu);
    command.env("PYTHONPATH", tools.join("usr/lib/python3/dist-packages"));
    Some(command)
}

#[test]
fn rocm_smi_lists_the_card_with_its_clock() {
    let Some(rocm) = Rocm::find() else { return };
    for (gpu, id, clock) in [("vega10", "0x6860", "(1546Mhz)"), ("rx7900xtx", "0x744c", "(2526Mhz)")] {
        let Some(mut command) = tool(rocm, gpu, "rocm_smi/rocm_smi.py", &[]) else { return };
        command.args(["--showid", "--showclocks", "--json"]);
        let cards: Value = serde_json::from_slice(&ended(command, 0).stdout).unwrap();
        assert_eq!(cards.as_object().unwrap().keys().collect::<Vec<_>>(), ["card0"], "{cards}");
        let card = &cards["card0"];
        assert_eq!((&card["Device ID"], &card["sclk clock speed:"]), (&id.into(), &clock.into()), "{card}");
    }
}

#[test]
fn amd_smi_lists_the_card() {
    let Some(rocm) = Rocm::find() else { return };
    let Some(mut command) = tool(rocm, "rx7900xtx", "amdsmi_cli/amdsmi_cli.py", &LIBRARIES) else { return };
    command.arg("list");
    let listed = text(&ended(command, 0).stdout);
    for part in ["GPU: 0\n", "BDF: 0000:01:00.0\n", "UUID: 0000744c-"] {
        assert!(listed.contains(part), "{part}: {listed}");
    }
}
