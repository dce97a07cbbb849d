//! An opened card.
#![expect(unsafe_code, reason = "HIP is only reachable through its C interface")]

use std::ffi::c_int;

use hip_sys::hiprt::{hipDeviceAttribute_t as Attribute, hipDeviceScheduleBlockingSync};

use super::super::known_card::KnownCard;
use super::super::{DeviceError, DeviceInformation};
use super::architecture::processor;
use super::buffer::{Buffer, BufferMemory};
use super::cards::{attribute, card, count};
use super::library::{Api, HipError};

/// A card, opened through HIP in this process.
pub(in super::super) struct HipDevice {
    pub(super) api: Api,
    number: c_int,
    pub(super) information: DeviceInformation,
    /// Where results go.
    pub(super) results: BufferMemory,
}

impl HipDevice {
    /// Opens the card with that number.
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`]: no such card, or one whose instruction set is not measured here.
    pub(in super::super) fn open(index: u32) -> Result<Self, DeviceError> {
        let api = Api::load()?;
        let there = count(&api)?;
        if index >= there {
            return Err(DeviceError::NoDevice(format!(
                "there is no hip:{index}: HIP sees {there} AMD GPU(s), from hip:0 on"
            )));
        }
        let card = card(&api, index)?;
        let failed = |text: String| DeviceError::NoDevice(format!("hip:{index}: {text}"));
        let target = processor(&card.target).to_owned();
        let card = KnownCard::of(card, &target)?;
        let number = index as c_int;
        // SAFETY: plain numbers.
        api.check("hipSetDevice", unsafe { (api.set_device)(number) }).map_err(|error| failed(error.text))?;
        // By default HIP waits in a loop that costs a processor, and takes it from whatever else the host does.
        // SAFETY: a plain number.
        let status = unsafe { (api.set_flags)(hipDeviceScheduleBlockingSync) };
        api.check("hipSetDeviceFlags", status).map_err(|error| failed(error.text))?;
        let results = place_of_results(&api, number)?;
        let driver = format!("HIP {}", version(&api).map_err(|error| failed(error.text))?);
        let results_in = match results {
            BufferMemory::MappedHost => "mapped host memory",
            BufferMemory::Card => "the card's memory",
        };
        let information = card.information(driver, results_in, None);
        Ok(Self { api, number, information, results })
    }

    /// Makes this thread's calls go to the card.
    pub(super) fn select(&self) -> Result<(), DeviceError> {
        // SAFETY: a plain number.
        let status = unsafe { (self.api.set_device)(self.number) };
        self.api.check("hipSetDevice", status).map_err(|error| DeviceError::Lost(error.text))
    }
}

/// Mapped host memory needs no copies, which are kernels of their own; where it does not work, the card's memory does.
fn place_of_results(api: &Api, number: c_int) -> Result<BufferMemory, DeviceError> {
    let can_map = attribute(api, number, Attribute::hipDeviceAttributeCanMapHostMemory) != Some(0);
    if can_map && Buffer::zeros(api, BufferMemory::MappedHost, 4).is_ok() {
        return Ok(BufferMemory::MappedHost);
    }
    match Buffer::zeros(api, BufferMemory::Card, 4) {
        Ok(_) => Ok(BufferMemory::Card),
        Err(error) => Err(DeviceError::NoDevice(format!("hip:{number} gives no memory: {}", error.text))),
    }
}

/// HIP's version, which is 10,000,000 × major + 100,000 × minor + patch since ROCm 4.
fn version(api: &Api) -> Result<String, HipError> {
    let mut version: c_int = 0;
    // SAFETY: the pointer is valid.
    api.check("hipRuntimeGetVersion", unsafe { (api.runtime_version)(&raw mut version) })?;
    Ok(format!("{}.{}.{}", version / 10_000_000, version / 100_000 % 100, version % 100_000))
}
