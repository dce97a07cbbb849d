//! What sysfs says of the render node and its PCI device; libdrm reads it to list devices.

use gcn_simulated_card::{Card, IpVersions, VRAM_BYTES};

/// Major number of DRM's device files (Linux, `Documentation/admin-guide/devices.txt`).
pub(crate) const DRM_MAJOR: u32 = 226;
/// Minor number of the render node.
pub(crate) const RENDER_MINOR: u32 = 128;
/// Where the card is on the PCI bus: as `location_id` of the topology says.
const SLOT: &str = "0000:01:00.0";
/// Folder of the PCI device.
const DEVICE: &str = "pci/0000:01:00.0";

/// Links, and their targets. libdrm reads the kind of bus from the last part of `subsystem`, without following it.
pub(crate) const LINKS: [(&str, &str); 5] = [
    ("char/device", "../pci/0000:01:00.0"),
    ("pci/0000:01:00.0/subsystem", "../../bus/pci"),
    ("drm/renderD128", "../char"),
    // ROCm's management library counts cards by their first device file, which is not there, and reads the place on the bus from its path.
    ("drm/card0", "../cards/0000:01:00.0/card0"),
    ("cards/0000:01:00.0/card0/device", "../../../pci/0000:01:00.0"),
];

/// The files with their content, by path in the [folder](crate::sysfs::Sysfs); none without a card.
pub(crate) fn files(card: Option<&Card>) -> Vec<(String, String)> {
    let Some(card) = card else { return Vec::new() };
    let chip = &card.chip;
    let device = [
        ("vendor", "0x1002\n".into()),
        ("device", format!("{:#06x}\n", chip.device_id)),
        ("revision", format!("{:#04x}\n", chip.revision)),
        ("subsystem_vendor", "0x1002\n".into()),
        ("subsystem_device", "0x0000\n".into()),
        ("uevent", format!("DRIVER=amdgpu\nPCI_ID=1002:{:04X}\nPCI_SLOT_NAME={SLOT}\n", chip.device_id)),
        // That the folder `drm` is there tells libdrm that the device file is one of DRM's.
        ("drm/renderD128/dev", "226:128\n".into()),
        // ROCm's management library from 6 on finds the number of the card here.
        ("drm/card0/dev", "226:0\n".into()),
    ];
    let device = device.into_iter().chain(state(card));
    let device = device.map(|(name, text)| (format!("{DEVICE}/{name}"), text));
    let node = [
        ("char/uevent".into(), "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\n".into()),
        ("dri/renderD128".into(), String::new()),
        ("cards/0000:01:00.0/card0/dev".into(), "226:0\n".into()),
    ];
    device.chain(node).chain(ip_discovery(card)).collect()
}

/// The file of the taken bytes of the card's memory, which is written whenever it is opened.
pub(crate) const USED_MEMORY: &str = "mem_info_vram_used";

/// What the simulator knows of the card's state: its one shader clock, and its memory. There is no temperature or power. ROCm's management
/// library counts no card without a version of its BIOS, and wants the name of a voltage.
fn state(card: &Card) -> [(&'static str, String); 9] {
    let megahertz = card.gpu.clock.shader_mhz;
    [
        ("pp_dpm_sclk", format!("0: {megahertz:.0}Mhz *\n")),
        ("power_dpm_force_performance_level", "auto\n".into()),
        ("mem_info_vram_total", format!("{VRAM_BYTES}\n")),
        (USED_MEMORY, "0\n".into()),
        ("vbios_version", "113-SIMULATED\n".into()),
        ("hwmon/hwmon0/name", "amdgpu\n".into()),
        ("hwmon/hwmon0/in0_label", "vddgfx\n".into()),
        ("hwmon/hwmon0/freq1_label", "sclk\n".into()),
        ("hwmon/hwmon0/freq1_input", format!("{:.0}\n", megahertz * 1e6)),
    ]
}

/// The versions of the chip's blocks (Linux, `amdgpu_discovery.c`, `ip_hw_instance_attrs`).
fn ip_discovery(card: &Card) -> Vec<(String, String)> {
    let Some(versions) = IpVersions::of(&card.gpu.gfx_target) else { return Vec::new() };
    let file =
        |id: u32, part: &str, text: &str| (format!("{DEVICE}/ip_discovery/die/0/{id}/0/{part}"), format!("{text}\n"));
    let blocks = versions.blocks();
    let parts = blocks.iter().flat_map(|(id, version)| {
        ["major", "minor", "revision"].iter().zip(version).map(|(part, text)| file(*id, part, text))
    });
    parts.collect()
}
