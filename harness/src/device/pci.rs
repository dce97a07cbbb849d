//! The kernel's facts about a place on the PCI bus.

/// The PCI device id at an address such as `0000:03:00.0`; it separates products with the same chip. `None` where the kernel knows of no device.
pub(super) fn device_id_at(address: &str) -> Option<u32> {
    let path = format!("/sys/bus/pci/devices/{}/device", address.to_lowercase());
    let text = std::fs::read_to_string(path).ok()?;
    u32::from_str_radix(text.trim().strip_prefix("0x")?, 16).ok()
}
