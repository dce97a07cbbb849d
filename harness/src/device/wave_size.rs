//! A device that is measured in waves of a size of the user's choice.

use std::time::Duration;

use super::{Device, DeviceError, DeviceInformation, Module};

/// A device whose waves can have several sizes, with a choice. The kernel descriptor has it: the device itself need not know.
pub struct InWavesOf {
    device: Box<dyn Device>,
    information: DeviceInformation,
}

impl InWavesOf {
    /// The device in waves of this many lanes.
    ///
    /// # Errors
    /// [`DeviceError::NoDevice`] if it has no such waves.
    pub fn new(device: Box<dyn Device>, lanes: u32) -> Result<Self, DeviceError> {
        let of_device = device.information();
        let information = of_device.in_waves_of(lanes).ok_or_else(|| {
            let sizes: Vec<String> = of_device.generation.waves.sizes.iter().map(u32::to_string).collect();
            let sizes = sizes.join(" or ");
            DeviceError::NoDevice(format!(
                "{}: waves of {lanes} lanes: those of {} have {sizes}",
                of_device.record.device, of_device.target
            ))
        })?;
        Ok(Self { device, information })
    }
}

impl Device for InWavesOf {
    fn information(&self) -> &DeviceInformation {
        &self.information
    }

    fn load<'a>(&'a self, code_object: &[u8]) -> Result<Box<dyn Module + 'a>, DeviceError> {
        self.device.load(code_object)
    }

    fn renew(&self) {
        self.device.renew();
    }

    fn concurrency(&self) -> usize {
        self.device.concurrency()
    }

    fn gpu_time(&self) -> Option<Duration> {
        self.device.gpu_time()
    }
}
