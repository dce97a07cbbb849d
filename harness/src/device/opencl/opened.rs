//! An opened device.

use gcn_model::gpu::CardFacts;
use gcn_model::isa::GroupMode;
use gcn_model::record::{CardRecord, DeviceRecord, OpenClRecord};
use ocl::core::{CommandQueue, Context, ContextProperties, DeviceId, create_command_queue, create_context};
use ocl::ffi::CL_DEVICE_LOCAL_MEM_SIZE;

use super::super::simulated_driver::recorded;
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
    let failed = |text: String| DeviceError::NoDevice(format!("opencl:{index}: {text}"));
    let card = card(listed, index)?;
    let target = processor(&identity.target_id).to_owned();
    let facts = CardFacts::of(&target, card.pci_device_id, &card.name).map_err(|error| failed(error.to_string()))?;
    let facts =
        facts.ok_or_else(|| failed(format!("{target} is not a GPU that this program knows: it cannot be measured")))?;
    let said = &listed.said;
    let record = DeviceRecord {
        wave_size: facts.generation.has_wave_sizes().then(|| facts.generation.lanes()),
        mode: facts.generation.has_group_modes().then_some(GroupMode::ComputeUnit),
        device: card.device,
        name: card.name,
        driver: recorded(driver(said)),
        target: target.clone(),
        generation: facts.generation.record_name().into(),
        compute_units: card.compute_units,
        clock_mhz: card.clock_mhz,
        realtime_mhz: facts.realtime_mhz,
        card: Some(CardRecord {
            target_id: identity.target_id.clone(),
            pci_address: card.pci_address,
            pci_device_id: card.pci_device_id.map(|id| format!("{id:#06x}")),
            facts_from: facts.gpu.into(),
            match_quality: facts.match_quality,
            realtime_from_driver: false,
            results_in: "the card's memory".into(),
            opencl: Some(OpenClRecord {
                platform: said.platform.clone(),
                platform_version: said.platform_version.clone(),
                driver_version: said.driver_version.clone(),
                device_name: said.name.clone(),
                container: match identity.flavour {
                    Flavour::Amd => "AMDHSA code object, LDS as an argument".into(),
                    Flavour::Clover => "clover module of each kernel and its LDS".into(),
                },
            }),
        }),
        facts_sha256: None,
    };
    // The driver's limit for a group, if it is below the hardware's.
    let local = number(listed.device, CL_DEVICE_LOCAL_MEM_SIZE).and_then(|bytes| u32::try_from(bytes).ok());
    let most = facts.lds.max_group.0;
    Ok(DeviceInformation {
        record,
        target,
        target_id: identity.target_id.clone(),
        generation: facts.generation,
        compute_units: card.compute_units.max(1),
        waves_per_simd: facts.registers.most_waves(),
        lds_bytes: facts.lds.bytes.0,
        lds_granule_bytes: facts.lds.granule.0,
        lds_bytes_per_group: local.filter(|bytes| *bytes > 0).map_or(most, |bytes| most.min(bytes)),
        lds_request: match identity.flavour {
            Flavour::Amd => LdsRequest::Argument,
            Flavour::Clover => LdsRequest::Launch,
        },
    })
}
