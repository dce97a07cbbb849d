//! What `devices` says.

use std::fs;

use gcn_tests::{Rocm, RocmVersion, ended, text};
use object::{Object, ObjectSymbol};

use crate::rocm_versions::tried::Way;

/// The target ids of the GPUs, as ROCm has them.
const TARGETS: [(&str, &str); 6] = [
    ("fiji", "gfx803"),
    ("vega10", "gfx900:xnack-"),
    ("vega20", "gfx906:sramecc-:xnack-"),
    ("rx6800", "gfx1030"),
    ("rx7900xtx", "gfx1100"),
    ("rx9070xt", "gfx1201"),
];

/// Versions that show no device where one is.
const UNKNOWN: [(&str, &str); 3] = [("5.2", "rx7900xtx"), ("5.2", "rx9070xt"), ("7.2", "fiji")];

/// The program asks for the newer of the two layouts of a device's properties where a library has it: name, target, clock and PCI
/// address are read from it, and say that it was the right one. Of RDNA the libraries count work-group processors: each has two compute
/// units.
#[test]
fn cards_are_listed_with_the_properties_that_the_version_has() {
    let Some(rocm) = Rocm::find() else { return };
    for version in RocmVersion::all() {
        let major = version.name.split('.').next().unwrap();
        let library = fs::read(version.libraries().join(format!("libamdhip64.so.{major}"))).unwrap();
        let library = object::File::parse(&*library).unwrap();
        let has_newer = library.dynamic_symbols().any(|symbol| symbol.name() == Ok("hipGetDevicePropertiesR0600"));
        assert_eq!(has_newer, version.name != "5.2", "{}", version.name);
        for (gpu, target) in TARGETS {
            if UNKNOWN.contains(&(version.name, gpu)) {
                continue;
            }
            let mut command = Way::Hip.command(rocm, &version, gpu, "").unwrap();
            command.args(["devices", "--json"]);
            let rows: serde_json::Value = serde_json::from_slice(&ended(command, 0).stdout).unwrap();
            let card = rows.as_array().unwrap().iter().find(|row| row["device"] == "hip:0").expect("hip:0").clone();
            assert_eq!((&card["target"], &card["facts_from"]), (&target.into(), &gpu.into()), "{}", version.name);
            assert_eq!((&card["compute_units"], &card["pci_address"]), (&2.into(), &"0000:01:00.0".into()), "{card}");
            assert!(card["clock_mhz"].as_f64().is_some_and(|clock| clock > 100.0), "{card}");
        }
    }
}

/// Why a version shows no gfx8: HSA of ROCm 7 does not know doorbells of 32 bits any more, and AMD's OpenCL of ROCm 6 does not list it.
#[test]
fn unlisted_cards_have_a_reason() {
    let Some(rocm) = Rocm::find() else { return };
    let reasons = [
        ("7.2", Way::Hip, "The GPU node uses a deprecated doorbell type"),
        ("7.2", Way::OpenCl, "The GPU node uses a deprecated doorbell type"),
        ("6.4", Way::OpenCl, "Unsupported HSA device gfx803"),
    ];
    let unpacked = RocmVersion::unpacked();
    for (name, way, reason) in reasons {
        let Some(version) = unpacked.iter().find(|version| version.name == name) else { continue };
        let mut command = way.command(rocm, version, "fiji", "").unwrap();
        // The libraries' own words, which are for the standard error of the process that drives the device.
        let prefix = way.device().split(':').next().unwrap();
        command.env("AMD_LOG_LEVEL", "1").args(["device-child", "--list", prefix]);
        let said = text(&command.output().unwrap().stderr);
        assert!(said.contains(reason), "ROCm {name}, {way:?}: {said}");
    }
}
