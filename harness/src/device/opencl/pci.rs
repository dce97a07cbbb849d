//! A device's place on the PCI bus, and its device id, which separates products with the same chip.

use ocl::core::DeviceId;

use super::super::pci::device_id_at;
use super::query::{PCI_BUS_INFO_KHR, PCIE_ID_AMD, TOPOLOGY_AMD, bytes, number};

/// A place on the bus, and its device.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Pci {
    /// Address: `0000:03:00.0`.
    pub(super) address: Option<String>,
    pub(super) device_id: Option<u32>,
}

impl Pci {
    /// The driver's statement, and the kernel's facts about the stated address.
    pub(super) fn of_driver(device: DeviceId) -> Self {
        let address = bytes(device, PCI_BUS_INFO_KHR)
            .and_then(|bytes| khronos_address(&bytes))
            .or_else(|| bytes(device, TOPOLOGY_AMD).and_then(|bytes| amd_address(&bytes)));
        let said = number(device, PCIE_ID_AMD).and_then(|id| u32::try_from(id).ok()).filter(|id| *id != 0);
        let device_id = said.or_else(|| address.as_deref().and_then(device_id_at));
        Self { address, device_id }
    }
}

fn khronos_address(bytes: &[u8]) -> Option<String> {
    let dword = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    Some(format!("{:04x}:{:02x}:{:02x}.{:x}", dword(0)?, dword(4)?, dword(8)?, dword(12)?))
}

fn amd_address(bytes: &[u8]) -> Option<String> {
    // `cl_device_topology_amd`: a dword with the type (1 is PCI), 17 unused bytes, bus, device, function.
    let bytes: &[u8; 24] = bytes.try_into().ok()?;
    (bytes[..4] == [1, 0, 0, 0]).then(|| format!("0000:{:02x}:{:02x}.{:x}", bytes[21], bytes[22], bytes[23]))
}

/// The AMD GPUs that the kernel has render nodes for, in the order of the nodes. That is the order in which clover, which says nothing of the
/// bus, finds its devices (`pipe_loader_drm_probe`).
pub(super) fn render_nodes() -> Vec<Pci> {
    // DRM_RENDER_NODE_MIN_MINOR to DRM_RENDER_NODE_MAX_MINOR.
    let event = |node: u32| std::fs::read_to_string(format!("/sys/class/drm/renderD{node}/device/uevent")).ok();
    (128..=191).filter_map(event).filter_map(|event| amd_gpu(&event)).collect()
}

/// A node's `uevent`, if it is AMD's.
fn amd_gpu(event: &str) -> Option<Pci> {
    let value = |key: &str| event.lines().find_map(|line| line.strip_prefix(key));
    let device_id = u32::from_str_radix(value("PCI_ID=1002:")?.trim(), 16).ok();
    Some(Pci { address: value("PCI_SLOT_NAME=").map(|address| address.trim().to_owned()), device_id })
}

/// The nodes of clover's AMD GPUs, if there are as many of the ones as of the others: otherwise nothing tells which is which.
pub(super) fn of_clover(nodes: &[Pci], devices: usize) -> Vec<Pci> {
    if nodes.len() == devices { nodes.to_vec() } else { vec![Pci::default(); devices] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_each_way_to_say_where_a_card_is() {
        let khronos: Vec<u8> = [0u32, 3, 0, 1].into_iter().flat_map(u32::to_le_bytes).collect();
        assert_eq!(khronos_address(&khronos).as_deref(), Some("0000:03:00.1"));
        assert_eq!(khronos_address(&khronos[..15]), None);
        let mut amd = [0; 24];
        (amd[0], amd[21], amd[22]) = (1, 0x41, 2);
        assert_eq!(amd_address(&amd).as_deref(), Some("0000:41:02.0"));
        amd[0] = 2;
        assert_eq!(amd_address(&amd), None);
        let event =
            "DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_ID=1002:67B1\nPCI_SUBSYS_ID=1002:0B00\nPCI_SLOT_NAME=0000:01:00.0\n";
        let card = Pci { address: Some("0000:01:00.0".into()), device_id: Some(0x67b1) };
        assert_eq!(amd_gpu(event), Some(card.clone()));
        assert_eq!(amd_gpu("DRIVER=nvidia\nPCI_ID=10DE:1B80\n"), None);
        let nodes = [card];
        assert_eq!(of_clover(&nodes, 1), nodes);
        assert_eq!(of_clover(&nodes, 2), [Pci::default(), Pci::default()]);
    }
}
