//! Clock, power state and displays of AMD's cards, as Linux tells them (Documentation/gpu/amdgpu/thermal.rst).

use std::fs;
use std::path::Path;

use gcn_model::gpu::CardFacts;

use super::Finding;

/// AMD's PCI vendor id.
const AMD: &str = "0x1002";

/// What Linux says of each AMD card below `root`, which is `/` on a real machine.
pub fn cards_in_sysfs(root: &Path) -> Vec<Finding> {
    let folder = root.join("sys/class/drm");
    let entries = fs::read_dir(&folder).into_iter().flatten().filter_map(Result::ok);
    let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    let is_card = |name: &&String| name.strip_prefix("card").is_some_and(|number| number.parse::<u32>().is_ok());
    let cards = names.iter().filter(is_card);
    let cards: Vec<&String> = cards.filter(|name| read(&folder.join(name).join("device/vendor")) == AMD).collect();
    cards.into_iter().flat_map(|name| card(&folder, name, &names)).collect()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).map(|text| text.trim().to_owned()).unwrap_or_default()
}

fn card(folder: &Path, name: &str, names: &[String]) -> Vec<Finding> {
    let device = folder.join(name).join("device");
    let id = read(&device.join("device"));
    let number = id.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
    let sold = number.map(CardFacts::products_of).unwrap_or_default().join(" or ");
    let sold = if sold.is_empty() { String::new() } else { format!(", sold as {sold} or as another of its chip") };
    let mut findings = vec![Finding::good(name, format!("an AMD card, PCI device {id}{sold}"))];
    let highest = clocks(&read(&device.join("pp_dpm_sclk")));
    match read(&device.join("power_dpm_force_performance_level")).as_str() {
        "" => findings.push(Finding::note(
            format!("{name}: clock"),
            "Linux does not say how it is chosen",
            "a clock that moves is found by the run, and only latencies of memory suffer",
        )),
        level @ ("auto" | "low") => {
            let most = highest.map(|clock| format!(", of {clock} at most")).unwrap_or_default();
            findings.push(Finding::note(
                format!("{name}: clock"),
                format!("it moves with the load (`{level}`{most})"),
                format!(
                    "as root: `echo profile_standard > /sys/class/drm/{name}/device/power_dpm_force_performance_level`"
                ),
            ));
        }
        level => findings.push(Finding::good(format!("{name}: clock"), format!("it is held (`{level}`)"))),
    }
    if read(&device.join("power/runtime_status")) == "suspended" {
        findings.push(Finding::note(
            format!("{name}: power"),
            "the card sleeps",
            "the first launch wakes it; warm-up launches take care of the rest",
        ));
    }
    let prefix = format!("{name}-");
    let connectors = names.iter().filter(|found| found.starts_with(&prefix));
    let lit: Vec<&str> = connectors
        .filter(|found| read(&folder.join(found).join("enabled")) == "enabled")
        .filter_map(|found| found.strip_prefix(&prefix))
        .collect();
    findings.push(if lit.is_empty() {
        Finding::good(format!("{name}: display"), "none runs on it")
    } else {
        Finding::note(
            format!("{name}: display"),
            format!("one runs on it ({})", lit.join(", ")),
            "drawing disturbs the readings, and a launch can freeze the picture: measure from a text console or over the network",
        )
    });
    findings
}

/// The highest clock of a list such as `0: 300Mhz`, `1: 1000Mhz *`.
fn clocks(list: &str) -> Option<String> {
    let megahertz = |line: &str| {
        let clock = line.split_whitespace().nth(1)?.to_ascii_lowercase();
        clock.strip_suffix("mhz")?.parse::<u32>().ok()
    };
    list.lines().filter_map(megahertz).max().map(|clock| format!("{clock} MHz"))
}

#[cfg(test)]
mod tests {
    use super::super::Health;
    use super::*;

    fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = root.path().join("sys/class/drm").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn a_display_and_a_moving_clock_are_reported() {
        let root = machine(&[
            ("card0/device/vendor", "0x8086\n"),
            ("card1/device/vendor", "0x1002\n"),
            ("card1/device/device", "0x67b1\n"),
            ("card1/device/power_dpm_force_performance_level", "auto\n"),
            ("card1/device/pp_dpm_sclk", "0: 300Mhz\n1: 947Mhz *\n"),
            ("card1/device/power/runtime_status", "active\n"),
            ("card1-HDMI-A-1/enabled", "enabled\n"),
            ("card1-DP-1/enabled", "disabled\n"),
        ]);
        let found = cards_in_sysfs(root.path());
        let said: Vec<String> = found.iter().map(|found| format!("{}: {}", found.subject, found.says)).collect();
        assert_eq!(
            said,
            [
                "card1: an AMD card, PCI device 0x67b1, sold as Radeon R9 290 or as another of its chip",
                "card1: clock: it moves with the load (`auto`, of 947 MHz at most)",
                "card1: display: one runs on it (HDMI-A-1)",
            ]
        );
        assert_eq!(found.iter().filter(|found| found.health == Health::Note).count(), 2);
    }

    #[test]
    fn a_host_without_cards_lists_none() {
        assert_eq!(cards_in_sysfs(machine(&[("version", "drm 1.1.0\n")]).path()), []);
    }
}
