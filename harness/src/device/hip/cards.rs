//! What HIP says of the cards that it sees.
#![expect(unsafe_code, reason = "HIP is only reachable through its C interface")]

use std::ffi::{CStr, c_char, c_int};

use gcn_model::gpu::CardFacts;
use hip_sys::hiprt::hipDeviceAttribute_t as Attribute;

use super::super::compute_units::compute_units;
use super::super::pci::device_id_at;
use super::super::{Card, DeviceError};
use super::architecture::{PROPERTIES, processor, target_id};
use super::library::{Api, Status};

/// All cards, in HIP's order.
///
/// # Errors
/// [`DeviceError::NoDevice`]: no library, no card.
pub(in super::super) fn cards() -> Result<Vec<Card>, DeviceError> {
    let api = Api::load()?;
    (0..count(&api)?).map(|index| card(&api, index)).collect()
}

/// How many cards there are; at least one.
pub(super) fn count(api: &Api) -> Result<u32, DeviceError> {
    let none = |why: &str| {
        DeviceError::NoDevice(format!(
            "HIP sees no AMD GPU ({why}): is the amdgpu kernel driver loaded, and may this user open /dev/kfd and /dev/dri/renderD*?"
        ))
    };
    let mut count: c_int = 0;
    // SAFETY: HIP may be started any number of times; the pointer is valid.
    let status = unsafe {
        match (api.init)(0) {
            0 => (api.device_count)(&raw mut count),
            status => status,
        }
    };
    match api.check("hipGetDeviceCount", status) {
        // ROCm 5.2 gives hipErrorInvalidDevice where later ones give hipErrorNoDevice.
        Err(error) => Err(none(&error.text)),
        Ok(()) => match u32::try_from(count) {
            Ok(count @ 1..) => Ok(count),
            _ => Err(none("it counts none")),
        },
    }
}

/// An attribute of a card; `None` if this version of HIP has it not.
pub(super) fn attribute(api: &Api, index: c_int, attribute: Attribute) -> Option<i32> {
    let mut value: c_int = 0;
    // SAFETY: the pointer is valid; an attribute that HIP does not know is an error.
    let status = unsafe { (api.attribute)(&raw mut value, attribute as c_int, index) };
    api.check("hipDeviceGetAttribute", status).ok().map(|()| value)
}

pub(super) fn card(api: &Api, index: u32) -> Result<Card, DeviceError> {
    let number = index as c_int;
    let failed = |text: String| DeviceError::NoDevice(format!("hip:{index}: {text}"));
    let target_id = {
        let Some((layout, get)) = api.properties else {
            return Err(failed("this HIP library has no hipGetDeviceProperties that is known here".into()));
        };
        let mut properties = vec![0u64; PROPERTIES / 8];
        // SAFETY: the structure is shorter than the buffer in every known layout, and less strictly aligned.
        let status = unsafe { get(properties.as_mut_ptr().cast(), number) };
        api.check("hipGetDeviceProperties", status).map_err(|error| failed(error.text))?;
        let bytes: Vec<u8> = properties.iter().flat_map(|word| word.to_le_bytes()).collect();
        target_id(layout, &bytes).map_err(failed)?
    };
    let pci_address = text(api, "hipDeviceGetPCIBusId", |text, length| {
        // SAFETY: the pointer is valid for the length.
        unsafe { (api.pci_address)(text, length, number) }
    });
    // HIP's attribute of that name is the slot's number.
    let pci_device_id = pci_address.as_deref().and_then(device_id_at);
    let name = text(api, "hipDeviceGetName", |text, length| {
        // SAFETY: the pointer is valid for the length.
        unsafe { (api.device_name)(text, length, number) }
    });
    let megahertz = |kind| attribute(api, number, kind).filter(|khz| *khz > 0).map(|khz| f64::from(khz) / 1000.0);
    let name = name.unwrap_or_default();
    let facts =
        CardFacts::of(processor(&target_id), pci_device_id, &name).map_err(|error| failed(error.to_string()))?;
    let generation = facts.as_ref().map(|facts| facts.generation);
    Ok(Card {
        device: format!("hip:{index}"),
        name: if name.is_empty() { "AMD GPU without a name".into() } else { name },
        generation,
        compute_units: attribute(api, number, Attribute::hipDeviceAttributeMultiprocessorCount)
            .and_then(|count| u32::try_from(count).ok())
            .map_or(0, |count| compute_units(count, generation)),
        clock_mhz: megahertz(Attribute::hipDeviceAttributeClockRate),
        wall_clock_mhz: megahertz(Attribute::hipDeviceAttributeWallClockRate),
        pci_address,
        pci_device_id,
        refused: facts.is_none().then(|| format!("{target_id} is not a GPU that this program knows")),
        facts_from: facts.map(|facts| facts.gpu.to_owned()),
        driver: None,
        target: target_id,
    })
}

fn text(api: &Api, call: &str, get: impl FnOnce(*mut c_char, c_int) -> Status) -> Option<String> {
    let mut bytes = [0u8; 256];
    api.check(call, get(bytes.as_mut_ptr().cast(), 255)).ok()?;
    let text = CStr::from_bytes_until_nul(&bytes).ok()?.to_string_lossy().trim().to_owned();
    (!text.is_empty()).then_some(text)
}
