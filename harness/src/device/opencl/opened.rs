//! An opened device.

use gcn_model::record::OpenClRecord;
use ocl::core::{CommandQueue, Context, ContextProperties, DeviceId, create_command_queue, create_context};
use ocl::ffi::CL_DEVICE_LOCAL_MEM_SIZE;

use super::super::known_card::KnownCard;
use super::super::{DeviceError, DeviceInformation, LdsRequest};
use super::buffer::{read, zeros};
use super::cards::{card, driver};
use super::identity::{Flavour, Identity, processor};
use super::listing::{Listed, listing};
use super::query::number;
use super::status::ask;

/// A device, opened through OpenCL in this process.
pub(in super::super) struct OpenClDevice {
    // The queue goes before its context.
    pub(super) queue: CommandQueue,
    pub(super) context: Context,
    pub(super) device: DeviceId,
    pub(super) flavour: Flavour,
    pub(super) information: DeviceInformation,
}

impl OpenClDevice {
    /// Opens the device with that number.
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`]: no such device, one that is refused, or one that gives no memory.
    pub(in super::super) fn open(index: u32) -> Result<Self, DeviceError> {
        let listed = listing()?;
        let failed = |text: String| DeviceError::NoDevice(format!("opencl:{index}: {text}"));
        let Some(this) = listed.get(index as usize) else {
            let devices = listed.len();
            return Err(DeviceError::NoDevice(format!(
                "there is no opencl:{index}: OpenCL lists {devices} device(s), from opencl:0 on"
            )));
        };
        let name = &this.said.name;
        let identity = this
            .identity
            .clone()
            .map_err(|why| failed(format!("{name} on platform {} is refused: {why}", this.said.platform)))?;
        let information = information(this, index, &identity)?;
        let properties = ContextProperties::new().platform(this.platform);
        let context = ask(|| create_context(Some(&properties), &[this.device], None, None))
            .map_err(|error| failed(error.text))?;
        let queue = ask(|| create_command_queue(&context, this.device, None)).map_err(|error| failed(error.text))?;
        // Memory is given when it is first used: a device without any is found here, and not by the first experiment.
        zeros(&context, 4)
            .and_then(|buffer| read(&queue, &buffer, 1))
            .map_err(|error| failed(format!("it gives no memory: {}", error.text)))?;
        Ok(Self { queue, context, device: this.device, flavour: identity.flavour, information })
    }
}

fn information(listed: &Listed, index: u32, identity: &Identity) -> Result<DeviceInformation, DeviceError> {
    let card = KnownCard::of(card(listed, index)?, processor(&identity.target_id))?;
    let said = &listed.said;
    let record = OpenClRecord {
        platform: said.platform.clone(),
        platform_version: said.platform_version.clone(),
        driver_version: said.driver_version.clone(),
        device_name: said.name.clone(),
        container: match identity.flavour {
            Flavour::Amd => "AMDHSA code object, LDS as an argument".into(),
            Flavour::Clover => "clover module of each kernel and its LDS".into(),
        },
    };
    let mut information = card.information(driver(said), "the card's memory", Some(record));
    if identity.flavour == Flavour::Amd {
        information.lds_request = LdsRequest::Argument;
    }
    // The driver's limit for a group, if it is below the hardware's.
    let local = number(listed.device, CL_DEVICE_LOCAL_MEM_SIZE).and_then(|bytes| u32::try_from(bytes).ok());
    if let Some(bytes) = local.filter(|bytes| *bytes > 0) {
        information.lds_bytes_per_group = information.lds_bytes_per_group.min(bytes);
    }
    Ok(information)
}
