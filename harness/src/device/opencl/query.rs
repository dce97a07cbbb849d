//! A platform's or device's statements about itself. A question that a driver does not answer, or not as it should, has no answer.

use ocl::core::{DeviceId, PlatformId, PlatformInfo, get_device_info_raw, get_platform_info};

use super::status::ask;

/// `CL_DEVICE_PCIE_ID_AMD` (`cl_ext.h`, cl_amd_device_attribute_query): the PCI device id.
pub(super) const PCIE_ID_AMD: u32 = 0x4034;
/// `CL_DEVICE_TOPOLOGY_AMD`: 24 bytes, of which the first dword is 1 for PCI and the last three bytes are bus, device and function.
pub(super) const TOPOLOGY_AMD: u32 = 0x4037;
/// `CL_DEVICE_BOARD_NAME_AMD`: the product's name, where the name is the chip's.
pub(super) const BOARD_NAME_AMD: u32 = 0x4038;
/// `CL_DEVICE_PCI_BUS_INFO_KHR` (cl_khr_pci_bus_info): domain, bus, device and function, a dword each.
pub(super) const PCI_BUS_INFO_KHR: u32 = 0x410f;

/// The bytes of an answer.
pub(super) fn bytes(device: DeviceId, parameter: u32) -> Option<Vec<u8>> {
    ask(|| get_device_info_raw(device, parameter)).ok()
}

/// A text, without the zero and the blanks around it; `None` if nothing is left.
pub(super) fn text(device: DeviceId, parameter: u32) -> Option<String> {
    plain(&bytes(device, parameter)?)
}

fn plain(bytes: &[u8]) -> Option<String> {
    let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    let text = String::from_utf8_lossy(text).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// A number of 32 or 64 bits.
pub(super) fn number(device: DeviceId, parameter: u32) -> Option<u64> {
    number_of(&bytes(device, parameter)?)
}

fn number_of(bytes: &[u8]) -> Option<u64> {
    match bytes.len() {
        4 => Some(u32::from_le_bytes(bytes.try_into().ok()?).into()),
        8 => Some(u64::from_le_bytes(bytes.try_into().ok()?)),
        _ => None,
    }
}

/// A text about a platform; empty if it has none.
pub(super) fn platform_text(platform: PlatformId, parameter: PlatformInfo) -> String {
    ask(|| get_platform_info(platform, parameter)).map(|text| text.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn malformed_answers_give_none() {
        assert_eq!(plain(b" AMD Radeon \0rest\0"), Some("AMD Radeon".into()));
        assert_eq!(plain(b"\xff"), Some("\u{fffd}".into()));
        assert_eq!((plain(b"\0\0"), plain(b"")), (None, None));
        assert_eq!(number_of(&[2, 0x10, 0, 0]), Some(0x1002));
        assert_eq!(number_of(&[0, 0, 0, 0, 1, 0, 0, 0]), Some(1 << 32));
        assert_eq!((number_of(&[]), number_of(&[1, 2, 3])), (None, None));
    }
}
