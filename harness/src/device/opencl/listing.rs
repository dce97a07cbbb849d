//! All OpenCL devices, in the loader's order: platform by platform, each platform's devices in its own. `opencl:N` counts them all, those
//! that are refused as well, so that the listed names are those to type.

use std::io::Write as _;

use ocl::core::{DeviceId, DeviceType, PlatformId, PlatformInfo, Status, get_device_ids, get_platform_ids};
use ocl::ffi::{CL_DEVICE_NAME, CL_DEVICE_TYPE, CL_DEVICE_VENDOR_ID, CL_DRIVER_VERSION};

use super::super::DeviceError;
use super::identity::{DeviceStrings, Flavour, Identity};
use super::library;
use super::pci::{Pci, of_clover, render_nodes};
use super::query::{BOARD_NAME_AMD, number, platform_text, text};
use super::status::ask;

/// Most devices that are requested from a platform.
const MOST_DEVICES: u32 = 256;

/// A device that there is.
#[derive(Debug, Clone)]
pub(super) struct Listed {
    pub(super) platform: PlatformId,
    pub(super) device: DeviceId,
    pub(super) said: DeviceStrings,
    /// Its identity, or why it is refused.
    pub(super) identity: Result<Identity, String>,
    pub(super) pci: Pci,
}

/// All devices; at least one.
///
/// # Errors
/// [`DeviceError::NoDevice`]: no loader, no platform, no device.
pub(super) fn listing() -> Result<Vec<Listed>, DeviceError> {
    library::load()?;
    let none = |text: String| DeviceError::NoDevice(text);
    let platforms = ask(get_platform_ids).map_err(|error| none(format!("OpenCL lists no platform: {}", error.text)))?;
    if platforms.is_empty() {
        return Err(none(
            "OpenCL's loader is there, but no driver: install the card's (for clover on Debian: mesa-opencl-icd), or look at \
             OCL_ICD_VENDORS and /etc/OpenCL/vendors"
                .into(),
        ));
    }
    let mut listed = Vec::new();
    for &platform in &platforms {
        listed.extend(devices(platform).into_iter().map(|device| look_at(platform, device)));
    }
    if listed.is_empty() {
        let names: Vec<_> = platforms.into_iter().map(|platform| platform_text(platform, PlatformInfo::Name)).collect();
        return Err(none(format!(
            "OpenCL sees no device (platforms without one: {}): is the kernel driver radeon or amdgpu loaded, and may this user open \
             /dev/dri/renderD*?",
            names.join(", ")
        )));
    }
    find_clovers_on_the_bus(&mut listed);
    Ok(listed)
}

/// The devices of a platform. One that fails to list them hides no other's.
fn devices(platform: PlatformId) -> Vec<DeviceId> {
    match ask(|| get_device_ids(platform, Some(DeviceType::ALL), Some(MOST_DEVICES))) {
        Ok(devices) => devices,
        Err(error) => {
            if error.status != Status::CL_DEVICE_NOT_FOUND as i32 {
                let name = platform_text(platform, PlatformInfo::Name);
                // Nothing is left to do if standard error is closed.
                let _ = writeln!(std::io::stderr(), "platform {name}: {}", error.text);
            }
            Vec::new()
        }
    }
}

fn look_at(platform: PlatformId, device: DeviceId) -> Listed {
    let said = DeviceStrings {
        platform: platform_text(platform, PlatformInfo::Name),
        platform_version: platform_text(platform, PlatformInfo::Version),
        driver_version: text(device, CL_DRIVER_VERSION).unwrap_or_default(),
        kind: number(device, CL_DEVICE_TYPE).unwrap_or_default(),
        vendor_id: number(device, CL_DEVICE_VENDOR_ID).and_then(|id| u32::try_from(id).ok()).unwrap_or_default(),
        name: text(device, CL_DEVICE_NAME).unwrap_or_default(),
        board: text(device, BOARD_NAME_AMD),
    };
    let identity = Identity::of(&said);
    let pci = if identity.is_ok() { Pci::of_driver(device) } else { Pci::default() };
    Listed { platform, device, said, identity, pci }
}

fn find_clovers_on_the_bus(listed: &mut [Listed]) {
    let is_clover = |listed: &&mut Listed| {
        matches!(&listed.identity, Ok(Identity { flavour: Flavour::Clover, .. })) && listed.pci == Pci::default()
    };
    let clovers: Vec<_> = listed.iter_mut().filter(is_clover).collect();
    let places = of_clover(&render_nodes(), clovers.len());
    for (clover, place) in clovers.into_iter().zip(places) {
        clover.pci = place;
    }
}
