//! What clover says of the GPU.

use crate::preloaded::{command, errors, has_tool, text};
use crate::program::{CHIPS, NEED_OPENCL, has_clover, with_clover};

/// Names of products as libdrm's table has them for the devices of `data/chips.csv`.
const PRODUCTS: [(&str, &str); 6] = [
    ("tahiti", "AMD Radeon R9 200 / HD 7900 Series"),
    ("pitcairn", "AMD Radeon HD 7800 Series"),
    ("bonaire", "AMD Radeon HD 7700 Series"),
    ("hawaii", "AMD Radeon R9 200 Series"),
    ("tonga", "AMD Radeon R9 200 Series"),
    ("vega10", "AMD Radeon Instinct MI25"),
];

fn has_clinfo() -> bool {
    has_clover() && has_tool("clinfo", NEED_OPENCL)
}

#[test]
fn clinfo_lists_each_gpu_by_product_and_chip() {
    if !has_clinfo() {
        return;
    }
    for ((gpu, product), chip) in PRODUCTS.into_iter().zip(CHIPS) {
        assert_eq!(gpu, chip.0);
        let output = with_clover(gpu, "clinfo", "60").arg("-l").output().unwrap();
        let listed = text(&output);
        assert!(listed.contains(&format!("Device #0: {product} ({gpu}, LLVM ")), "{gpu}: {listed}{}", errors(&output));
        assert!(listed.contains(", DRM 3.49, "), "{listed}");
        assert!(!listed.contains("Device #1"), "{listed}");
        assert_eq!(errors(&output), "", "{gpu}");
    }
}

#[test]
fn clinfo_shows_the_gpu_file() {
    if !has_clinfo() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.toml");
    let large = "base = \"hawaii\"\nname = \"large\"\n[clock]\nshader_mhz = 777\n[simulation]\ncompute_units = 6\n";
    std::fs::write(&file, large).unwrap();
    for (gpu, units, mhz) in
        [("tahiti", "2", "925MHz"), ("tonga", "2", "918MHz"), (file.to_str().unwrap(), "6", "777MHz")]
    {
        let output = with_clover(gpu, "clinfo", "60").output().unwrap();
        let text = text(&output);
        for (key, value) in [("Max compute units", units), ("Max clock frequency", mhz), ("Device Vendor ID", "0x1002")]
        {
            let line = text.lines().find_map(|line| line.trim().strip_prefix(key)).map(str::trim);
            assert_eq!(line, Some(value), "{gpu}: {key}: {}", errors(&output));
        }
    }
}

#[test]
fn without_a_gpu_there_is_none() {
    if !has_clinfo() {
        return;
    }
    for (gpu, fault, message) in [("tahiti", "absent", ""), ("tahitu", "", "tahiti")] {
        let output = with_clover(gpu, "clinfo", "60").arg("-l").env("GCN_TIMINGS_FAULT", fault).output().unwrap();
        assert!(!text(&output).contains("Device #0"), "{gpu}: {}", text(&output));
        assert!(errors(&output).contains(message), "{gpu}: {}", errors(&output));
    }
}

#[test]
fn device_files_look_like_those_of_a_card() {
    let script = "cat /sys/dev/char/226:128/device/{vendor,device} /sys/dev/char/226:128/uevent; readlink /sys/dev/char/226:128/device/subsystem; \
                  test -d /dev/dri && echo a folder";
    let output = command("pitcairn", "bash").args(["-c", script]).output().unwrap();
    let expected = "0x1002\n0x6818\nMAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\n../../bus/pci\na folder\n";
    assert_eq!(text(&output), expected, "{}", errors(&output));
}
