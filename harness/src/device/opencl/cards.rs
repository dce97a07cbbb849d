//! What OpenCL says of the devices that it sees.

use gcn_model::gpu::CardFacts;
use ocl::ffi::{CL_DEVICE_MAX_CLOCK_FREQUENCY, CL_DEVICE_MAX_COMPUTE_UNITS};

use super::super::compute_units::compute_units;
use super::super::{Card, DeviceError};
use super::identity::{DeviceStrings, Flavour, processor};
use super::listing::{Listed, listing};
use super::query::number;

/// All devices, in the loader's order, those that are refused as well.
///
/// # Errors
/// [`DeviceError::NoDevice`]: no loader, no device.
pub(in super::super) fn cards() -> Result<Vec<Card>, DeviceError> {
    listing()?.iter().zip(0..).map(|(listed, index)| card(listed, index)).collect()
}

/// One device.
///
/// # Errors
/// None that is known of: the facts that ship can be read.
pub(super) fn card(listed: &Listed, index: u32) -> Result<Card, DeviceError> {
    let Listed { device, said, identity, pci, .. } = listed;
    let target = identity.as_ref().map(|identity| identity.target_id.clone()).unwrap_or_default();
    let facts = CardFacts::of(processor(&target), pci.device_id, product(said))
        .map_err(|error| DeviceError::NoDevice(format!("opencl:{index}: {error}")))?;
    let generation = facts.as_ref().map(|facts| facts.generation);
    let flavour = identity.as_ref().ok().map(|identity| identity.flavour);
    let counted = number(*device, CL_DEVICE_MAX_COMPUTE_UNITS).and_then(|count| u32::try_from(count).ok()).unwrap_or(0);
    Ok(Card {
        device: format!("opencl:{index}"),
        name: product(said).to_owned(),
        generation,
        compute_units: match flavour {
            Some(Flavour::Amd) => compute_units(counted, generation),
            _ => counted,
        },
        clock_mhz: number(*device, CL_DEVICE_MAX_CLOCK_FREQUENCY).filter(|clock| *clock > 0).map(|clock| clock as f64),
        // No OpenCL driver tells it.
        wall_clock_mhz: None,
        pci_address: pci.address.clone(),
        pci_device_id: pci.device_id,
        facts_from: facts.map(|facts| facts.gpu.to_owned()),
        driver: Some(driver(said)),
        refused: identity.as_ref().err().cloned(),
        target,
    })
}

/// The product's name: the board's if the driver has it, and otherwise the device's name.
fn product(said: &DeviceStrings) -> &str {
    match (&said.board, said.name.as_str()) {
        (Some(board), _) => board,
        (None, "") => "device without a name",
        // Clover puts the product before the driver's version.
        (None, name) => name.split(" (").next().unwrap_or(name),
    }
}

/// Platform and driver, with their versions.
pub(super) fn driver(said: &DeviceStrings) -> String {
    let DeviceStrings { platform, platform_version, driver_version, .. } = said;
    format!("OpenCL platform {platform} ({platform_version}), driver {driver_version}")
}
