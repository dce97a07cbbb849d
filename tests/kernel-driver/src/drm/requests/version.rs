//! The driver's identity.

use crate::drm::request::{Capability, Version};
use crate::ioctl::{Errno, pointed};

/// Version of the requests: that of Linux 6.1, which Debian 12 has.
const VERSION: [i32; 3] = [3, 49, 0];
const NAME: &str = "amdgpu";
const DATE: &str = "20150101";
const DESCRIPTION: &str = "AMD GPU";

/// Name and version. Each text is cut to the room that there is, and its whole length is told.
pub(super) fn version(version: &mut Version) -> Result<(), Errno> {
    [version.major, version.minor, version.patch_level] = VERSION;
    for (text, place, bytes) in [
        (NAME, version.name, &mut version.name_bytes),
        (DATE, version.date, &mut version.date_bytes),
        (DESCRIPTION, version.description, &mut version.description_bytes),
    ] {
        let count = text.len().min(*bytes as usize);
        if count > 0 {
            pointed(place, count as u64)?.write(&text.as_bytes()[..count]);
        }
        *bytes = text.len() as u64;
    }
    Ok(())
}

/// `DRM_CAP_SYNCOBJ`.
const SYNC_OBJECTS: u64 = 0x13;

/// Of DRM's capabilities there are synchronisation objects alone, without timelines; buffers are not shared between devices.
pub(super) fn capability(capability: &mut Capability) -> Result<(), Errno> {
    capability.value = u64::from(capability.number == SYNC_OBJECTS);
    Ok(())
}
