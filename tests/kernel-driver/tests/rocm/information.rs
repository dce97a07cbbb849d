//! What ROCm says of the GPU.

use crate::preloaded::{command, errors, text};
use crate::program::has_tool;

/// The lines of `rocminfo` about the GPU, as pairs.
fn agent(output: &str) -> Vec<(&str, &str)> {
    let (_, gpu) = output.split_once("Agent 2").expect("rocminfo lists no GPU");
    gpu.lines().filter_map(|line| line.split_once(':')).map(|(key, value)| (key.trim(), value.trim())).collect()
}

#[test]
fn rocminfo_shows_the_gpu_file() {
    if !has_tool("rocminfo") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.toml");
    let large = "base = \"fiji\"\nname = \"large\"\n[clock]\nshader_mhz = 777\n[simulation]\ncompute_units = 56\n";
    std::fs::write(&file, large).unwrap();
    let file = file.to_str().unwrap();
    for (gpu, target, units, mhz) in
        [("fiji", "gfx803", "2", "1050"), ("vega10", "gfx900", "2", "1546"), (file, "gfx803", "56", "777")]
    {
        let output = command(gpu, "rocminfo").output().unwrap();
        assert!(output.status.success(), "{gpu}: {}", errors(&output));
        let text = text(&output);
        let agent = agent(&text);
        for (key, value) in [("Name", target), ("Max Clock Freq. (MHz)", mhz), ("Wavefront Size", "64(0x40)")] {
            let found = agent.iter().find(|(found, _)| *found == key).map(|(_, value)| *value);
            assert_eq!(found, Some(value), "{gpu}: {key}");
        }
        assert!(agent.contains(&("Compute Unit", units)), "{gpu}: {agent:?}");
        assert!(text.contains("ROCk module is loaded"), "{gpu}");
    }
}

#[test]
fn without_a_gpu_there_is_none() {
    if !has_tool("rocminfo") {
        return;
    }
    let absent =
        [("fiji", Some("absent"), ""), ("tahiti", None, "ROCm 5 runs gfx8 and gfx9 only"), ("fujy", None, "fiji")];
    for (gpu, fault, message) in absent {
        let output = command(gpu, "rocminfo").envs(fault.map(|fault| ("GCN_TIMINGS_FAULT", fault))).output().unwrap();
        assert!(!text(&output).contains("Agent 2"), "{gpu}");
        assert!(errors(&output).contains(message), "{gpu}: {}", errors(&output));
    }
}

#[test]
fn the_topology_goes_with_its_process() {
    if !has_tool("rocminfo") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let left = || std::fs::read_dir(folder.path()).unwrap().count();
    let output = command("fiji", "rocminfo").env("TMPDIR", folder.path()).output().unwrap();
    assert!(output.status.success() && left() == 0);
    // A process that is killed leaves its folder, and the next one removes it.
    let stuck = "exec 3</sys/devices/virtual/kfd/kfd/topology/generation_id; kill -KILL $$";
    command("fiji", "bash").args(["-c", stuck]).env("TMPDIR", folder.path()).output().unwrap();
    assert_eq!(left(), 1);
    command("fiji", "rocminfo").env("TMPDIR", folder.path()).output().unwrap();
    assert_eq!(left(), 0);
}
